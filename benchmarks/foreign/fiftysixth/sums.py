"""Word problems of arithmetic, and worked solutions with or without a slip."""

import random
from collections.abc import Callable

from benchmarks.foreign.fiftysixth.policy import Problem

NAMES = ("Ines", "Tomasz", "Leila", "Gavin", "Mirjam", "Kofi", "Yuna", "Rafael", "Sunniva", "Dario", "Priya", "Edda")

Step = tuple[str, Callable[[dict], int], tuple[str, ...]]
FAMILIES: dict[str, tuple[str, dict, tuple[Step, ...]]] = {
    "orchard": (
        "{n} picks {a} kilos of plums an hour for {b} hours and packs them in crates of {c} kilos. A full crate sells "
        "for {d} euros, and crates that are not full are not sold. How many euros does {n} take?",
        {"a": (23, 68), "b": (4, 9), "c": (11, 19), "d": (14, 39)},
        (
            ("x", lambda v: v["a"] * v["b"], ("Over {b} hours that makes {a} * {b} = {x} kilos of plums.",
             "{n} picks {a} kilos in each of {b} hours, so {x} kilos in all.")),
            ("y", lambda v: v["x"] // v["c"], ("These fill {x} / {c}, that is {y} whole crates.",
             "A crate takes {c} kilos, so {y} crates get full and the rest stays at the farm.")),
            ("z", lambda v: v["y"] * v["d"], ("At {d} euros each the crates bring {y} * {d} = {z}.",
             "Selling {y} crates for {d} euros gives {z} euros.")),
        ),
    ),
    "coaches": (
        "{n} runs a firm with {a} coaches of {b} seats. On Sunday all coaches leave, {c} seats stay empty, and every "
        "passenger pays {d} crowns. How many crowns come in?",
        {"a": (6, 17), "b": (38, 57), "c": (13, 88), "d": (7, 26)},
        (
            ("x", lambda v: v["a"] * v["b"], ("The fleet has {a} * {b} = {x} seats.",
             "With {b} seats in each of {a} coaches there are {x} seats.")),
            ("y", lambda v: v["x"] - v["c"], ("Taking off the empty ones leaves {x} - {c} = {y} passengers.",
             "Since {c} seats are empty, {y} people travel.")),
            ("z", lambda v: v["y"] * v["d"], ("They pay {y} * {d} = {z} crowns together.",
             "Each of the {y} pays {d}, which comes to {z}.")),
        ),
    ),
    "painting": (
        "A hall has {a} equal walls, each {b} square metres. {n} leaves out {c} square metres of doors and windows "
        "and gives the rest {d} coats. A coat on one square metre counts as one unit. How many units are painted?",
        {"a": (4, 9), "b": (31, 74), "c": (17, 63), "d": (2, 5)},
        (
            ("x", lambda v: v["a"] * v["b"], ("All walls together measure {a} * {b} = {x} square metres.",
             "The {a} walls have {x} square metres, doors included.")),
            ("y", lambda v: v["x"] - v["c"], ("Without doors and windows there are {x} - {c} = {y} left.",
             "{c} of these are openings, so {n} paints a surface of {y}.")),
            ("z", lambda v: v["y"] * v["d"], ("With {d} coats it is {y} * {d} = {z} units.",
             "Every metre is painted {d} times, hence {z} units.")),
        ),
    ),
    "wages": (
        "{n} works {a} hours at {b} francs and {c} hours of overtime at {d} francs. How many francs is that before "
        "taxes?",
        {"a": (31, 42), "b": (19, 37), "c": (3, 12), "d": (38, 59)},
        (
            ("x", lambda v: v["a"] * v["b"], ("The regular hours pay {a} * {b} = {x} francs.",
             "For {a} ordinary hours {n} gets {x} francs.")),
            ("y", lambda v: v["c"] * v["d"], ("Overtime adds {c} * {d} = {y}.",
             "The {c} late hours bring another {y} francs.")),
            ("z", lambda v: v["x"] + v["y"], ("Together {x} + {y} = {z}.",
             "The week is worth {z} francs in total.")),
        ),
    ),
    "reservoir": (
        "A tank of {n}'s village holds {a} hundred litres. Each day {b} litres flow in and {c} litres are used. How "
        "many litres does it hold after {d} days?",
        {"a": (14, 49), "b": (120, 310), "c": (60, 119), "d": (5, 16)},
        (
            ("x", lambda v: v["b"] - v["c"], ("The tank gains {b} - {c} = {x} litres a day.",
             "Each day {x} litres more come in than go out.")),
            ("y", lambda v: v["x"] * v["d"], ("In {d} days the gain is {x} * {d} = {y}.",
             "That adds up to {y} litres over {d} days.")),
            ("z", lambda v: v["a"] * 100 + v["y"], ("It began with {a} hundred litres, so it ends with {z}.",
             "Adding to what was there, {a}00 + {y} = {z} litres.")),
        ),
    ),
}  # fmt: skip
OPENINGS = (
    "Let me take it one part at a time.",
    "First I write down what is given.",
    "The question asks for one number, so I go step by step.",
    "I start from the quantities in the text.",
    "There are three things to find here.",
    "",
)
CHECKS = (
    "The size of this seems plausible for {n}.",
    "I looked over the products once more and they hold.",
    "Rounding the figures gives something near {z}, as it should.",
    "",
    "",
)


def work(family: str, values: dict, slip: tuple[int, int] | None) -> list[tuple[str, dict]]:
    """The values after each step, where one step may be off by a slip."""
    known, out = dict(values), []
    for place, (name, value, _) in enumerate(FAMILIES[family][2]):
        known[name] = value(known) + (slip[1] if slip and slip[0] == place else 0)
        out.append((name, dict(known)))
    return out


def solve(rng: random.Random, family: str, values: dict, right: bool, mark: str) -> str:
    """A worked solution that ends with its marked answer."""
    gold = work(family, values, None)[-1][1]["z"]
    known = work(family, values, None)[-1][1]
    while not right and known["z"] == gold:
        slip = (rng.randrange(3), rng.choice((-20, -11, -10, -7, -2, -1, 1, 2, 4, 9, 10, 18, 100)))
        known = work(family, values, slip)[-1][1]
    lines = [rng.choice(OPENINGS)]
    lines += [rng.choice(phrases).format(**known) for _, _, phrases in FAMILIES[family][2]]
    lines.append(rng.choice(CHECKS).format(**known))
    joint = rng.choice((" ", "\n"))
    return joint.join(line for line in lines if line) + "\n" + mark.format(known["z"])


def draw(
    rng: random.Random, number: int, mark: str = "\\boxed{{{}}}", ask: str = "Put the answer in \\boxed{}."
) -> Problem:
    """A problem of a random family."""
    family = rng.choice(list(FAMILIES))
    prompt, ranges, _ = FAMILIES[family]
    values: dict[str, int | str] = {name: rng.randint(*span) for name, span in ranges.items()}
    values["n"] = rng.choice(NAMES)
    gold = str(work(family, values, None)[-1][1]["z"])
    return Problem(
        f"{family}-{number:04d}",
        (prompt.format(**values) + " " + ask).strip(),
        gold,
        family,
        rng.gauss(0, 1.1),
        lambda r, right: solve(r, family, values, right, mark),
    )


def many(rng: random.Random, amount: int, **form: str) -> list[Problem]:
    """So many problems, no two with one prompt."""
    out: dict[str, Problem] = {}
    while len(out) < amount:
        problem = draw(rng, len(out), **form)
        out.setdefault(problem.prompt, problem)
    return list(out.values())
