"""Puzzles with a number for an answer: digits, heads and legs, ages, queues."""

import random
from collections.abc import Callable

from benchmarks.foreign.fiftyninth.shots import Task

NAMES = ("Ana", "Bogdan", "Chiara", "Dmitri", "Elif", "Farid", "Greta", "Hugo", "Ines", "Jonas", "Kaya", "Leo")
STARTS = (
    "Call the unknown x.",
    "Two conditions, two unknowns.",
    "I try to write it as an equation.",
    "Let me go through the conditions.",
    "It helps to look at the difference first.",
)
ENDS = ("Both conditions hold for it.", "I checked it against the text.", "So that settles it.", "Nothing else fits.")

Drawn = tuple[str, str, int, str, int, str, float]
"""Family, question, value, way, wrong value, wrong way, hardness."""


def _animals(rng: random.Random) -> Drawn:
    hens, goats = rng.randint(4, 40), rng.randint(3, 30)
    heads, legs = hens + goats, 2 * hens + 4 * goats
    text = f"{rng.choice(NAMES)}'s yard has hens and goats, {heads} heads and {legs} legs. How many goats are there?"
    way = (
        f"If all {heads} were hens there would be {2 * heads} legs; {legs - 2 * heads} are left, "
        f"two for each goat: {goats}."
    )
    wrong = legs // 4 - 1
    return "animals", text, goats, way, wrong, f"Goats have four legs, so {legs} / 4 is about {wrong}.", 0.4


def _ages(rng: random.Random) -> Drawn:
    one, two = rng.sample(NAMES, 2)
    child, gap = rng.randint(5, 16), rng.randint(20, 34)
    total = 2 * child + gap
    text = f"{one} is {gap} years older than {two}. Together they are {total}. How old is {two}?"
    way = f"Twice {two}'s age is {total} - {gap} = {total - gap}, so {two} is {child}."
    return "ages", text, child, way, total - gap, f"{two} is {total} - {gap} = {total - gap}.", 0.3


def _digits(rng: random.Random) -> Drawn:
    small, extra = rng.randint(1, 6), rng.randint(1, 3)
    big = small + extra
    text = (
        f"A two-digit number has digit sum {small + big}. Its digits swapped, it grows by "
        f"{9 * extra}. Which number is it?"
    )
    way = (
        f"Swapping changes it by 9 times the difference, so the digits differ by {extra}; with sum "
        f"{small + big} they are "
        f"{small} and {big}, the smaller one first: {10 * small + big}."
    )
    wrong = 10 * big + small
    return "digits", text, 10 * small + big, way, wrong, f"The digits are {big} and {small}, which gives {wrong}.", 0.55


def _queue(rng: random.Random) -> Drawn:
    front, back = rng.randint(4, 30), rng.randint(4, 30)
    who = rng.choice(NAMES)
    text = f"{who} is number {front} from the front of a queue and number {back} from its end. How many people queue?"
    way = f"{front} + {back} counts {who} twice, so there are {front + back} - 1 = {front + back - 1}."
    return (
        "queue",
        text,
        front + back - 1,
        way,
        front + back,
        f"There are {front} + {back} = {front + back} people.",
        0.5,
    )


MAKERS: tuple[Callable[[random.Random], Drawn], ...] = (_animals, _ages, _digits, _queue)


def puzzle(rng: random.Random, number: int, ending: str = "Give the number after '####'.", harder: float = 0.0) -> Task:
    """A puzzle of one of four sorts."""
    family, text, value, way, wrong, wrong_way, hard = rng.choice(MAKERS)(rng)

    def solve(draw: random.Random, right: bool) -> tuple[str, str]:
        answer = value if right else wrong
        words = f"{draw.choice(STARTS)} {way if right else wrong_way}"
        if draw.random() < 0.6:
            words += " " + draw.choice(ENDS)
        return f"{words}\n#### {answer}", str(answer)

    return Task(
        f"puzzle-{number:04d}", f"{text} {ending}", str(value), hard + harder + rng.uniform(-0.1, 0.1), family, solve
    )


def steps_puzzle(rng: random.Random, number: int, length: int) -> Task:
    """A chain of operations on a number; longer chains are harder."""
    start = rng.randint(3, 30)
    value, said, way, wrong = start, [], [], 0
    for place in range(length):
        if rng.random() < 0.55:
            by = rng.randint(3, 40)
            value += by
            said.append(f"adds {by}")
        else:
            by = rng.randint(2, 4)
            value *= by
            said.append(f"multiplies by {by}")
        way.append(str(value))
        wrong = value + rng.choice((-10, 10, 2, -2)) if place == length - 1 else wrong
    who = rng.choice(NAMES)
    text = f"{who} starts with {start}, " + ", then ".join(said) + ". What is the result? Give it after '####'."

    def solve(draw: random.Random, right: bool) -> tuple[str, str]:
        answer = value if right else wrong
        told = way if right else [*way[:-1], str(wrong)]
        words = f"{draw.choice(STARTS)} Starting from {start} the values are {', '.join(told)}. {draw.choice(ENDS)}"
        return f"{words}\n#### {answer}", str(answer)

    return Task(f"chain-{length}-{number:04d}", text, str(value), 0.12 * length, f"chain of {length}", solve)
