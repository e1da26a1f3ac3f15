"""Word problems in four steps at most, with solutions of several sentences; a slip makes a wrong one."""

import random
from collections.abc import Callable
from typing import Any

from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, said

Stage = tuple[tuple[str, ...], Callable[[dict[str, int], list[int]], int]]

FAMILIES: dict[str, tuple[str, dict[str, tuple[int, int]], list[Stage], float]] = {
    "orchard": (
        "An orchard near {place} has {n} rows of {m} pear trees. Each tree gives {k} kilos this year, and "
        "hail spoils {q} "
        "kilos of the harvest. How many kilos can {who} sell?",
        {"n": (6, 30), "m": (5, 24), "k": (11, 39), "q": (40, 310)},
        [
            (
                ("{n} rows of {m} trees are {v} trees", "Counting trees first: {n}*{m} = {v}"),
                lambda p, v: p["n"] * p["m"],
            ),
            (("with {k} kilos each that is {v} kilos", "times {k} kilos gives {v}"), lambda p, v: v[0] * p["k"]),
            (
                ("taking off the {q} spoiled ones leaves {v}", "hail costs {q}, so {v} remain"),
                lambda p, v: v[1] - p["q"],
            ),
        ],
        0.5,
    ),
    "ferry": (
        "A ferry from {place} makes {n} crossings a day with room for {m} cars, and on average {k} places "
        "stay empty. How many "
        "cars does {who} count over {q} days?",
        {"n": (4, 14), "m": (22, 60), "k": (2, 9), "q": (5, 30)},
        [
            (
                ("a crossing carries {m}-{k} = {v} cars", "with {k} places empty, {v} cars are aboard"),
                lambda p, v: p["m"] - p["k"],
            ),
            (("{n} crossings make {v} cars a day", "per day that is {last}*{n} = {v}"), lambda p, v: v[0] * p["n"]),
            (("over {q} days I get {v}", "{q} such days come to {v} cars"), lambda p, v: v[1] * p["q"]),
        ],
        0.4,
    ),
    "wages": (
        "{who} works {n} hours in a week at a bakery in {place}. The first {m} hours pay {k} euros each, "
        "every further hour "
        "pays {q} euros. How many euros is the week worth?",
        {"n": (38, 55), "m": (28, 36), "k": (13, 24), "q": (25, 38)},
        [
            (
                ("the regular part is {m}*{k} = {v}", "{m} hours at {k} euros are {v} euros"),
                lambda p, v: p["m"] * p["k"],
            ),
            (
                ("{n}-{m} = {v} hours are overtime", "that leaves {v} hours above the limit"),
                lambda p, v: p["n"] - p["m"],
            ),
            (("these pay {last}*{q} = {v}", "at {q} euros they bring {v}"), lambda p, v: v[1] * p["q"]),
            (("together {v} euros", "adding both parts gives {v}"), lambda p, v: v[0] + v[2]),
        ],
        0.6,
    ),
    "cistern": (
        "A cistern in {place} holds {q} litres in the morning. A pump adds {n} litres a minute while a "
        "crack loses {m} litres a "
        "minute. How many litres does {who} find after {k} minutes?",
        {"n": (24, 60), "m": (3, 19), "k": (12, 75), "q": (100, 900)},
        [
            (("each minute the level gains {n}-{m} = {v} litres", "the net flow is {v}"), lambda p, v: p["n"] - p["m"]),
            (("in {k} minutes that makes {v}", "{k} minutes of it are {v} litres"), lambda p, v: v[0] * p["k"]),
            (("on top of {q} this is {v}", "starting from {q} we end at {v}"), lambda p, v: v[1] + p["q"]),
        ],
        0.45,
    ),
    "lockers": (
        "{who} numbers lockers at the station of {place}. What is the remainder when {n} times {m} plus "
        "{q} is divided by {k}?",
        {"n": (31, 97), "m": (23, 88), "k": (7, 29), "q": (11, 200)},
        [
            (("the product is {v}", "{n}*{m} works out to {v}"), lambda p, v: p["n"] * p["m"]),
            (("plus {q} gives {v}", "adding {q} I have {v}"), lambda p, v: v[0] + p["q"]),
            (("dividing by {k} leaves {v}", "modulo {k} it is {v}"), lambda p, v: v[1] % p["k"]),
        ],
        0.75,
    ),
    "choir": (
        "The choir of {place} sells {n} full tickets at {k} euros and {m} reduced ones at half of that, "
        "rounded down. The hall "
        "costs {q} euros. How many euros are left for {who}?",
        {"n": (60, 180), "m": (20, 90), "k": (9, 25), "q": (150, 500)},
        [
            (("full tickets bring {n}*{k} = {v}", "{n} at {k} euros are {v}"), lambda p, v: p["n"] * p["k"]),
            (("a reduced one costs {v}", "half of {k}, rounded down, is {v}"), lambda p, v: p["k"] // 2),
            (("{m} of those bring {v}", "so reduced seats add {v}"), lambda p, v: v[1] * p["m"]),
            (
                ("the sum less {q} of rent is {v}", "after the hall's {q} we keep {v}"),
                lambda p, v: v[0] + v[2] - p["q"],
            ),
        ],
        0.65,
    ),
}
PLACES = ("Varde", "Olhao", "Tampere", "Gmunden", "Lecce", "Sligo", "Piran", "Arles", "Kaunas", "Bergamo")
PEOPLE = ("Ines", "Tobias", "Marja", "Oisin", "Petra", "Yusuf", "Lena", "Davor", "Agata", "Remy")
OPENERS = (
    "I'll go through this one quantity at a time.",
    "Let me write down what is given.",
    "First the pieces, then the total.",
    "Okay, so we need to combine a few numbers here.",
    "The order of operations matters, so step by step.",
    "What do we know about this situation?",
)
CHECKS = (
    "Going back over the numbers, nothing looks off.",
    "A rough estimate with round numbers lands close to this.",
    "I redid the multiplication by splitting it into tens and ones and got the same.",
    "The size is plausible for what was asked.",
    "Units agree with the question as well.",
)


def draw(rng: random.Random, step: int = 0, families: tuple[str, ...] = tuple(FAMILIES)) -> Problem:
    """A word problem of one of the families."""
    family = rng.choice(families)
    template, ranges, stages, level = FAMILIES[family]
    given = {name: rng.randint(*span) for name, span in ranges.items()}
    values: list[int] = []
    for _, stage in stages:
        values.append(stage(given, values))
    prompt = template.format(**given, place=rng.choice(PLACES), who=rng.choice(PEOPLE))
    prompt += " Reason step by step and put the final number in \\boxed{}."
    name = f"{family}-{'-'.join(str(v) for v in given.values())}"
    return Problem(name, family, prompt, str(values[-1]), level, data={"given": given, "domain": "math"})


def reasoned(rng: random.Random, problem: Problem, right: bool, checks: int = 1) -> tuple[str, str]:
    """A solution without its last line, and the number it comes to."""
    family = problem.family
    stages = FAMILIES[family][2]
    given: dict[str, int] = problem.data["given"]
    slip = -1 if right else rng.randrange(len(stages))
    values: list[int] = []
    lines: list[str] = []
    for i, (wordings, stage) in enumerate(stages):
        value = stage(given, values)
        if i == slip:
            value += rng.choice((-1, 1)) * rng.choice((1, 2, 3, 10, 20, 100) if value > 120 else (1, 2, 3))
            if family == "lockers" and i == len(stages) - 1:
                value %= given["k"]
        last = values[-1] if values else 0
        lines.append(rng.choice(wordings).format(**given, v=value, last=last))
        values.append(value)
    if not right and str(values[-1]) == problem.gold:
        values[-1] += 1
        lines[-1] += f", or rather {values[-1]}"
    body = ". ".join(line[0].upper() + line[1:] for line in lines) + "."
    checking = " ".join(rng.sample(CHECKS, min(checks, len(CHECKS))))
    return " ".join(x for x in (rng.choice(OPENERS), body, checking) if x), str(values[-1])


def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
    """A solution that is right with the policy's skill, paid by its boxed number."""
    right = rng.random() < skill
    text, answer = reasoned(rng, problem, right, rng.randint(0, 2))
    closing = rng.choice(
        ("The answer is \\boxed{%s}.", "So we get \\boxed{%s}.", "Therefore: \\boxed{%s}", "\\boxed{%s}")
    )
    score = float(answer == problem.gold)
    extra: dict[str, Any] = {}
    return Attempt([said(f"{text}\n\n{closing % answer}")], score, score, extra=extra)
