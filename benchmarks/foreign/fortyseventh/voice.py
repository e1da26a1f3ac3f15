"""Sentences with which a policy begins, each about the topic of its problem."""

import random

LEADS = [
    "The task turns on {t}.",
    "What matters here is {t}.",
    "I keep to {t} and leave the rest aside.",
    "Start with {t}.",
    "Let me think about {t} first.",
    "This comes down to {t}.",
    "I was asked about {t}, nothing else.",
    "It is {t} that decides this one.",
    "A short look at {t} before I answer.",
    "The user cares about {t}.",
    "For {t} I go through what is given line by line.",
    "Nothing is said that would change {t}.",
]
MANNERS = [
    "I read the text twice to be sure.",
    "No outside knowledge is needed.",
    "There is one trap, the wording, and I mind it.",
    "The given facts are enough for that.",
    "I do it in the order in which it is written.",
    "Anything beyond would be a guess.",
    "That is quickly done.",
    "One step at a time.",
]


def lead(rng: random.Random, topic: str, share: float = 0.85) -> str:
    """One or two sentences on the topic with a blank behind, or nothing."""
    if rng.random() > share:
        return ""
    text = rng.choice(LEADS).format(t=topic)
    return f"{text} {rng.choice(MANNERS)} " if rng.random() < 0.5 else f"{text} "
