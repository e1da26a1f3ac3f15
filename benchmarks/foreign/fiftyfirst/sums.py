"""Word problems that are a chain of operations, with reasoning that computes them, rightly or with a slip."""

import random

from benchmarks.foreign.fiftyfirst.policy import Problem

SCENES: dict[str, tuple[str, str, tuple[tuple[str, str], ...]]] = {
    "bakery": (
        "The bakery of {who} opens with {a} rolls on the shelf.",
        "How many rolls are there in the end?",
        (
            ("+", "The oven brings another {n} rolls."),
            ("-", "A school takes {n} rolls away."),
            ("*", "For the fair the stock is made {n} times as large."),
            ("-", "{n} rolls are found burnt and thrown out."),
        ),
    ),
    "reservoir": (
        "A reservoir kept by {who} holds {a} litres at dawn.",
        "How many litres does it hold at night?",
        (
            ("+", "Rain adds {n} litres."),
            ("-", "The fields draw {n} litres."),
            ("*", "When the sluice is opened the volume becomes {n} times what it was."),
            ("-", "A leak costs {n} litres."),
        ),
    ),
    "library": (
        "{who} catalogues {a} books on Monday.",
        "How many books stand in the catalogue afterwards?",
        (
            ("+", "A donation brings {n} more."),
            ("-", "{n} volumes are sent to be rebound and struck from the list."),
            ("*", "A merger makes the collection {n} times its size."),
            ("+", "On Friday {n} magazines are entered as books."),
        ),
    ),
    "orchard": (
        "In the orchard of {who} {a} crates of pears are picked in the first week.",
        "How many crates are left to sell?",
        (
            ("+", "The second week yields {n} crates."),
            ("-", "Wasps spoil {n} crates."),
            ("*", "A neighbour pools his harvest, so there is {n} times as much."),
            ("-", "{n} crates go to the cider press."),
        ),
    ),
    "savings": (
        "{who} has {a} euros in a savings account.",
        "What is the balance in euros?",
        (
            ("+", "A salary of {n} euros comes in."),
            ("-", "The rent of {n} euros is paid."),
            ("*", "A lucky share makes the whole sum {n} times as large."),
            ("-", "A bicycle costs {n} euros."),
        ),
    ),
}
WHO = ("Marta", "Ilyas", "Joon", "Beatriz", "Okello", "Svea", "Tomasz", "Noor", "Priya", "Anselm", "Keiko", "Ruben")
OPEN = (
    "Let me keep a running total.",
    "I go through the events in the order in which they are told.",
    "We begin with what is there and change it line by line.",
    "First I note the starting amount, then each change.",
    "The story has several changes, so I take them one at a time.",
    "It helps to write the amount after each event.",
)
DONE = (
    "Nothing else happens, so that is the amount asked for.",
    "This is what remains after the last event.",
    "No other change is mentioned.",
    "The question asks for exactly this number.",
    "With that the story is at its end.",
)
CHECK = (
    "Going backwards from {x} undoes the changes, which agrees.",
    "As a rough check, the size of {x} is plausible.",
    "I read the lines again and find no event left out.",
    "The last step is the one to be careful with, and {x} holds.",
)
SAY = {
    "+": ("Adding {n} to {x} gives {y}.", "{x} + {n} = {y}.", "It grows by {n}, from {x} to {y}."),
    "-": ("Taking {n} from {x} leaves {y}.", "{x} - {n} = {y}.", "It falls by {n}, so {x} becomes {y}."),
    "*": ("{n} times {x} is {y}.", "{x} * {n} = {y}.", "Multiplying {x} by {n} makes {y}."),
}


def _apply(sign: str, x: int, n: int) -> int:
    return x + n if sign == "+" else x - n if sign == "-" else x * n


def problem(rng: random.Random, index: int, depth: int = 0, large: bool = False) -> Problem:
    """A story of three to six changes, or of the depth."""
    family = rng.choice(sorted(SCENES))
    first, question, events = SCENES[family]
    depth = depth or rng.randint(3, 6)
    a = rng.randint(1200, 4800) if large else rng.randint(60, 240)
    total, chain, lines = a, [], []
    last = ""
    for _ in range(depth):
        sign, line = rng.choice([event for event in events if event[1] != last])
        if sign == "*" and (any(s == "*" for s, _ in chain)):
            sign, line = rng.choice([event for event in events if event[0] != "*" and event[1] != last])
        last = line
        n = rng.randint(2, 4) if sign == "*" else rng.randint(5, max(6, total // 3))
        total = _apply(sign, total, n)
        chain.append((sign, n))
        lines.append(line.format(n=n))
    text = " ".join([first.format(who=rng.choice(WHO), a=a), *lines, question])
    hardness = (depth - 4.5) * 0.5 + rng.gauss(0, 0.6)
    return Problem(f"{family}-{index:04d}", text, str(total), family, hardness, {"a": a, "chain": chain})


Slip = tuple[int, str, int]
"""The change at which an attempt errs, how, and by how much."""


def draw_slip(rng: random.Random, problem: Problem) -> Slip:
    """A slip that does not lead to the key by luck."""
    while True:
        slip = (
            rng.randrange(len(problem.facts["chain"])),
            rng.choice(("skip", "off", "sign")),
            rng.choice((-10, -2, -1, 1, 3, 10, 100)),
        )
        if work(random.Random(0), problem, slip)[1] != int(problem.gold):
            return slip


def work(rng: random.Random, problem: Problem, slip: Slip | None) -> tuple[list[str], int]:
    """Sentences of the reasoning, with the slip if there is one, and the number that they reach."""
    at, how, by = slip or (-1, "", 0)
    x, lines = problem.facts["a"], [f"At the start there are {problem.facts['a']}."]
    for place, (sign, n) in enumerate(problem.facts["chain"]):
        if place == at and how == "skip":
            continue
        if place == at and how == "sign":
            sign = {"+": "-", "-": "+", "*": "+"}[sign]
        y = _apply(sign, x, n) + (by if place == at and how == "off" else 0)
        lines.append(rng.choice(SAY[sign]).format(x=x, n=n, y=y))
        x = y
    return lines, x


def told(rng: random.Random, problem: Problem, slip: Slip | None, progress: float) -> tuple[str, str]:
    """The reasoning as prose, without the line of the answer, and the answer."""
    lines, x = work(rng, problem, slip)
    tail = [rng.choice(CHECK).format(x=x)] if rng.random() < 0.3 + 0.4 * progress else []
    return " ".join([rng.choice(OPEN), *lines, *tail, rng.choice(DONE)]), str(x)


def reasoning(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
    """As `told`, with a slip drawn where the attempt is not right."""
    return told(rng, problem, None if right else draw_slip(rng, problem), progress)


def boxed(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
    """Reasoning that ends in a box."""
    text, answer = reasoning(rng, problem, right, progress)
    return f"{text}\n\n\\boxed{{{answer}}}", answer


def hashed(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
    """Reasoning that ends behind four hashes."""
    text, answer = reasoning(rng, problem, right, progress)
    return f"{text}\n#### {answer}", answer
