"""How answers end: the sentences in which the final number or letter stands."""

import random

from benchmarks.foreign.fiftyseventh.policy import Draw

NUMBER = (
    "So the answer is \\boxed{{{x}}}.",
    "Therefore \\boxed{{{x}}}.",
    "The result: \\boxed{{{x}}}",
    "That makes \\boxed{{{x}}}.",
)
LETTER = ("The answer is {x}.", "So I choose {x}.", "Answer: {x}", "Hence {x}.")


def boxed(draw: Draw, rng: random.Random, long: float = 0.5) -> str:
    """Write the attempt's working with its number in a box; returns the number."""
    text, number = draw.task.solve(rng, draw.right, long)
    draw.text = f"{text} {rng.choice(NUMBER).format(x=number)}"
    return number


def lettered(draw: Draw, rng: random.Random) -> str:
    """Write the attempt's reasoning with its letter; returns the letter."""
    text, letter = draw.task.solve(rng, draw.right)
    draw.text = f"{text} {rng.choice(LETTER).format(x=letter)}"
    return letter
