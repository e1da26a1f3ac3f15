"""How a policy words its reasoning: openings, links, second looks."""

from random import Random

OPENINGS = (
    "Let me work through this.",
    "Okay, first what is given.",
    "I'll set this up step by step.",
    "I take the parts one by one.",
    "Start from what is given.",
    "Reading it once more before computing.",
    "Let me lay it out.",
    "Right, so there are two parts here.",
    "Let's go slowly.",
    "",
)
LINKS = ("Then ", "Next, ", "So ", "After that, ", "From there, ", "Now ", "That means ", "Hence ", "")
CHECKS = (
    "Quick check: this is plausible.",
    "Going back over it gives the same.",
    "I went over it once more.",
    "All of it agrees.",
    "Nothing else in the text changes this.",
    "Rereading the question, that is what is asked.",
    "",
    "",
    "",
)


def lower(text: str) -> str:
    """Its first letter in lower case, unless a word of one letter or a sign."""
    return text[:1].lower() + text[1:] if text[1:2].islower() else text


def weave(rng: Random, steps: list[str], end: str, gap: str = "") -> str:
    """Sentences of a solution under one of many wordings."""
    parts = [rng.choice(OPENINGS)]
    for place, step in enumerate(steps):
        link = rng.choice(LINKS) if place else ""
        parts.append(link + lower(step) if link else step)
        if rng.random() < 0.12:
            parts.append(rng.choice(("Good.", "Fine.", "That is the first part.", "Keep that.")))
    parts.append(rng.choice(CHECKS))
    return (gap or rng.choice((" ", "\n", "\n\n"))).join(p for p in parts if p) + rng.choice(("\n", "\n\n")) + end


def plain(text: str) -> list[dict]:
    """A reply of one message."""
    return [{"role": "assistant", "content": text}]
