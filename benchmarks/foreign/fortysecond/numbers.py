"""Problems in numbers, of school and of contests: chains of steps that an attempt walks, rightly or with a slip."""

import math
import random
from collections.abc import Callable

from benchmarks.foreign.fortysecond.attempts import Task

Chain = list[tuple[str, int | str, str, int | str]]
"""What a step finds, its left value, operation and right value; `a`, `b`, ... are earlier results."""

NAMES = ("Ines", "Tomek", "Farida", "Kwame", "Lotte", "Ravi", "Maren", "Osei", "Yuki", "Paloma", "Dario", "Signe")
OPENINGS = (
    "Let me write down what is given and go step by step.",
    "I first collect the numbers of the text and then combine them.",
    "There are a few quantities here, so I name them one after another.",
    "We can get there in small steps.",
    "Reading the question once more, what is wanted comes at the end, so I work forward.",
    "First I find the pieces, then I put them together.",
)
JOINS = ("First,", "Then", "Next,", "After that,", "From this,", "Now", "So", "With that,")
CHECKS = (
    "Going over the steps again, each one uses the numbers as stated.",
    "The size of this is plausible for the question.",
    "I checked the last operation a second time.",
    "That agrees with a rough estimate in my head.",
    "No quantity was used twice, so this should be it.",
)


def _tickets(rng: random.Random) -> tuple[str, Chain]:
    who, adults, kids, price, off = rng.choice(NAMES), rng.randint(3, 19), rng.randint(4, 25), rng.randint(9, 24), 0
    off = rng.randint(2, price - 4)
    text = (
        f"{who} buys tickets for a boat tour: {adults} adults at {price} crowns each and {kids} children, who pay "
        f"{off} crowns less each. How many crowns does {who} pay in all?"
    )
    steps: Chain = [
        ("the adults cost", adults, "*", price),
        ("a child's ticket costs", price, "-", off),
        ("the children cost", kids, "*", "b"),
        ("together that is", "a", "+", "c"),
    ]
    return text, steps


def _orchard(rng: random.Random) -> tuple[str, Chain]:
    rows, trees, kilos, lost = rng.randint(6, 18), rng.randint(7, 22), rng.randint(12, 40), rng.randint(20, 200)
    text = (
        f"An orchard has {rows} rows of {trees} plum trees. Each tree gave {kilos} kg this year, but hail spoiled "
        f"{lost} kg of the whole harvest. How many kilograms were left?"
    )
    steps: Chain = [
        ("the number of trees is", rows, "*", trees),
        ("the whole harvest is", "a", "*", kilos),
        ("without the spoiled fruit there remain", "b", "-", lost),
    ]
    return text, steps


def _print_shop(rng: random.Random) -> tuple[str, Chain]:
    pages, copies, pack = rng.randint(18, 95), rng.randint(12, 60), rng.choice((50, 100, 250))
    text = (
        f"A print shop makes {copies} copies of a booklet of {pages} sheets. Paper comes in packs of {pack} sheets "
        "and only whole packs can be bought. How many packs are needed?"
    )
    steps: Chain = [
        ("the sheets needed are", pages, "*", copies),
        ("to round up I add one less than a pack:", "a", "+", pack - 1),
        ("the whole packs are", "b", "//", pack),
    ]
    return text, steps


def _savings(rng: random.Random) -> tuple[str, Chain]:
    who, start, weekly, weeks, spent = (
        rng.choice(NAMES),
        rng.randint(40, 300),
        rng.randint(6, 35),
        rng.randint(8, 40),
        rng.randint(15, 70),
    )
    text = (
        f"{who} has {start} euros and saves {weekly} euros a week for {weeks} weeks. Half way a lamp for {spent} euros "
        f"and a cable for 7 euros are bought. How much money does {who} have at the end?"
    )
    steps: Chain = [
        ("the saved amount is", weekly, "*", weeks),
        ("adding the first money gives", start, "+", "a"),
        ("the purchases come to", spent, "+", 7),
        ("what is left is", "b", "-", "c"),
    ]
    return text, steps


def _multiples(rng: random.Random) -> tuple[str, Chain]:
    top, one, two = rng.randint(300, 4000), *rng.sample((4, 6, 7, 9, 10, 12, 15), 2)
    both = math.lcm(one, two)
    text = f"How many integers from 1 to {top} are divisible by {one} or by {two}?"
    steps: Chain = [
        (f"the multiples of {one} number", top, "//", one),
        (f"the multiples of {two} number", top, "//", two),
        (f"multiples of both are multiples of {both}, which number", top, "//", both),
        ("adding the first two counts gives", "a", "+", "b"),
        ("taking away what was counted twice leaves", "d", "-", "c"),
    ]
    return text, steps


def _power(rng: random.Random) -> tuple[str, Chain]:
    base, modulus = rng.randint(11, 89), rng.choice((37, 41, 53, 59, 61, 97))
    text = f"Find the remainder when {base}^8 is divided by {modulus}."
    steps: Chain = [
        ("the square of the base is", base, "*", base),
        ("its remainder is", "a", "%", modulus),
        ("squaring again,", "b", "*", "b"),
        ("dividing leaves", "c", "%", modulus),
        ("a last squaring gives", "d", "*", "d"),
        ("the last remainder is", "e", "%", modulus),
    ]
    return text, steps


def _series(rng: random.Random) -> tuple[str, Chain]:
    first, gap, count = rng.randint(3, 40), rng.randint(2, 17), rng.randint(12, 80)
    text = (
        f"An arithmetic progression starts with {first} and has common difference {gap}. "
        f"What is the sum of its first {count} terms?"
    )
    steps: Chain = [
        (f"up to the last term there are {count - 1} gaps, which add", count - 1, "*", gap),
        ("the last term is", first, "+", "a"),
        ("first and last term sum to", first, "+", "b"),
        ("times the number of terms,", "c", "*", count),
        ("half of that is", "d", "//", 2),
    ]
    return text, steps


def _diagonals(rng: random.Random) -> tuple[str, Chain]:
    sides, marked = rng.randint(9, 60), rng.randint(2, 6)
    text = (
        f"A convex polygon has {sides} vertices. How many of its diagonals do not start at one fixed vertex, and how "
        f"large is that count times {marked}? Give the product."
    )
    steps: Chain = [
        ("each vertex sends out as many diagonals as", sides, "-", 3),
        ("counted from both ends these are", sides, "*", "a"),
        ("all diagonals together number", "b", "//", 2),
        ("without those of the fixed vertex there are", "c", "-", "a"),
        ("the product is", "d", "*", marked),
    ]
    return text, steps


SCHOOL: dict[str, Callable] = {"tickets": _tickets, "orchard": _orchard, "print_shop": _print_shop, "savings": _savings}
CONTEST: dict[str, Callable] = {"multiples": _multiples, "power": _power, "series": _series, "diagonals": _diagonals}
ACTS: dict[str, Callable[[int, int], int]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "//": lambda x, y: x // y,
    "%": lambda x, y: x % y,
}


def walk(chain: Chain, slip: int | None = None, by: int = 0) -> list[tuple[str, int, str, int, int]]:
    """The steps with their values; the result of step `slip` is off by `by`, and later ones use it."""
    values: list[int] = []
    out = []
    for number, (phrase, left, sign, right) in enumerate(chain):
        x, y = (values[ord(v) - 97] if isinstance(v, str) else v for v in (left, right))
        value = ACTS[sign](x, y) + (by if number == slip else 0)
        values.append(value)
        out.append((phrase, x, sign, y, value))
    return out


def problems(rng: random.Random, count: int, kinds: dict[str, Callable], tag: str = "q", ask: str = "") -> list[Task]:
    """Tasks of the given families, in turn."""
    out = []
    for number in range(count):
        family = list(kinds)[number % len(kinds)]
        text, chain = kinds[family](rng)
        while any(task.prompt == f"{text}{ask}" for task in out):
            text, chain = kinds[family](rng)
        answer = str(walk(chain)[-1][-1])
        hard = rng.gauss(0, 0.7) + (0.15 * (len(chain) - 4))
        out.append(Task(f"{tag}-{number:03d}", f"{text}{ask}", answer, family, hard, chain))
    return out


def sign_of(sign: str) -> str:
    """How an operation is written in reasoning."""
    return {"//": "div", "%": "mod", "*": "x"}.get(sign, sign)


def tried(rng: random.Random, chain: Chain, right: bool) -> list[tuple[str, int, str, int, int]]:
    """The steps of an attempt. A wrong one has a slip that reaches the end."""
    truth = walk(chain)
    steps = truth
    while not right:
        steps = walk(chain, rng.randrange(len(chain)), rng.choice((-10, -3, -2, -1, 1, 2, 5, 9, 10)))
        right = steps[-1][-1] != truth[-1][-1] and all(s[-1] >= 0 for s in steps)
    return steps


def told(rng: random.Random, steps: list[tuple[str, int, str, int, int]], checks: int = 1) -> str:
    """Reasoning over steps."""
    lines = [rng.choice(OPENINGS)]
    for number, (phrase, x, sign, y, value) in enumerate(steps):
        join = JOINS[0] if number == 0 else rng.choice(JOINS[1:])
        lines.append(f"{join} {phrase} {x} {sign_of(sign)} {y} = {value}.")
    return " ".join([*lines, *rng.sample(CHECKS, checks)])


def again(rng: random.Random, steps: list[tuple[str, int, str, int, int]]) -> str:
    """A second pass over the same steps."""
    lead = rng.choice(
        ("Let me do it once more to be sure.", "I verify this by a second pass.", "Wait, I check each step.")
    )
    verb = rng.choice(("gives", "is indeed", "comes to"))
    return " ".join([lead, *(f"{x} {sign_of(sign)} {y} {verb} {value}." for _, x, sign, y, value in steps)])


def worked(rng: random.Random, chain: Chain, right: bool, checks: int = 1) -> tuple[str, int]:
    """Reasoning over a chain and the number that it ends with."""
    steps = tried(rng, chain, right)
    return told(rng, steps, checks), steps[-1][-1]
