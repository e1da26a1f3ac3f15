"""Sentences with alternatives, names and identifiers."""

import random
import re

CHOICE = re.compile(r"\[([^\[\]]*\|[^\[\]]*)\]")
FIRST = ["Amara", "Bengt", "Chidi", "Dolores", "Emeka", "Farida", "Goran", "Hana", "Ines", "Jomo", "Katya", "Leif", "Mirela", "Nadir", "Oluwaseun", "Petra", "Quentin", "Rosalind", "Sanjay", "Tamsin", "Ulrike", "Vikram", "Wanda", "Xiomara", "Yusuf", "Zofia", "Aiko", "Bram", "Celeste", "Dag", "Elif", "Fergus", "Greta", "Henk", "Ivo", "Jadwiga"]
LAST = ["Abara", "Brandt", "Castell", "Dvorak", "Eklund", "Ferreira", "Gallo", "Haddad", "Ibsen", "Jansen", "Kowal", "Lindqvist", "Moreau", "Nakata", "Okafor", "Petrov", "Quist", "Rahman", "Soto", "Tanaka", "Ueda", "Varga", "Wexler", "Yilmaz", "Zeller"]
TOWNS = ["Varnholt", "Ostrava", "Lindmere", "Castrovia", "Bellport", "Tarsk", "Hollow", "Quay", "Minden", "Arlo", "Sankt-Veit", "Pelham", "Dunmore", "Eastry", "Keld", "Rovaniemi", "Salto", "Utrecht", "Halden", "Brno", "Cork", "Faro", "Gela", "Hilo"]
GOODS = ["notebooks", "lanterns", "kettles", "candles", "jerseys", "cushions", "teapots", "hammers", "brushes", "umbrellas", "satchels", "vases", "helmets", "blankets", "planters", "stools", "mirrors", "ropes"]


def say(rng: random.Random, text: str) -> str:
    """The text with each bracketed choice made, innermost first."""
    while found := CHOICE.search(text):
        chosen = rng.choice(found.group(1).split("|"))
        text = text[: found.start()] + chosen + text[found.end() :]
    return text


def person(rng: random.Random) -> str:
    """A full name."""
    return f"{rng.choice(FIRST)} {rng.choice(LAST)}"


def token(rng: random.Random, length: int = 8) -> str:
    """Hexadecimal digits."""
    return f"{rng.getrandbits(4 * length):0{length}x}"


def opener(rng: random.Random) -> str:
    """How a worked answer begins."""
    return say(
        rng,
        rng.choice(
            (
                "[Let me|I'll|Let's] [work through|go through|take] this [step by step|one piece at a time|carefully].",
                "[We are given|The problem gives us|What we know:] a few [quantities|numbers|facts]; [the question asks|we need] a single number.",
                "[Okay|Alright|Right], [first|to begin] I [write down|note] what is [known|given].",
                "[Start|Begin] [with|from] the [easy|known] part.",
                "[Hmm, |]this [looks like|is] a [short|two-step|standard] [calculation|exercise].",
                "[Setting|Set] it up [plainly|directly]:",
                "Here is [my working|how I would do it|the calculation].",
                "[Reading|Going over] the statement [again|once more], the [relevant|important] figures are clear.",
                "",
            )
        ),
    )


def checked(rng: random.Random) -> str:
    """A remark between working and answer; often nothing."""
    return say(
        rng,
        rng.choice(
            (
                "",
                "",
                "",
                "[A quick|One] sanity check: the [size|order of magnitude] [seems|looks] [right|reasonable].",
                "[Wait|Hold on], [let me re-read|let me check] the [question|wording]... [yes|fine], that is what is asked.",
                "I [see no|find no] [hidden|further] condition [to use|left].",
                "[Units|The units] [work out|are consistent].",
                "[Doing it|Redoing this] [once more|a second time] [in my head |]I get the same [value|figure].",
            )
        ),
    )


def joined(parts: list[str], gap: str = "\n") -> str:
    """The parts that are not empty."""
    return gap.join(part for part in parts if part)
