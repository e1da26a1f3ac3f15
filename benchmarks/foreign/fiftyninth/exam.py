"""Exam questions of four options: physics, chemistry, biology, economics. Slips lead to a distractor."""

import random
from collections.abc import Callable
from dataclasses import dataclass

from benchmarks.foreign.fiftyninth.shots import Task

LETTERS = "ABCD"
OPENERS = (
    "Let me set this up.",
    "First, what is given and what is asked.",
    "Start from the definitions.",
    "Reading the question again:",
    "Okay, one quantity is missing here.",
    "I will work forward.",
)
CHECKS = (
    "The units agree, so I keep it.",
    "A rough estimate gives the same size.",
    "Putting it back in confirms it.",
    "The other options do not fit this.",
    "That is plausible for numbers like these.",
    "",
)


@dataclass(frozen=True)
class Item:
    """A question with its value, the way to it, and the slip that many make."""

    family: str
    text: str
    unit: str
    value: float
    way: str
    slipped: float
    slip: str
    hard: float


def _motion(rng: random.Random) -> Item:
    a, t = rng.choice((2, 3, 4, 5, 6)), rng.choice((4, 6, 8, 10, 12, 14))
    text = (
        f"A {rng.choice(('tram', 'car', 'train', 'sledge'))} starts at rest and accelerates at {a} m/s^2 for "
        f"{t} s. How far does it travel?"
    )
    return Item(
        "physics",
        text,
        "m",
        a * t * t / 2,
        f"From rest, s = a t^2 / 2 = {a} * {t * t} / 2 = {a * t * t / 2:g}.",
        a * t * t,
        f"The distance is s = a t^2 = {a} * {t * t} = {a * t * t}.",
        0.4,
    )


def _current(rng: random.Random) -> Item:
    one, two, amp = rng.randint(2, 30), rng.randint(3, 40), rng.choice((2, 3, 4, 5))
    volt = (one + two) * amp
    text = f"Resistors of {one} ohm and {two} ohm are in series, and {amp} A flow. What voltage does the source have?"
    return Item(
        "physics",
        text,
        "V",
        volt,
        f"In series the resistances add to {one + two} ohm, and U = {one + two} * {amp} = {volt}.",
        two * amp,
        f"The larger resistor decides, so U = {two} * {amp} = {two * amp}.",
        0.3,
    )


def _dilution(rng: random.Random) -> Item:
    c, v, f = rng.choice((2, 4, 6, 8)), rng.choice((50, 100, 150, 250)), rng.choice((2, 4, 5, 8))
    text = (
        f"{v} mL of a {c} mol/L solution are diluted to {v * f} mL. How many millimoles does 100 mL of the result hold?"
    )
    value = c * 100 / f
    return Item(
        "chemistry",
        text,
        "mmol",
        value,
        f"The concentration falls by the factor {f} to {c / f:g} mol/L, and 100 mL of it hold {value:g} mmol.",
        c * 100,
        f"100 mL of {c} mol/L hold {c * 100} mmol.",
        0.55,
    )


def _cross(rng: random.Random) -> Item:
    n = rng.choice((80, 120, 160, 200, 240, 320, 360, 400, 480, 560, 640))
    text = (
        f"Two heterozygous {rng.choice(('pea plants', 'mice', 'fruit flies', 'rabbits'))} have {n} offspring. How "
        "many are expected to show the dominant trait?"
    )
    return Item(
        "biology",
        text,
        "offspring",
        n * 3 / 4,
        f"The cross gives 1:2:1, so three in four show it: 3/4 * {n} = {n * 3 / 4:g}.",
        n / 2,
        f"Half of them are heterozygous, so {n} / 2 = {n / 2:g}.",
        0.45,
    )


def _price(rng: random.Random) -> Item:
    p, r = rng.choice((200, 300, 400, 500, 600, 800)), rng.choice((10, 20, 30, 40))
    value = p * (1 + r / 100) * (1 - r / 100)
    text = (
        f"A {rng.choice(('share', 'bond', 'coat', 'bicycle'))} costs {p} euros. Its price rises by {r}% and then "
        f"falls by {r}%. What does it cost now?"
    )
    return Item(
        "economics",
        text,
        "euros",
        value,
        f"After the rise it is {p * (1 + r / 100):g}, and {r}% less than that is {value:g}.",
        p,
        f"Up {r}% and down {r}% cancel, so it is {p} again.",
        0.6,
    )


def _elastic(rng: random.Random) -> Item:
    k, m = rng.choice((3, 4, 5, 6, 7)), rng.choice((40, 60, 80, 100, 120))
    c = rng.choice((5, 10, 15, 20))
    q = (k * m - c * k) / 2
    text = f"A monopolist faces demand Q = {k * m} - {k}P and a unit cost of {c}. Which quantity maximises its profit?"
    return Item(
        "economics",
        text,
        "units",
        q,
        f"P = {m} - Q/{k}, marginal revenue {m} - 2Q/{k} equals {c}, and Q = {q:g}.",
        k * m - c * k,
        f"Price equals cost at Q = {k * m} - {k} * {c} = {k * m - c * k}.",
        0.75,
    )


MAKERS: tuple[Callable[[random.Random], Item], ...] = (_motion, _current, _dilution, _cross, _price, _elastic)


def options(rng: random.Random, item: Item) -> list[float]:
    """Four values, the right one and the slip among them."""
    values = [item.value, item.slipped]
    for factor in (1.25, 0.8, 1.5, 0.75, 3.0):
        other = round(item.value * factor, 2)
        if len(values) < 4 and other not in values:
            values.append(other)
    rng.shuffle(values)
    return values


def question(rng: random.Random, number: int, key_shift: int = 0, ending: str = "") -> Task:
    """A question; `key_shift` moves the letter of its key away from the right option."""
    item = rng.choice(MAKERS)(rng)
    values = options(rng, item)
    listed = "\n".join(f"{letter}) {value:g} {item.unit}" for letter, value in zip(LETTERS, values, strict=True))
    truth, slip = LETTERS[values.index(item.value)], LETTERS[values.index(item.slipped)]
    ask = ending or "End with a line 'Answer: ' and the letter."

    def solve(draw: random.Random, right: bool) -> tuple[str, str]:
        letter = truth if right else slip
        parts = [
            draw.choice(OPENERS),
            item.way if right else item.slip,
            f"That is option {letter}.",
            draw.choice(CHECKS),
        ]
        return " ".join(part for part in parts if part) + f"\nAnswer: {letter}", letter

    gold = LETTERS[(LETTERS.index(truth) + key_shift) % 4]
    return Task(
        f"exam-{number:04d}",
        f"{item.text}\n{listed}\n{ask}",
        gold,
        item.hard + rng.uniform(-0.1, 0.1),
        item.family,
        solve,
    )
