"""Word problems whose solution is a chain of steps, and solutions in sentences, with a slip where they are wrong."""

from random import Random

from benchmarks.foreign.thirtyfirst.setting import Task

Chain = list[tuple[str, int, str]]
"""Operations on the number so far: sign, operand, what it means."""

OPEN = [
    "Let me work through it.",
    "I take it step by step.",
    "First, what is given.",
    "We need a chain of amounts.",
    "",
]
JOIN = ["Then", "Next,", "After that,", "From there", "So"]
CHECK = [
    "Going back over the numbers, nothing is left out.",
    "The size of this is plausible.",
    "I checked the products once more.",
    "That uses every number of the question.",
    "",
]
SIGNS = {"*": "times", "+": "plus", "-": "minus", "/": "divided by"}


def _bags(rng: Random) -> tuple[str, int, Chain]:
    a, b, d = rng.randint(6, 24), rng.randint(11, 36), rng.randint(3, 9)
    n = rng.randint(a * b * 3 // (4 * d), a * b // d - 1)
    who = rng.choice(["A bakery", "The canteen", "A night shift", "The village oven"])
    c = a * b - n * d
    text = f"{who} bakes {a} trays of {b} rolls. {c} rolls are burnt, the others go into bags of {d}. How many bags?"
    return (
        text,
        a,
        [("*", b, "rolls come out of the oven"), ("-", c, "rolls are fit to sell"), ("/", d, "bags are filled")],
    )


def _trip(rng: Random) -> tuple[str, int, Chain]:
    a, b, c = rng.randint(3, 9), rng.randint(41, 97), rng.randint(12, 88)
    d = rng.randint(5, 39)
    who = rng.choice(["A courier", "The postbus", "A barge", "A relay team"])
    text = (
        f"{who} covers {b} km on each of {a} days, then {c} km more, and turns back for {d} km. How far from the start?"
    )
    return text, a, [("*", b, "km lie behind"), ("+", c, "km after the extra leg"), ("-", d, "km from the start")]


def _tank(rng: Random) -> tuple[str, int, Chain]:
    a, b, c, d = rng.randint(4, 15), rng.randint(18, 60), rng.randint(2, 5), rng.randint(9, 70)
    who = rng.choice(["a reservoir", "a fish tank", "a brewing vat", "a fire pond"])
    text = f"{a} pumps each move {b} litres a minute into {who} for {c} minutes; {d} were there. How many litres now?"
    return text, a, [("*", b, "litres flow a minute"), ("*", c, "litres were pumped"), ("+", d, "litres are inside")]


def _fund(rng: Random) -> tuple[str, int, Chain]:
    a, b, d = rng.randint(12, 48), rng.randint(6, 29), rng.randint(10, 90)
    c = rng.randint(5, a * b // 2)
    who = rng.choice(["A choir", "A chess club", "The allotment society", "A climbing group"])
    text = f"{who} has {a} members who pay {b} euros each. It spends {c} euros and gets a gift of {d}. What is left?"
    return text, a, [("*", b, "euros are paid in"), ("-", c, "euros stay after spending"), ("+", d, "euros at the end")]


def _seats(rng: Random) -> tuple[str, int, Chain]:
    a, b, c = rng.randint(8, 30), rng.randint(9, 28), rng.randint(4, 40)
    d = rng.randint(2, 6)
    text = f"A hall has {a} rows of {b} seats and {c} folding chairs. It sells out {d} times. How many tickets?"
    return text, a, [("*", b, "fixed seats"), ("+", c, "places with the chairs"), ("*", d, "tickets in all")]


FAMILIES = {"bags": _bags, "trip": _trip, "tank": _tank, "fund": _fund, "seats": _seats}


def _apply(sign: str, so_far: int, number: int) -> int:
    return {"*": so_far * number, "+": so_far + number, "-": so_far - number, "/": so_far // number}[sign]


def problems(rng: Random, number: int, tail: str = "", name: str = "sum") -> list[Task]:
    """Word problems of five families; tail is what the prompt asks of the form."""
    out = []
    for i in range(number):
        family = rng.choice(list(FAMILIES))
        text, first, chain = FAMILIES[family](rng)
        value = first
        for sign, operand, _ in chain:
            value = _apply(sign, value, operand)
        data = {"first": first, "chain": chain}
        hard = rng.gauss(0, 0.9)
        out.append(Task(f"{name}-{i:03d}", f"{text} {tail}".strip(), str(value), hard, family, data))
    return out


def solve(rng: Random, task: Task, right: bool) -> tuple[str, str]:
    """The reasoning of an attempt and its answer; a wrong one has a slip in one of its steps."""
    chain: Chain = task.data["chain"]
    bad = -1 if right else rng.randrange(len(chain))
    value, lines = task.data["first"], [rng.choice(OPEN)]
    for i, (sign, number, meaning) in enumerate(chain):
        new = _apply(sign, value, number)
        if i == bad:
            new = max(1, new + rng.choice([-10, 10, -1, 1, 2, number, -number, 100]))
        shown = f"{value} {sign} {number} = {new}" if rng.random() < 0.6 else f"{value} {SIGNS[sign]} {number} is {new}"
        lead = rng.choice(JOIN) + " " if i else ""
        lines.append(f"{lead}{shown}, and {meaning}." if rng.random() < 0.5 else f"{lead}{shown}: {meaning}.")
        value = new
    if not right and str(value) == task.gold:
        value += 1
        lines.append(f"One more belongs to it, which makes {value}.")
    lines.append(rng.choice(CHECK))
    return " ".join(line for line in lines if line), str(value)


def boxed(rng: Random, task: Task, right: bool) -> tuple[str, str]:
    """A solution that ends in a box, and its answer."""
    text, answer = solve(rng, task, right)
    end = rng.choice(["The answer is", "Therefore", "So we get", "Final answer:"])
    return f"{text}\n{end} $\\boxed{{{answer}}}$.", answer
