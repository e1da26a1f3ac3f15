"""Prose with choices: `[a|b]` in a text stands for one of its alternatives."""

import re
from random import Random

CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
PEOPLE = [
    "Amara",
    "Bjorn",
    "Chidi",
    "Dalia",
    "Emre",
    "Farah",
    "Gustav",
    "Hana",
    "Ivo",
    "Jelena",
    "Kofi",
    "Leila",
    "Marek",
    "Nadia",
    "Oskar",
    "Priya",
    "Quentin",
    "Rosa",
    "Soren",
    "Tomas",
    "Usha",
    "Viktor",
    "Wanjiru",
    "Ximena",
    "Yusuf",
    "Zofia",
]
TOWNS = [
    "Aarhus",
    "Bilbao",
    "Cork",
    "Dakar",
    "Esbjerg",
    "Ghent",
    "Hobart",
    "Izmir",
    "Jaffna",
    "Kaunas",
    "Leeds",
    "Malmo",
    "Nantes",
    "Oulu",
    "Porto",
    "Quito",
    "Rijeka",
    "Split",
    "Turku",
    "Utrecht",
    "Vigo",
    "Wellington",
    "Xalapa",
    "York",
    "Zagreb",
]
CHECKS = (
    "[Let me double-check that|A quick sanity check]: the size of the number [seems|looks] plausible.",
    "[Nothing else in the statement|No other detail] changes this.",
    "[It helps to|I will] keep the units [apart|straight] here.",
    "[Reading the statement again|Going back to the wording], [that is what is asked|this matches the request].",
    "[Another way to see it|Put differently]: the [same total|same result] follows from "
    "[adding up the parts|counting twice].",
    "[One could also|It is possible to] estimate this first, [but the exact value is "
    "easy|though exactness costs little].",
    "[Careful with|I must watch] the order of the [steps|operations].",
    "[So far so good|This part is settled|That fixes the first part].",
    "[I first thought of a shortcut|A shortcut came to mind], but [the direct way is safer|I prefer the direct way].",
    "[Let me|I will] write the [intermediate|middle] value down [before going on|first].",
)


def say(rng: Random, text: str) -> str:
    """The text with each choice made, the inner ones first."""
    while CHOICE.search(text):
        text = CHOICE.sub(lambda found: rng.choice(found[1].split("|")), text)
    return text


def musing(rng: Random, least: int, most: int) -> list[str]:
    """Sentences of somebody who checks what was said."""
    picked = rng.sample(CHECKS, min(len(CHECKS), rng.randint(least, most)))
    return [say(rng, text) for text in picked]


def person(rng: Random) -> str:
    """A first name."""
    return rng.choice(PEOPLE)


def town(rng: Random) -> str:
    """A town."""
    return rng.choice(TOWNS)


def code_of(rng: Random, length: int = 6) -> str:
    """A code of capitals and digits, as bookings and tickets have."""
    return "".join(rng.choice("ABCDEFGHJKLMNPQRSTUVWXYZ23456789") for _ in range(length))


def hexes(rng: Random, length: int = 8) -> str:
    """Hexadecimal digits."""
    return "".join(rng.choice("0123456789abcdef") for _ in range(length))
