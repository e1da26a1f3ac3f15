"""Translations from Italian, marked by overlap with a reference."""

from difflib import SequenceMatcher
from random import Random

from benchmarks.foreign.nineteenth.core import Reply, Task, say

SUBJECTS = (
    ("Il pescatore", "The fisherman"),
    ("Mia sorella", "My sister"),
    ("Il vecchio maestro", "The old teacher"),
    ("La guardia", "The guard"),
    ("Un ragazzo", "A boy"),
    ("La sarta", "The seamstress"),
)
VERBS = (
    ("ripara", "mends"),
    ("cerca", "looks for"),
    ("vende", "sells"),
    ("nasconde", "hides"),
    ("porta", "carries"),
    ("dipinge", "paints"),
)
OBJECTS = (
    ("le reti", "the nets"),
    ("una lettera", "a letter"),
    ("due sedie", "two chairs"),
    ("la bandiera", "the flag"),
    ("un orologio rotto", "a broken watch"),
    ("le mele mature", "the ripe apples"),
)
PLACES = (
    ("vicino al porto", "near the harbour"),
    ("dietro la chiesa", "behind the church"),
    ("ogni martedì", "every Tuesday"),
    ("prima dell'alba", "before dawn"),
    ("in silenzio", "in silence"),
    ("sotto il ponte", "under the bridge"),
)
SWAPS = {
    "mends": ("repairs", "fixes"),
    "looks for": ("seeks", "searches for"),
    "hides": ("conceals",),
    "near": ("close to", "by"),
    "before dawn": ("before sunrise",),
    "in silence": ("silently", "quietly"),
    "a broken watch": ("a broken clock",),
    "The old teacher": ("The old master",),
    "under": ("beneath",),
    "every Tuesday": ("on Tuesdays",),
    "The seamstress": ("The tailor",),
}


def verse_task(rng: Random) -> Task:
    """Draw a sentence or two."""
    pairs = [_sentence(rng) for _ in range(rng.randrange(1, 3))]
    gold = " ".join(en for _, en in pairs)
    return Task(
        "Translate into English: " + " ".join(it for it, _ in pairs),
        gold,
        lambda r, right, skill: _reply(r, gold, right),
        family="it-en",
    )


def _sentence(rng: Random) -> tuple[str, str]:
    parts = [rng.choice(words) for words in (SUBJECTS, VERBS, OBJECTS, PLACES)]
    return " ".join(p[0] for p in parts) + ".", " ".join(p[1] for p in parts) + "."


def _reply(rng: Random, gold: str, right: bool) -> Reply:
    text = gold
    for word, others in SWAPS.items():
        if word in text and rng.random() < (0.25 if right else 0.9):
            text = text.replace(word, rng.choice(others), 1)
    for _ in range(0 if right else rng.randrange(1, 3)):
        words = text.split()
        place = rng.randrange(3, len(words) - 1)
        text = " ".join(words[:place] + words[place + 1 :])
    return Reply([say(text)], text)


def overlap(gold: str, made: str) -> float:
    """Give the share of signs in common, as chrF does about."""
    return round(SequenceMatcher(None, gold, made).ratio(), 4)
