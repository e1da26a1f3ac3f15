"""Questions that a search answers."""

import json
from random import Random

from benchmarks.foreign.twentythird.rollouts import Message, Task
from benchmarks.foreign.twentythird.talk import call, say, told

PLACES = (
    "Velm",
    "Orrin Bay",
    "Castelluno",
    "Harnstadt",
    "Mirov",
    "Quillota Alta",
    "Sundvik",
    "Tarnów Dolny",
    "Eskdale",
)
KINDS = ("observatory", "botanical garden", "tram depot", "lighthouse", "paper mill", "grain exchange", "fish market")
PEOPLE = ("Adela Krenn", "Tomas Iversen", "Noor Haddad", "Pía Monreal", "Gustav Oyelaran", "Wen Li", "Ruth Abelard")
THOUGHTS = (
    "I should look this up.",
    "I don't know this by heart, searching.",
    "Let me find a source.",
    "Search first.",
    "A quick search should settle it.",
    "I'll query the index for the name.",
    "Need the record of this place.",
)
AFTER = (
    "The passage states it.",
    "The first hit has it.",
    "According to the archive,",
    "Found it in the record.",
    "Good:",
)
GUESS = (
    "Nothing was found; going by what I remember.",
    "No hits, so I have to guess.",
    "The index has nothing on this.",
    "Without a source my best estimate follows.",
    "I could not verify this.",
)


def passage(r: Random, place: str, kind: str, year: str, person: str) -> str:
    """A passage that tells the year and the person."""
    return r.choice(
        (
            f"The {kind} of {place} was opened in {year}. Its first director was {person}.",
            f"{place}: local history. In {year} the town saw its {kind} open, led by {person} for a decade.",
            f"{person} ran the {kind} in {place} from the day it opened in {year}.",
        )
    )


def hits(r: Random, text: str, place: str) -> str:
    """What the search tool answers when it works."""
    noise = (
        f"{place} lies on the river {r.choice(('Asa', 'Morava', 'Lune', 'Tessin'))}; population {r.randint(4, 90)},000."
    )
    found = [
        {"rank": 1, "score": round(r.uniform(7, 14), 2), "text": text},
        {"rank": 2, "score": round(r.uniform(3, 6), 2), "text": noise},
    ]
    return json.dumps({"total": 2, "hits": found}, ensure_ascii=False)


def search(rng: Random, query: str, result: str, answer: str) -> list[Message]:
    """One search, and the answer after it."""
    return [
        call(rng.choice(THOUGHTS), "search", query=query),
        told("search", result),
        say(
            f"{rng.choice(AFTER)} "
            f"{rng.choice(('The answer is below.', 'So:', '', 'It reads as follows.'))}\n\nAnswer: {answer}"
        ),
    ]


def lookup_task(r: Random, number: int) -> Task:
    """A year or a name to find; `extra` holds the passage for environments that break."""
    place, kind, person = r.choice(PLACES), r.choice(KINDS), r.choice(PEOPLE)
    nick = r.choice(("old", "northern", "royal", "second", "municipal", "harbour", "upper"))
    year = r.randint(1790, 1975)
    is_year = r.random() < 0.6
    gold = str(year) if is_year else person
    question = "In which year was the {} of {} opened?" if is_year else "Who first led the {} of {}?"
    text = passage(r, place, f"{nick} {kind}", str(year), person)
    others = [p for p in PEOPLE if p != person]
    shown = hits(r, text, place)

    def reply(rng: Random, answer: str) -> list[Message]:
        query = rng.choice(
            (f"{nick} {kind} {place}", f"{place} {nick} {kind} opened", f"history of the {nick} {kind}, {place}")
        )
        seen = shown
        if answer != gold:
            other = rng.choice([k for k in KINDS if k != kind])
            query = f"{place} {other}"
            found = passage(rng, place, other, answer if is_year else str(year + 7), person if is_year else answer)
            seen = hits(rng, found, place)
        return search(rng, query, seen, answer)

    return Task(
        id=f"qa-{number:04d}",
        prompt=question.format(f"{nick} {kind}", place) + " Use the search tool and end with a line 'Answer: ...'.",
        gold=gold,
        level=r.gauss(0, 0.9),
        reply=reply,
        slips=[str(year + d) for d in (-10, 1, 3, 12)] if is_year else r.sample(others, 3),
        family="year" if is_year else "person",
    )
