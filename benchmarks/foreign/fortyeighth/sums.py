"""Word problems of several steps, with reasoning that computes them or slips."""

import random

from benchmarks.foreign.fortyeighth.attempts import Answer, Task, Try, is_new

NAMES = ["Amara", "Bela", "Chidi", "Dorota", "Eero", "Farid", "Greta", "Hoang", "Ines", "Jonas", "Kamala", "Luca"]
MARKS = {"hash": "#### {}", "box": "The answer is \\boxed{{{}}}.", "tag": "<answer>{}</answer>"}
Chain = list[tuple[str, str, int]]


def _bakery(r: random.Random, who: str) -> tuple[str, int, Chain]:
    a, b, c, d = r.randint(4, 19), r.randint(6, 24), r.randint(5, 20), r.randint(2, 6)
    text = (
        f"{who} bakes {a} trays of buns with {b} buns on each. {c} buns burn and are thrown away. The rest sell for "
        f"{d} euros apiece. How many euros come in?"
    )
    return text, a, [("buns baked", "*", b), ("buns left to sell", "-", c), ("money taken", "*", d)]


def _library(r: random.Random, who: str) -> tuple[str, int, Chain]:
    a, b, c, d = r.randint(120, 480), r.randint(15, 60), r.randint(3, 9), r.randint(6, 14)
    text = (
        f"A library that {who} runs holds {a} novels. It gives {b} away, then receives {c} boxes of {d} novels each. "
        "How many novels does it hold now?"
    )
    return text, a, [("novels after the gift", "-", b), ("novels with the boxes", "+", c * d)]


def _bus(r: random.Random, who: str) -> tuple[str, int, Chain]:
    a, b, c, d = r.randint(18, 40), r.randint(3, 12), r.randint(2, 15), r.randint(2, 5)
    text = (
        f"{who} drives a bus with {a} passengers. At the mill {b} get off and {c} get on. Everyone aboard then pays "
        f"{d} coins. How many coins does {who} collect?"
    )
    return text, a, [("passengers after getting off", "-", b), ("passengers aboard", "+", c), ("coins", "*", d)]


def _garden(r: random.Random, who: str) -> tuple[str, int, Chain]:
    a, b, c = r.randint(6, 25), r.randint(5, 18), r.randint(8, 30)
    text = (
        f"{who} plants {a} rows of leeks, {b} in a row. Snails eat {c} of them, and a neighbour brings as many again "
        f"as were eaten plus {c} more. How many leeks stand in the garden?"
    )
    return text, a, [("leeks planted", "*", b), ("leeks the snails left", "-", c), ("leeks in the end", "+", 2 * c)]


def _savings(r: random.Random, who: str) -> tuple[str, int, Chain]:
    a, b, c, d = r.randint(12, 45), r.randint(4, 26), r.randint(20, 160), r.randint(15, 90)
    text = (
        f"{who} saves {a} crowns a week for {b} weeks, is given {c} crowns by an aunt, and spends {d} crowns on a "
        "lamp. How many crowns are left?"
    )
    return text, a, [("crowns saved", "*", b), ("crowns with the gift", "+", c), ("crowns left", "-", d)]


def _wool(r: random.Random, who: str) -> tuple[str, int, Chain]:
    a, b, c, d = r.randint(3, 9), r.randint(40, 130), r.randint(2, 6), r.randint(12, 35)
    text = (
        f"A scarf takes {a} balls of wool of {b} metres each. {who} knits {c} such scarves and wastes {d} metres "
        "in all. How many metres of wool were needed?"
    )
    return text, a, [("metres in one scarf", "*", b), ("metres in all scarves", "*", c), ("metres needed", "+", d)]


STORIES = {"bakery": _bakery, "library": _library, "bus": _bus, "garden": _garden, "savings": _savings, "wool": _wool}


def problem(rng: random.Random, number: int, large: bool = False) -> Task:
    """A word problem; of large ones the last number is a thousand and more."""
    while True:
        family = rng.choice(list(STORIES))
        text, start, chain = STORIES[family](rng, rng.choice(NAMES))
        value = start
        for _, sign, operand in chain:
            value = _apply(value, sign, operand)
        if value > 0 and (not large or value >= 1000):
            return Task(f"{family}-{number:04d}", text, str(value), family, {"start": start, "chain": chain})


def pool(rng: random.Random, count: int, large: bool = False) -> list[Task]:
    """Different problems."""
    tasks: list[Task] = []
    while len(tasks) < count:
        task = problem(rng, len(tasks), large)
        if is_new(tasks, task.prompt):
            tasks.append(task)
    return tasks


def _apply(value: int, sign: str, operand: int) -> int:
    return {"+": value + operand, "-": value - operand, "*": value * operand}[sign]


OPENINGS = [
    "Let me work through this step by step.",
    "First I list what is given.",
    "The story has {n} steps, so I take them in turn.",
    "I start from the number {a} and follow what happens.",
    "We need one total at the end; let's go in order.",
    "Okay, what happens here?",
]
FIRST = ["First,", "To begin,", "I get"]
LINKS = ["Then", "Next,", "After that,", "So", "Now", "This means"]
CLOSERS = ["That is all that was asked.", "Checking the last step once more, it holds.", "So that's the total.", ""]


def reasoning(rng: random.Random, task: Task, right: bool, wordy: float = 0.5) -> tuple[str, int]:
    """Sentences that lead to an answer; a wrong one slips in a step, or stops a step early."""
    chain: Chain = task.data["chain"]
    value, lines = task.data["start"], []
    opening = rng.choice(OPENINGS).format(n=len(chain), a=value)
    slip = None if right else rng.randrange(len(chain))
    early = not right and len(chain) > 2 and rng.random() < 0.3
    for place, (label, sign, operand) in enumerate(chain[:-1] if early else chain):
        result = _apply(value, sign, operand)
        if slip == place and not early:
            result += rng.choice([-10, -2, -1, 1, 2, 10, 20])
        shown = f"{value} {sign.replace('*', '×') if rng.random() < 0.3 else sign} {operand} = {result}"
        lines.append(f"{rng.choice(LINKS if place else FIRST)} the {label}: {shown}.")
        if rng.random() < wordy * 0.5:
            lines.append(f"I keep {result} for the {label}.")
        value = result
    if rng.random() < wordy:
        lines.append(rng.choice(CLOSERS))
    if not right and str(value) == task.gold:
        value += 1
        lines.append(f"Counting the first one too, that makes {value}.")
    return " ".join([opening, *lines]).strip(), value


def solve(rng: random.Random, task: Task, right: bool, mark: str = "box", wordy: float = 0.5) -> Try:
    """An attempt that ends with its answer in a mark."""
    text, value = reasoning(rng, task, right, wordy)
    return Try(task, f"{text}\n{MARKS[mark].format(value)}", right, str(value))


def answering(mark: str = "box", wordy: float = 0.5) -> Answer:
    """How a policy answers word problems."""

    def answer(rng: random.Random, task: Task, chance: float, step: int) -> Try:
        return solve(rng, task, rng.random() < chance, mark, wordy)

    return answer
