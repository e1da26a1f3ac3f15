"""Questions about a library's catalogue, which a search tool answers with passages."""

import random
from collections.abc import Callable

from benchmarks.foreign.thirtieth.layouts import Row, answers, call, says

_TITLES = (
    "The Salt Road",
    "Nine Winters",
    "Atlas of Reeds",
    "A Clock for Ema",
    "Dry Rivers",
    "Letters to the Quarry",
    "The Glass Ferry",
    "Moss",
    "Kites over Brno",
    "The Last Tram",
    "Honey and Iron",
    "Seven Locks",
)
_WRITERS = (
    "Ilse Marn",
    "Tomas Abery",
    "Yara Odell",
    "Pekka Ruhl",
    "Dorota Wim",
    "Sefa Lund",
    "Hanno Veit",
    "Mira Costa",
)
_TOWNS = ("Graz", "Turku", "Leiden", "Porto", "Gdansk", "Bergen", "Lund", "Trieste")
_THOUGHTS = (
    "I do not know this book, so I look it up before I say anything.",
    "The catalogue should have the year of print.",
    "Let me search for the title first.",
    "A search by title is the quickest way here.",
    "I had better check the entry than guess.",
)


def lookup(rng: random.Random) -> tuple[str, Callable[[random.Random, bool], tuple[list[Row], bool]]]:
    """A question, and a function that plays an attempt at it."""
    title, writer, town = rng.choice(_TITLES), rng.choice(_WRITERS), rng.choice(_TOWNS)
    year, pages = rng.randint(1871, 1994), rng.randint(120, 640)
    what, gold = rng.choice((("in which year was it printed", year), ("how many pages does it have", pages)))
    question = f'The library holds "{title}" by {writer}. According to the catalogue, {what}?'
    passage = (
        f"{title}. {writer}. First printed at {town} in {year} by the press "
        f"of the guild; {pages} pages, octavo, with an "
        f"index and {rng.randint(2, 30)} plates. The copy was given to the "
        f"reading room in {year + rng.randint(3, 40)}. "
        f"The binding is of calf, the spine was mended, and two leaves at the end are replaced by facsimiles. "
        f"Shelf mark {town[:2].upper()} {rng.randint(100, 999)}. See also other works of {writer} in the same room."
    )

    def attempt(draw: random.Random, is_right: bool) -> tuple[list[Row], bool]:
        words = draw.choice((title, f"{title} {writer}", f"{writer} {title.lower()}"))
        turns = [
            says(draw.choice(_THOUGHTS), call("search_catalogue", query=words)),
            answers("search_catalogue", passage),
        ]
        if draw.random() < 0.4:
            turns += [
                says("The entry is long. I ask for the card to be sure of the number.", call("read_card", title=title)),
                answers("read_card", passage[: len(title) + 120]),
            ]
        said = (
            gold if is_right else draw.choice([value for value in (year + 1, pages + 10, pages, year) if value != gold])
        )
        end = draw.choice(
            ("The catalogue gives {n}.", "According to the entry it is {n}.", "It says {n}, so my answer is {n}.")
        )
        return [*turns, says(end.format(n=said))], said == gold

    return question, attempt
