"""Word problems of three steps, and attempts at them: right ones, and ones that slip and carry the slip on."""

import random
from dataclasses import dataclass

_FAMILIES: list[tuple[str, str, list[tuple[str, str]]]] = [
    (
        "ferry",
        "A ferry leaves {place} with {s} passengers. {a} people board at the lighthouse pier, {b} get off at the "
        "spit, and the fare is {c} crowns a head for everybody who is then "
        "aboard. How many crowns does the purser take?",
        [
            ("+", "After the lighthouse pier there are {x} + {n} = {y} people aboard"),
            ("-", "At the spit {n} leave, so {x} - {n} = {y} stay"),
            ("*", "Each of them pays {n} crowns, which makes {x} * {n} = {y}"),
        ],
    ),
    (
        "bakery",
        "A baker in {place} bakes {s} trays a morning with {a} rolls on each. {b} rolls burn, and a neighbour brings "
        "{c} more from her own oven. How many rolls can be sold?",
        [
            ("*", "The trays hold {x} * {n} = {y} rolls"),
            ("-", "Without the burnt ones that is {x} - {n} = {y}"),
            ("+", "With the neighbour's rolls there are {x} + {n} = {y}"),
        ],
    ),
    (
        "archive",
        "The archive of {place} holds {s} boxes. A flood destroys {a} of them. Each box that is left holds {b} "
        "folders, and {c} loose folders are found in a cellar. How many folders does the archive have now?",
        [
            ("-", "{x} - {n} = {y} boxes survive the flood"),
            ("*", "They hold {x} * {n} = {y} folders"),
            ("+", "Adding those of the cellar gives {x} + {n} = {y}"),
        ],
    ),
    (
        "orchard",
        "An orchard near {place} has {s} rows, and {a} rows are planted in spring. Every row carries {b} trees; frost "
        "kills {c} trees in all. How many trees are alive?",
        [
            ("+", "There are {x} + {n} = {y} rows"),
            ("*", "That means {x} * {n} = {y} trees"),
            ("-", "The frost leaves {x} - {n} = {y} of them"),
        ],
    ),
    (
        "mill",
        "A mill at {place} grinds {s} sacks an hour and runs {a} hours. It keeps {b} sacks as its toll, and then "
        "receives {c} sacks of a farmer who pays his debts. How many sacks lie in the barn, toll not counted?",
        [
            ("*", "The mill grinds {x} * {n} = {y} sacks"),
            ("-", "Setting the toll aside, {x} - {n} = {y} remain"),
            ("+", "The farmer's sacks bring it to {x} + {n} = {y}"),
        ],
    ),
    (
        "choir",
        "A choir from {place} has {s} singers; {a} fall ill and {b} guests step in. Each singer on stage gets {c} "
        "vouchers. How many vouchers are handed out?",
        [
            ("-", "{x} - {n} = {y} singers are well"),
            ("+", "With the guests {x} + {n} = {y} stand on stage"),
            ("*", "The stage needs {x} * {n} = {y} vouchers"),
        ],
    ),
]
_PLACES = ("Orsund", "Kelmor", "Varna Hook", "Tisza", "Low Arden", "Pellinge", "Quarto", "Brandesh", "Ilmen", "Sauda")
_OPENINGS = (
    "I go through it in order.",
    "Let me keep track of one quantity.",
    "The question asks for a single total.",
    "First I write down what is known.",
    "There are three changes here, so I take one at a time.",
    "What matters is the number after every event.",
    "I start with the first sentence of the problem.",
)
_ENDINGS = (
    "Nothing else in the text changes this.",
    "The units agree with what was asked.",
    "That is what the question wants.",
    "I read the problem again and no event is left over.",
    "A rough estimate gives the same size.",
)
_JOINTS = ("Then ", "Next, ", "After that, ", "Now ", "From there, ")


@dataclass(frozen=True)
class Problem:
    """A word problem with its numbers and answer."""

    name: str
    family: str
    question: str
    start: int
    numbers: tuple[int, int, int]
    answer: int
    difficulty: float


def _apply(sign: str, left: int, right: int) -> int:
    return left + right if sign == "+" else left - right if sign == "-" else left * right


def problem(rng: random.Random, index: int, prefix: str = "wp") -> Problem:
    """One problem."""
    family, text, steps = rng.choice(_FAMILIES)
    start = rng.randint(40, 95)
    a, b, c = (rng.randint(3, 12) if sign == "*" else rng.randint(6, 38) for sign, _ in steps)
    value = start
    for (sign, _), number in zip(steps, (a, b, c), strict=True):
        value = _apply(sign, value, number)
    question = text.format(place=rng.choice(_PLACES), s=start, a=a, b=b, c=c)
    return Problem(f"{prefix}-{index:04d}", family, question, start, (a, b, c), value, rng.gauss(0, 1.1))


def pool(rng: random.Random, count: int, prefix: str = "wp") -> list[Problem]:
    """Problems of all families."""
    return [problem(rng, index, prefix) for index in range(count)]


def reasoning(rng: random.Random, one: Problem, is_right: bool) -> tuple[str, int]:
    """Sentences of an attempt, and the number that it reaches."""
    steps = next(steps for family, _, steps in _FAMILIES if family == one.family)
    slip = -1 if is_right else rng.randrange(3)
    value, sentences = one.start, []
    for place, ((sign, text), number) in enumerate(zip(steps, one.numbers, strict=True)):
        result = _apply(sign, value, number)
        if place == slip:
            result += rng.choice((-10, -2, -1, 1, 2, 10, number))
        sentence = text.format(x=value, n=number, y=result)
        if place and rng.random() < 0.6:
            sentence = rng.choice(_JOINTS) + (sentence if sentence[0].isdigit() else sentence[0].lower() + sentence[1:])
        sentences.append(sentence + ".")
        value = result
    parts = [rng.choice(_OPENINGS)] if rng.random() < 0.8 else []
    parts += sentences
    if rng.random() < 0.6:
        parts.append(rng.choice(_ENDINGS))
    return " ".join(parts), value
