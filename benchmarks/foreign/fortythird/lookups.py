"""Questions that a search must answer, about places that texts describe."""

import random
from dataclasses import dataclass

from benchmarks.foreign.fortythird.policy import call, said

FIRST = ("Ash", "Bel", "Cor", "Dun", "Eld", "Fair", "Glen", "Har", "Inver", "Kil", "Lang", "Mar", "Nor", "Pen", "Ros")
LAST = ("bourne", "caster", "dale", "field", "ford", "ham", "leigh", "mere", "more", "stead", "wick", "worth")
FACTS = (
    ("In which year was the lighthouse of {town} lit?", "lighthouse", "was first lit in {n}"),
    ("When did the canal at {town} open?", "canal", "opened to barges in {n}"),
    ("Which year saw the great fire of {town}?", "great fire", "burned for two nights in {n}"),
    ("When was the observatory in {town} founded?", "observatory", "was founded by two sisters in {n}"),
    ("In what year did {town} get its tramway?", "tramway", "ran its first cars in {n}"),
)


@dataclass(frozen=True)
class Quest:
    """A question and the document that answers it."""

    text: str
    town: str
    thing: str
    answer: str
    document: str
    others: tuple[str, ...]


def quest(rng: random.Random) -> Quest:
    """A question about a town."""
    town = rng.choice(FIRST) + rng.choice(LAST)
    asked, thing, fact = rng.choice(FACTS)
    year = rng.randint(1702, 1938)
    document = f"[1] History of {town}: The {thing} {fact.format(n=year)}, after years of debate in the council."
    others = tuple(
        f"[{i}] {rng.choice(FIRST)}{rng.choice(LAST)} gazette: a {rng.choice(['market', 'chapel', 'school'])} "
        f"was {rng.choice(['built', 'sold', 'moved'])} in {rng.randint(1702, 1938)}."
        for i in (2, 3)
    )
    return Quest(asked.format(town=town), town, thing, str(year), document, others)


def ask(rng: random.Random, q: Quest) -> str:
    """Words of a query."""
    return rng.choice([f"{q.town} {q.thing} year", f"{q.thing} of {q.town} history", f"when {q.thing} {q.town}"])


def found(q: Quest) -> str:
    """What the search says."""
    return "\n".join((q.document, *q.others))


def conclude(rng: random.Random, q: Quest, value: str, is_sure: bool = True) -> list[dict]:
    """The last message."""
    sure = (
        f"The history of {q.town} dates the {q.thing} to {value}.",
        f"According to the first result, the {q.thing} belongs to {value}.",
        f"The page about {q.town} is plain on this: {value}.",
    )
    unsure = (
        f"I found nothing about {q.town}; my guess for its {q.thing} is {value}.",
        f"Without sources on the {q.thing} I would say {value}.",
        f"The search gave me no page, so I estimate {value} for {q.town}.",
    )
    return said(f"{rng.choice(sure if is_sure else unsure)}\n<answer>{value}</answer>")


def seek(rng: random.Random, q: Quest, is_right: bool) -> tuple[list[dict], str]:
    """A search and its answer; the wrong one is of another result."""
    look = rng.choice([f"I look up the {q.thing} of {q.town}.", f"Let me search for {q.town}.", "A search will tell."])
    value = q.answer if is_right else q.others[rng.randrange(2)].rstrip(".").rsplit(" ", 1)[1]
    return call(look, "search", found(q), query=ask(rng, q)) + conclude(rng, q, value), value
