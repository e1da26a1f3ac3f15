"""Sentences with alternatives, names and identifiers."""

import re
from random import Random

_CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
FIRST: tuple[str, ...] = (
    "Amara", "Bengt", "Chidi", "Dolores", "Emeka", "Farida", "Goran", "Hana", "Ines", "Jomo", "Katya", "Leif",
    "Mirela", "Nadir", "Oluwaseun", "Petra", "Quentin", "Rosalind", "Sanjay", "Tamsin", "Ulrike", "Vikram", "Wanda",
    "Xiomara", "Yusuf", "Zofia", "Aiko", "Bram", "Celeste", "Dag", "Elif", "Fergus", "Greta", "Henk", "Ivo",
    "Jadwiga",
)  # fmt: skip
LAST: tuple[str, ...] = (
    "Abara", "Brandt", "Castell", "Dvorak", "Eklund", "Ferreira", "Gallo", "Haddad", "Ibsen", "Jansen", "Kowal",
    "Lindqvist", "Moreau", "Nakata", "Okafor", "Petrov", "Quist", "Rahman", "Soto", "Tanaka", "Ueda", "Varga",
    "Wexler", "Yilmaz", "Zeller",
)  # fmt: skip
TOWNS: tuple[str, ...] = (
    "Varnholt", "Ostrava", "Lindmere", "Castrovia", "Bellport", "Tarsk", "Hollow", "Quay", "Minden", "Arlo",
    "Sankt-Veit", "Pelham", "Dunmore", "Eastry", "Keld", "Rovaniemi", "Salto", "Utrecht", "Halden", "Brno", "Cork",
    "Faro", "Gela", "Hilo",
)  # fmt: skip
GOODS: tuple[str, ...] = (
    "notebooks", "lanterns", "kettles", "candles", "jerseys", "cushions", "teapots", "hammers", "brushes",
    "umbrellas", "satchels", "vases", "helmets", "blankets", "planters", "stools", "mirrors", "ropes",
)  # fmt: skip
_OPENERS = (
    "[Let me|I'll|Let's] [work through|go through|take] this [step by step|one piece at a time|carefully].",
    (
        "[We are given|The problem gives us|What we know:] a few [quantities|numbers|facts]; "
        "[the question asks|we need] a single number."
    ),
    "[Okay|Alright|Right], [first|to begin] I [write down|note] what is [known|given].",
    "[Start|Begin] [with|from] the [easy|known] part.",
    "[Hmm, |]this [looks like|is] a [short|two-step|standard] [calculation|exercise].",
    "[Setting|Set] it up [plainly|directly]:",
    "Here is [my working|how I would do it|the calculation].",
    "[Reading|Going over] the statement [again|once more], the [relevant|important] figures are clear.",
    "",
)
_CHECKS = (
    "",
    "",
    "",
    "[A quick|One] sanity check: the [size|order of magnitude] [seems|looks] [right|reasonable].",
    "[Wait|Hold on], [let me re-read|let me check] the [question|wording]... [yes|fine], that is what is asked.",
    "I [see no|find no] [hidden|further] condition [to use|left].",
    "[Units|The units] [work out|are consistent].",
    "[Doing it|Redoing this] [once more|a second time] [in my head |]I get the same [value|figure].",
)
"""Remarks between working and answer; often nothing."""


def say(rng: Random, text: str) -> str:
    """Return the text with each bracketed choice made, innermost first."""
    while found := _CHOICE.search(text):
        chosen = rng.choice(found.group(1).split("|"))
        text = text[: found.start()] + chosen + text[found.end() :]
    return text


def person(rng: Random) -> str:
    """Draw a full name."""
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def token(rng: Random, length: int = 8) -> str:
    """Draw hexadecimal digits."""
    return f"{rng.getrandbits(4 * length):0{length}x}"


def opener(rng: Random) -> str:
    """Draw how a worked answer begins."""
    return say(rng, rng.choice(_OPENERS))


def checked(rng: Random) -> str:
    """Draw a remark between working and answer; often nothing."""
    return say(rng, rng.choice(_CHECKS))


def joined(parts: list[str], gap: str = "\n") -> str:
    """Return the parts that are not empty, joined."""
    return gap.join(part for part in parts if part)
