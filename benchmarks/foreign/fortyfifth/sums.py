"""Word problems with a chain of small sums, and solutions of several sentences that are right or slip once."""

import random

from benchmarks.foreign.fortyfifth.runs import Problem

PEOPLE = ("Ines", "Tariq", "Oluchi", "Marek", "Yuna", "Petra", "Dawit", "Sol", "Hanne", "Rui", "Anouk", "Kiran")

FAMILIES = (
    (
        "{who} packs {a} crates with {b} pears each and keeps {c} pears for jam. How many pears are left to sell?",
        {"a": (6, 38), "b": (12, 60), "c": (15, 70)},
        [
            (lambda n, v: n["a"] * n["b"], ["{a} crates of {b} make {x} pears", "In the crates lie {a} x {b} = {x}"]),
            (lambda n, v: v[-1] - n["c"], ["Taking {c} away leaves {x}", "{c} go into jam, so {y} - {c} = {x} remain"]),
        ],
    ),
    (
        "A paddock is {a} m long and {b} m wide. Wire costs {c} euros a metre. What does one round of wire cost?",
        {"a": (20, 95), "b": (11, 70), "c": (3, 14)},
        [
            (
                lambda n, v: n["a"] + n["b"],
                ["Length and width together are {x} m", "Half the way round is {a} + {b} = {x}"],
            ),
            (lambda n, v: 2 * v[-1], ["All the way round it is {x} m", "Twice {y} gives a perimeter of {x}"]),
            (lambda n, v: v[-1] * n["c"], ["At {c} euros a metre that is {x}", "{y} x {c} = {x} euros"]),
        ],
    ),
    (
        "A ferry sails {a} minutes, waits {b} minutes at an island and sails {c} minutes more. It does this tour"
        " {d} times a day. For how many minutes a day is it on tour?",
        {"a": (18, 55), "b": (5, 25), "c": (14, 60), "d": (3, 9)},
        [
            (lambda n, v: n["a"] + n["c"], ["Sailing alone takes {x} minutes", "{a} and {c} are {x} minutes at sea"]),
            (lambda n, v: v[-1] + n["b"], ["With the stop a tour takes {x}", "The wait brings {y} to {x} minutes"]),
            (lambda n, v: v[-1] * n["d"], ["{d} tours make {x} minutes", "{y} times {d} is {x}"]),
        ],
    ),
    (
        "{who} works {a} hours at {b} euros and {c} further hours at {d} euros. What is the pay in euros?",
        {"a": (20, 40), "b": (11, 24), "c": (3, 12), "d": (18, 36)},
        [
            (lambda n, v: n["a"] * n["b"], ["The plain hours bring {x}", "{a} x {b} = {x} for the usual hours"]),
            (lambda n, v: n["c"] * n["d"], ["The further hours bring {x}", "{c} hours at {d} add {x}"]),
            (lambda n, v: v[-2] + v[-1], ["Both together are {x}", "The sum of the two is {x}"]),
        ],
    ),
    (
        "Of {a} seedlings in each of {b} trays, {c} in every tray do not sprout. {who} sells the rest at {d} cents"
        " each. How many cents come in?",
        {"a": (24, 60), "b": (4, 18), "c": (2, 11), "d": (15, 85)},
        [
            (lambda n, v: n["a"] - n["c"], ["A tray keeps {x} seedlings", "{a} less {c} is {x} for a tray"]),
            (lambda n, v: v[-1] * n["b"], ["{b} trays hold {x} of them", "Over all trays this is {y} x {b} = {x}"]),
            (lambda n, v: v[-1] * n["d"], ["Sold at {d} cents they bring {x}", "{y} x {d} cents is {x}"]),
        ],
    ),
    (
        "{who} reads {a} pages a day on {b} days, then {c} pages a day on {d} days. The book has {e} pages in front"
        " that were skipped. On which page is the bookmark?",
        {"a": (12, 40), "b": (3, 9), "c": (8, 30), "d": (2, 8), "e": (4, 20)},
        [
            (lambda n, v: n["a"] * n["b"], ["The first days give {x} pages", "{b} days with {a} pages are {x}"]),
            (lambda n, v: n["c"] * n["d"], ["The later days give {x}", "{d} days with {c} pages are {x} more"]),
            (lambda n, v: v[-2] + v[-1], ["{x} pages have been read", "Read so far: {x}"]),
            (lambda n, v: v[-1] + n["e"], ["Past the front matter it is page {x}", "Adding {e} we get {x}"]),
        ],
    ),
)

OPENERS = (
    "Let me take this one part at a time.",
    "First I write down what is given.",
    "We need to follow the quantities in order.",
    "I start with what is known for sure.",
    "Okay, the question asks for a single number.",
    "There are a few sums to do here.",
)
CHECKS = (
    "To be safe I go over it once more: {s}.",
    "Does that seem plausible? The size of {x} fits the numbers given.",
    "Let me verify by doing it again. {s}, as before.",
    "A rough estimate lands near {x} as well.",
    "I reread the question, and it does ask for this quantity, not for one on the way.",
    "Nothing else in the text changes it.",
    "Checking the middle value: {s}, which agrees with what I had.",
    "The units are consistent throughout, so {x} can stand.",
)
CLOSERS = ("So the answer is {x}.", "That gives {x}.", "Hence {x}.", "This is what was asked: {x}.")


def sums(rng: random.Random, count: int, prefix: str = "sum", hard: float = 0.9, scale: int = 1) -> list[Problem]:
    """Problems of all families, with numbers `scale` times as large; more steps are harder."""
    out = []
    for number in range(count):
        family = rng.randrange(len(FAMILIES))
        text, ranges, chain = FAMILIES[family]
        n = {k: rng.randint(low * scale, high * scale) for k, (low, high) in ranges.items()}
        gold = _values(n, chain, None, 0)[-1]
        full = text.format(who=rng.choice(PEOPLE), **n)
        rise = (len(chain) - 3) * 0.4 + rng.gauss(0, hard)
        out.append(Problem(f"{prefix}-{number}", full, str(gold), rise, data={"n": n, "family": family}))
    return out


def _values(n: dict, chain: list, slip: int | None, by: int) -> list[int]:
    values: list[int] = []
    for place, (compute, _) in enumerate(chain):
        values.append(compute(n, values) + (by if place == slip else 0))
    return values


def solve(rng: random.Random, problem: Problem, right: bool, checks: int = 1, mark: str = "#### {x}") -> str:
    """A solution; a wrong one slips in one sum and carries the slip on."""
    chain = FAMILIES[problem.data["family"]][2]
    n = problem.data["n"]
    slip = None if right else rng.randrange(len(chain))
    values = _values(n, chain, slip, rng.choice((-20, -10, -2, -1, 1, 2, 9, 10, 100)))
    lines, done = [rng.choice(OPENERS)], []
    for place, (_, phrases) in enumerate(chain):
        said = rng.choice(phrases).format(x=values[place], y=values[place - 1], **n)
        done.append(said)
        lines.append(f"{said}.")
    for check in rng.sample(CHECKS, min(checks, len(CHECKS))):
        lines.append(check.format(s=rng.choice(done), x=values[-1]))
    lines.append(rng.choice(CLOSERS).format(x=values[-1]))
    return " ".join(lines) + ("\n" + mark.format(x=values[-1]) if mark else "")


def last_word(text: str) -> str:
    """What stands at the end of a solution."""
    return text.rsplit(maxsplit=1)[-1]
