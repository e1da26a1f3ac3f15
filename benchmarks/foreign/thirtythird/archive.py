"""An archive of a harbour town that can be searched: questions, records, and how a policy searches."""

import random

from benchmarks.foreign.thirtythird.policy import Task

KINDS = {
    "ship": ("built", "left the yard", (1840, 1930)),
    "bridge": ("opened", "was opened to carts", (1820, 1960)),
    "mill": ("closed", "stopped grinding", (1880, 1975)),
    "school": ("founded", "took its first pupils", (1790, 1950)),
}
NAMES = ("Aurora", "Zephyr", "Marten", "Solveig", "Brackwater", "Linden", "Old Ferry", "Corvane", "Tilde", "Hazelmere",
         "Quarry", "Saint Brio", "Ostrel", "Penhallow", "Varga")  # fmt: skip
NOTES = ("as the town book notes", "after a dispute over tolls", "by a letter of the mayor", "with help of the guild")
OPEN = (
    "I do not know this by heart, so I look it up.",
    "The archive should have a record of it.",
    "A search for the name is the first thing to do.",
    "Let me search before I say anything.",
    "The year is not in the question, so I need a source.",
)


def records(rng: random.Random, count: int, absent: float = 0.0) -> list[Task]:
    """Questions for a year; of a share of them the archive holds nothing."""
    pairs = rng.sample([(kind, name) for kind in KINDS for name in NAMES], count)
    missing = {pair for pair in pairs if rng.random() < absent}
    years = {}
    for kind in KINDS:
        drawn = rng.sample(range(*KINDS[kind][2]), len(NAMES))
        years |= {(kind, name): year for name, year in zip(NAMES, drawn, strict=True)}
    years = {pair: year for pair, year in years.items() if pair not in missing}
    note = " If the archive holds no record, answer: not recorded." if absent else ""
    tasks = []
    for number, (kind, name) in enumerate(pairs):
        text = f"In which year was the {name} {kind} {KINDS[kind][0]}?{note}"
        if kind == "mill":
            text = f"In which year did {name} {kind} close?{note}"
        gold = str(years.get((kind, name), "not recorded"))
        data = {"name": name, "kind": kind, "years": years}
        tasks.append(Task(f"arch-{number:02d}", text, gold, kind, rng.gauss(-0.4, 0.9), data))
    return tasks


def found(rng: random.Random, task: Task) -> str:
    """What the search finds: the record among two of its kind."""
    kind, own, years = task.data["kind"], task.data["name"], task.data["years"]
    names = rng.sample([name for name in NAMES if name != own and (kind, name) in years], 2)
    if (kind, own) in years:
        names.insert(rng.randrange(3), own)
    says = KINDS[kind][1]
    return "\n".join(
        f"[{place}] {name} {kind}: {says} in {years[kind, name]}, {NOTES[(len(name) + years[kind, name]) % 4]}."
        for place, name in enumerate(names, 1)
    )


def queries(rng: random.Random, task: Task) -> list[str]:
    """Ways to ask for it."""
    name, kind = task.data["name"], task.data["kind"]
    forms = [f"{name} {kind} year", f"{name} {kind} {KINDS[kind][0]}", f"{kind} called {name}", f"{name} town book"]
    return rng.sample(forms, len(forms))
