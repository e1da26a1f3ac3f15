"""Passages with questions, some of which they do not answer."""

from random import Random

from benchmarks.foreign.twentyseventh.runs import Domain, Reply, Task, speak
from benchmarks.foreign.twentyseventh.words import person, say, town

KINDS = ("founded", "rebuilt", "sold", "closed")
HOUSES = ("mill", "theatre", "brewery", "foundry", "shipyard", "inn", "dairy", "press")


def task(rng: Random) -> Task:
    """A passage with two years, and a question on one of them or on a third."""
    house, place, known = rng.choice(HOUSES), town(rng), rng.sample(KINDS, 3)
    years = {kind: rng.randint(1720, 1990) for kind in known[:2]}
    text = " ".join(
        say(rng, f"[It was|The {house} was] {kind} in {year}[ by {person(rng)} Berg|, as the records say|].")
        for kind, year in years.items()
    )
    absent = rng.random() < 0.34
    kind = known[2] if absent else known[0]
    question = (
        f"Passage: The old {house} stands in {place}. {text} Its owner was "
        f"{person(rng)}.\n\nWhen was the {house} of {place} "
        f"{kind}? If the passage does not say, answer: not stated."
    )
    gold = "not stated" if absent else str(years[kind])
    return Task(
        question,
        gold,
        family="unanswerable" if absent else "answerable",
        facts={"years": years, "kind": kind, "house": house},
    )


def reply(rng: Random, task: Task, right: bool, progress: float) -> Reply:
    """A short look at the passage and the answer."""
    years, kind, house = task.facts["years"], task.facts["kind"], task.facts["house"]
    wrong = rng.choice(
        [str(y) for y in years.values() if str(y) != task.gold] + ["not stated"] * (task.gold != "not stated")
    )
    answer = task.gold if right else wrong
    found = " and ".join(f"{k} ({y})" for k, y in years.items())
    note = say(
        rng,
        f"[The passage tells of|We read of the {house} being|Mentioned are|Given:|In the text:] {found}[; asked "
        f"is {kind}|; the question is when it was {kind}|]. [I compare.|Checking the "
        f"verb.|So:|Hence:|Looking once more.|]",
    )
    return Reply([speak(f"{note}\nAnswer: {answer}")], answer)


PASSAGES = Domain(task, reply)
