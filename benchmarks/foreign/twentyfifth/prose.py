"""Turns of phrase of a policy that reasons aloud."""

from random import Random

OPENERS = (
    "Let me work through this.",
    "First I set up the quantities.",
    "I'll go step by step.",
    "Okay, what do we know?",
    "Start from what is given.",
    "Breaking this into parts.",
    "We need to be careful with the order here.",
    "Here is how I see it.",
    "Reading the question once more:",
    "Right, let's compute.",
)
CHECKS = (
    "A quick check: {a} looks plausible given {b}.",
    "Going back over it, {b} leads to {a}.",
    "Sanity check with {b}: still {a}.",
    "I redo the last line with {b} and get {a} again.",
    "That is consistent with {b}, so {a} stands.",
    "Estimating from {b}, something near {a} is what I expect.",
)
LINKS = ("Then", "Next", "After that", "Now", "So", "This means", "From there", "With that")


def opener(rng: Random) -> str:
    """How an attempt begins."""
    return rng.choice(OPENERS)


def working(rng: Random, lines: list[str], answer: str, given: str) -> str:
    """Reasoning over the lines of a solution, with a check now and then."""
    parts = [opener(rng)] if rng.random() < 0.8 else []
    for number, line in enumerate(lines):
        plain = number == 0 or rng.random() < 0.4
        parts.append(line[0].upper() + line[1:] if plain else f"{rng.choice(LINKS)}, {line}")
    if rng.random() < 0.5:
        parts.append(rng.choice(CHECKS).format(a=answer, b=given))
    return ("\n" if rng.random() < 0.5 else " ").join(parts)


def pick(rng: Random, *options: str) -> str:
    """One of several ways to say it."""
    return rng.choice(options)
