"""Word problems with two to four steps, and solutions that go wrong at one of them."""

import random

from benchmarks.foreign.thirtysecond.policy import Task

WHO = ("Amara", "Bjorn", "Chidi", "Dunja", "Emre", "Farah", "Goran", "Hana", "Ivo", "Jelena", "Kofi", "Linnea")
OPEN = (
    "Let me set out what is known.",
    "I start from the quantities in the text.",
    "There are a few steps here, so I take them in order.",
    "We want the last figure, and it needs the ones before it.",
    "Reading it twice, the order of the steps is clear.",
    "I work from the beginning.",
)
LINK = ("", "Next, ", "From that, ", "Now: ", "After this, ", "Then ", "So far so good: ")
CHECK = (
    "A rough estimate agrees with the size of this.",
    "The units fit what was asked.",
    "Nothing else in the text changes it.",
    "Going back over the lines, I see no other term.",
    "That is what the question wants.",
    "No remainder is left over.",
)


def _crates(rng: random.Random, who: str) -> tuple[str, list]:
    a, b = rng.randint(4, 19), rng.randint(6, 24)
    c = rng.randint(3, min(30, a * b // 2))
    text = f"{who} fills {a} crates with {b} jars each and then gives away {c} jars. How many jars are left?"
    return text, [
        (f"{a} crates of {b} jars make {{0}} jars.", lambda v: a * b),
        (f"taking away {c} leaves {{1}} jars.", lambda v: v[0] - c),
    ]


def _tank(rng: random.Random, who: str) -> tuple[str, list]:
    a, b, c, d = rng.randint(200, 900), rng.randint(5, 18), rng.randint(10, 40), rng.randint(20, 90)
    text = (
        f"A rain tank at {who}'s house holds {a} litres. A pump adds {b} litres a minute for {c} minutes, and "
        f"afterwards {d} litres are used on the beds. How many litres does the tank hold then?"
    )
    return text, [
        (f"the pump brings {b} times {c}, that is {{0}} litres.", lambda v: b * c),
        (f"with the {a} litres from before there are {{1}}.", lambda v: a + v[0]),
        (f"the beds take {d}, so {{2}} litres stay.", lambda v: v[1] - d),
    ]


def _bus(rng: random.Random, who: str) -> tuple[str, list]:
    a, b = rng.randint(3, 9), rng.randint(28, 56)
    c = rng.randint(11, min(60, a * b // 2 - 12))
    text = (
        f"{who} books {a} buses with {b} seats for a trip. {c} seats stay empty on the way out, and on the way "
        f"back twice as many stay empty. How many passengers travel in both directions together?"
    )
    return text, [
        (f"all buses have {a} times {b} = {{0}} seats.", lambda v: a * b),
        (f"on the way out {{1}} people sit in them, as {c} seats are empty.", lambda v: v[0] - c),
        (f"on the way back {2 * c} are empty, which leaves {{2}} people.", lambda v: v[0] - 2 * c),
        ("both ways together that is {3} passengers.", lambda v: v[1] + v[2]),
    ]


def _wages(rng: random.Random, who: str) -> tuple[str, list]:
    a, b, c, d = rng.randint(12, 31), rng.randint(5, 9), rng.randint(3, 6), rng.randint(15, 80)
    text = (
        f"{who} earns {a} an hour and works {b} hours on each of {c} days. The travel card costs {d}. "
        f"What remains of the pay?"
    )
    return text, [
        (f"{b} hours on {c} days are {{0}} hours.", lambda v: b * c),
        (f"at {a} an hour this pays {{1}}.", lambda v: a * v[0]),
        (f"less the card of {d} there remain {{2}}.", lambda v: v[1] - d),
    ]


def _fence(rng: random.Random, who: str) -> tuple[str, list]:
    a, b, c = rng.randint(14, 60), rng.randint(8, 40), rng.randint(4, 15)
    text = (
        f"{who} puts a fence round a field of {a} by {b} metres, leaving a gate of {c} metres open. Each metre of "
        f"fence costs 7. What does the fence cost?"
    )
    return text, [
        (f"the way round is 2 times {a} plus 2 times {b}, {{0}} metres.", lambda v: 2 * (a + b)),
        (f"without the gate of {c} there are {{1}} metres to fence.", lambda v: v[0] - c),
        ("at 7 a metre it costs {2}.", lambda v: 7 * v[1]),
    ]


TEMPLATES = (_crates, _tank, _bus, _wages, _fence)


def sums(rng: random.Random, number: int, templates: tuple = TEMPLATES, prefix: str = "sum") -> list[Task]:
    """So many word problems, all different."""
    out: dict[str, Task] = {}
    while len(out) < number:
        make = rng.choice(templates)
        question, steps = make(rng, rng.choice(WHO))
        values: list[int] = []
        for _, value in steps:
            values.append(value(values))
        data = {"steps": steps, "family": make.__name__.strip("_")}
        hard = 0.35 * (len(steps) - 3) + rng.gauss(0, 0.7)
        out.setdefault(question, Task(f"{prefix}-{len(out):04d}", question, str(values[-1]), hard, data))
    return list(out.values())


def worked(rng: random.Random, task: Task, right: bool) -> tuple[str, str]:
    """Reasoning and the answer that it ends with; a wrong one slips at one step and goes on from there."""
    steps = task.data["steps"]
    slip = -1 if right else rng.randrange(len(steps))
    values: list[int] = []
    lines = [rng.choice(OPEN)]
    for i, (line, value) in enumerate(steps):
        exact = value(values)
        off = rng.choice((-20, -10, -2, -1, 1, 2, 10, 20)) if i == slip else 0
        values.append(exact + off)
        said = rng.choice(LINK) + line.format(*values)
        lines.append(said[0].upper() + said[1:])
    lines += rng.sample(CHECK, rng.randint(0, 2))
    return " ".join(lines), str(values[-1])
