"""Turns of phrase of a policy that reasons, drawn anew at each attempt."""

import random

OPEN = (
    "Let me set this out step by step.",
    "First I note what is given.",
    "I'll start from the quantities in the statement.",
    "The question is what to combine, so I list it.",
    "Working from the beginning:",
    "We can take this one piece at a time.",
    "Okay, what do we know here?",
)
CHECK = (
    "Going over it once more, the steps agree.",
    "A quick estimate is of the same size.",
    "Putting the value back into the statement causes no trouble.",
    "Nothing in the wording suggests another reading.",
    "I recomputed the last line and it holds.",
    "That looks reasonable for numbers of this size.",
    "No case seems to be left out.",
)
LINK = ("So", "Therefore", "Hence", "This means that", "It follows that", "Then")
NAMES = ("Asha", "Bruno", "Chidi", "Dagny", "Emre", "Farida", "Goran", "Hye-jin", "Ilse", "Joao", "Kirra", "Luca")


def opening(rng: random.Random) -> str:
    """How reasoning begins."""
    return rng.choice(OPEN)


def closing(rng: random.Random) -> str:
    """How reasoning is checked; at times not at all."""
    return rng.choice(CHECK) + " " if rng.random() < 0.7 else ""


def so(rng: random.Random) -> str:
    """A conjunction of consequence."""
    return rng.choice(LINK)


def slip(rng: random.Random, value: int) -> int:
    """A number that a mistake makes of another."""
    size = max(1, abs(value) // 8)
    return value + rng.choice((-1, 1)) * rng.randint(1, size + 2)
