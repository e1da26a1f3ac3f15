"""Passages to quote from, graded by overlap of words."""

from random import Random

from benchmarks.foreign.twentyeighth.rollouts import Task, say

ROOTS = ["ferry", "mill", "choir", "archive", "bridge", "orchard", "clinic", "harbour", "tannery", "glacier"]
WHEN = [
    "after the spring flood",
    "during the long strike",
    "in the second winter",
    "once the railway closed",
    "before the census",
    "under the new mayor",
]
DONE = [
    "moved its stores to the upper quay",
    "sold the eastern wing to a school",
    "hired forty carpenters from the valley",
    "banned carts from the inner yard",
    "opened a ward for night workers",
    "lent its bells to the parish",
]


def passage(rng: Random, number: int) -> Task:
    """A passage and a question for a phrase in it."""
    root, when, done = rng.choice(ROOTS), rng.choice(WHEN), rng.choice(DONE)
    year, cost = rng.randint(1802, 1957), rng.randint(3, 90)
    text = (
        f"In {year} the {root} had debts of {cost} thousand crowns. "
        f"{when.capitalize()}, it {done}. The {rng.choice(ROOTS)} nearby did nothing of "
        "the kind."
    )
    ask = f"Passage: {text}\nQuestion: What did the {root} do {when}? Quote the shortest phrase."
    return Task(f"sp-{number:04d}", ask, done, rng.gauss(0, 0.8), root, {"root": root, "when": when})


def quoted(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    """The phrase, with more or less around it."""
    gold = task.gold.split()
    if right:
        words = gold if rng.random() < 0.5 + 0.3 * progress else ["it", *gold]
    else:
        words = rng.choice([gold[:2] + ["something"], ["it", "had", "debts"], gold[-3:], [task.data["root"], "moved"]])
    return [say("assistant", rng.choice(["", "Answer: ", ""]) + " ".join(words))]


def overlap(text: str, gold: str) -> float:
    """F1 of words."""
    mine, theirs = text.replace("Answer:", "").lower().split(), gold.lower().split()
    common = sum(min(mine.count(w), theirs.count(w)) for w in set(mine))
    return round(2 * common / (len(mine) + len(theirs)), 4) if common else 0.0
