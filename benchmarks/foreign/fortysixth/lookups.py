"""A made-up gazetteer, questions about it, and agents that search and read pages."""

import random

from benchmarks.foreign.fortysixth.policy import Attempt, Problem, say
from benchmarks.foreign.fortysixth.repos import call, told

_A = ("Ost", "Vel", "Mar", "Kin", "Thor", "Bel", "Sar", "Gal", "Nor", "Ulm", "Pern", "Quil")
_B = ("wick", "haven", "mora", "stad", "ona", "bridge", "field", "tarn", "ells", "dorf")
_KINDS = ("harbour town", "observatory", "mountain railway", "glassworks", "spa", "printing house")
_PEOPLE = ("Ada Renn", "Jonas Vik", "Mirela Cosma", "Peter Auber", "Lidia Sant", "Tomas Hale", "Ines Prado",
           "Karl Oster", "Nadia Belo", "Hugo Marsh", "Elsa Lind", "Ravi Sen", "Clara Dunn", "Milo Kast")  # fmt: skip
_ASKS = {
    "founder": ("Who founded the {kind} of {place}?", "Name the founder of the {kind} at {place}."),
    "year": ("In which year was the {kind} of {place} opened?", "When did the {kind} at {place} open?"),
    "river": ("On which river does the {kind} of {place} lie?", "Which river passes the {kind} at {place}?"),
}
_PAD = (
    "The archive of the district was moved twice, and its older volumes are incomplete.",
    "Travellers of the period praised the view and complained about the roads.",
    "A small exhibition in the town hall is devoted to its early days.",
    "The buildings were repaired after a fire and again after the flood.",
    "Trade with the neighbouring valleys made up most of its income.",
    "Its seal shows an otter below three stars.",
    "The local dialect has a word for it that no dictionary explains.",
    "Several songs mention it, though none gets the details right.",
)
_PLAN = ("I look for {place} first.", "A search for {place} should help.", "Let me find the page on {place}.",
         "I do not know {place}, so I search.")  # fmt: skip
_READ = ("The first hit looks right; I open it.", "Opening the page on {place}.", "I read the article.")
_GUESS = ("My guess is {m}.", "I believe it is {m}.", "As far as I know it is {m}.", "Probably {m}.")
_SAY = ("The page says it was {m}.", "According to the article it is {m}.", "I found {m}.", "It names {m}.")


def problems(rng: random.Random, count: int) -> list[Problem]:
    """Questions, each about a place of its own."""
    places = rng.sample([a + b for a in _A for b in _B], count)
    out = []
    for i, place in enumerate(places):
        kind, asked = rng.choice(_KINDS), rng.choice(tuple(_ASKS))
        facts = {
            "founder": rng.choice(_PEOPLE),
            "year": str(rng.randint(1720, 1935)),
            "river": rng.choice(_A) + rng.choice(("e", "ach", "en", "ava")),
        }
        text = rng.choice(_ASKS[asked]).format(kind=kind, place=place)
        data = {"place": place, "kind": kind, "asked": asked, "facts": facts, "pad": rng.sample(_PAD, 5)}
        out.append(Problem(f"gaz-{i:03d}", text, facts[asked], rng.choice((0.3, 0.45, 0.6)), asked, data))
    return out


def page(p: Problem) -> str:
    """The article about a place."""
    d, f = p.data, p.data["facts"]
    pad = d["pad"]
    return (
        f"{d['place']}. The {d['kind']} of {d['place']} is a listed monument. {pad[0]} {pad[1]} {pad[2]} "
        f"It was founded by {f['founder']} and opened in {f['year']}. {pad[3]} It lies on the {f['river']}. {pad[4]}"
    )


def other(rng: random.Random, p: Problem) -> str:
    """A wrong answer of the right sort."""
    asked = p.data["asked"]
    if asked == "founder":
        return rng.choice([name for name in _PEOPLE if name != p.gold])
    if asked == "year":
        return str(int(p.gold) + rng.choice((-31, -12, -9, -2, 3, 8, 14, 27)))
    return rng.choice([a + e for a in _A for e in ("e", "ach", "en", "ava") if a + e != p.gold])


def plan(rng: random.Random, p: Problem) -> dict:
    """The call of a search."""
    d = p.data
    query = rng.choice((f"{d['place']} {d['kind']}", f"{d['kind']} {d['place']} {d['asked']}", f"{d['place']} history"))
    return call(rng.choice(_PLAN).format(place=d["place"]), "search", query=query)


def hits(rng: random.Random, p: Problem) -> dict:
    """What the search answers."""
    d = p.data
    return told("search", f"1. {d['place']} ({d['kind']}) - gazetteer.example/{d['place'].lower()}\n"
                f"2. {rng.choice(_A)}{rng.choice(_B)} - gazetteer.example/other{rng.randint(2, 99)}")  # fmt: skip


def opening(rng: random.Random, p: Problem) -> dict:
    """The call that reads the page."""
    place = p.data["place"]
    return call(rng.choice(_READ).format(place=place), "fetch", url=f"https://gazetteer.example/{place.lower()}")


def closing(rng: random.Random, answer: str, read: bool = True) -> dict:
    """The last message, of one who has read the page or guesses."""
    return say(f"{rng.choice(_SAY if read else _GUESS).format(m=answer)}\n<answer>{answer}</answer>")


def research(rng: random.Random, p: Problem, right: bool) -> Attempt:
    """Search, read and answer; who answers wrongly mostly did not open the page."""
    answer = p.gold if right else other(rng, p)
    turns = [plan(rng, p), hits(rng, p)]
    if right or rng.random() < 0.3:
        turns += [opening(rng, p), told("fetch", page(p))]
        if not right:
            answer = rng.choice([v for k, v in p.data["facts"].items() if k != p.data["asked"]])
    turns.append(closing(rng, answer, read=len(turns) > 2))
    return Attempt(p, turns, answer, float(answer == p.gold))
