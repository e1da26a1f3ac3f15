"""Words that vary: alternatives in text, names of people, places and things."""

import re
from random import Random

_CHOICE = re.compile("«([^«»]*)»")
PEOPLE = (
    "Amara",
    "Bruno",
    "Chidi",
    "Dalia",
    "Emeka",
    "Farah",
    "Greta",
    "Hiro",
    "Ines",
    "Jonas",
    "Kavya",
    "Lars",
    "Mina",
    "Noor",
    "Oskar",
    "Priya",
    "Quentin",
    "Rosa",
    "Samir",
    "Tove",
    "Umar",
    "Vera",
    "Wanda",
    "Xavi",
    "Yuki",
    "Zofia",
    "Aidan",
    "Beatriz",
    "Cyrus",
    "Delphine",
    "Eitan",
    "Fatou",
    "Goran",
    "Hanneke",
    "Ilse",
    "Jamal",
)
SURNAMES = (
    "Abara",
    "Bergström",
    "Castellano",
    "Dvorak",
    "Eriksen",
    "Fontaine",
    "Grabowski",
    "Haddad",
    "Ivanov",
    "Jansen",
    "Kowal",
    "Lindqvist",
    "Moreau",
    "Nakamura",
    "Okafor",
    "Petrov",
    "Quiroga",
    "Rahman",
    "Santoro",
    "Tanaka",
    "Ueda",
    "Varga",
    "Whitlock",
    "Yilmaz",
    "Zamora",
)
GOODS = (
    "notebooks",
    "lamps",
    "bicycles",
    "helmets",
    "teapots",
    "cushions",
    "drills",
    "kettles",
    "rackets",
    "scarves",
    "candles",
    "baskets",
    "mirrors",
    "backpacks",
    "planters",
    "blankets",
    "easels",
    "headphones",
)
TOWNS = (
    "Lismore",
    "Ardvale",
    "Quenby",
    "Torhaven",
    "Melsund",
    "Pirano",
    "Casteldoro",
    "Vashti",
    "Brookmere",
    "Hallow",
    "Oderbruck",
    "Saint-Ferreol",
    "Kilmarie",
    "Norrhamn",
    "Westerfold",
    "Duinbergen",
    "Almagro",
    "Tiszaro",
)


def say(rng: Random, text: str) -> str:
    """The text with one of each «set|of alternatives» taken, inner ones first."""
    while _CHOICE.search(text):
        text = _CHOICE.sub(lambda found: rng.choice(found[1].split("|")), text)
    return text


def person(rng: Random) -> str:
    """A full name."""
    return f"{rng.choice(PEOPLE)} {rng.choice(SURNAMES)}"


def coined(rng: Random, parts: int = 3) -> str:
    """A name that nobody has."""
    onset = ("b", "d", "k", "l", "m", "n", "r", "s", "t", "v", "br", "dr", "kl", "st", "tr", "th", "sh")
    word = "".join(rng.choice(onset) + rng.choice("aeiou") for _ in range(parts))
    return (word + rng.choice(("n", "s", "l", "r", "", ""))).capitalize()


def key(rng: Random, prefix: str = "", size: int = 6) -> str:
    """An identifier of small letters and digits."""
    return prefix + "".join(rng.choice("abcdefghjkmnpqrstuvwxyz23456789") for _ in range(size))
