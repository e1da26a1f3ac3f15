"""How one policy writes the same working in many ways."""

from random import Random

OPENINGS = (
    "Let's go step by step.",
    "First I write down what is given.",
    "We work this out in order.",
    "Start with the quantities that are known.",
    "Okay, so this needs a few small computations.",
    "I set it up carefully.",
    "This is a short chain of operations.",
    "Reading the problem again before I start.",
    "",
)
CHECKS = (
    "That looks reasonable.",
    "Checking the arithmetic once more, it holds.",
    "So that is the result.",
    "The size of it is plausible.",
    "",
    "",
)
JOINTS = ("", "So: ", "Then: ", "Next: ", "Now: ", "Here: ", "And: ", "OK. ")
DOUBTS = ("Wait, let me read that again. Fine.", "Hmm, units: they match.", "Let me double-check this line. Yes.")


def dressed(rng: Random, lines: list[str]) -> list[str]:
    """Lines numbered, listed or joined by words, at times with a doubt between."""
    style = rng.randrange(4)
    if style == 0:
        out = [f"{n}. {line}" for n, line in enumerate(lines, 1)]
    elif style == 1:
        mark = rng.choice("-*")
        out = [f"{mark} {line}" for line in lines]
    else:
        out = [rng.choice(JOINTS) + line for line in lines]
    if rng.random() < 0.12:
        out.insert(rng.randint(1, len(out)), rng.choice(DOUBTS))
    return out


def told_in_full(rng: Random, lines: list[str], last: str) -> str:
    """A whole reply: opening, working, check and the line with the answer."""
    body = [rng.choice(OPENINGS), *dressed(rng, lines), rng.choice(CHECKS), last]
    return rng.choice(("\n", "\n", "\n\n")).join(x for x in body if x)
