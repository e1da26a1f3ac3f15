"""Writing tasks with a rubric: letters, notices and short essays, and what a fair judge would give them."""

import random
from dataclasses import dataclass

FORMS = (
    "a letter to the residents",
    "a short notice",
    "an opinion piece",
    "a newsletter entry",
    "a speech of one minute",
)
THEMES = (
    ("closing a ferry line", "the ferry", "commuters"),
    ("a new allotment garden", "the garden", "neighbours"),
    ("repairing the town clock", "the clock", "shopkeepers"),
    ("a ban on leaf blowers", "the ban", "gardeners"),
    ("a night bus", "the bus", "shift workers"),
    ("moving the market to Saturday", "the market", "stallholders"),
    ("a shared tool library", "the library of tools", "tenants"),
    ("lights along the canal", "the lighting", "cyclists"),
    ("renaming a square", "the square", "families"),
    ("a school kitchen", "the kitchen", "pupils"),
)
GOOD = (
    (
        "What changes on {d} is simple: {t} will be there for {w} from {h} "
        "o'clock, and it costs {m} euros less than planned."
    ),
    "Last year {m} {w} signed for it, and {t} is what they asked for in {p}.",
    "Critics in {p} fear noise; the council measured it on {d} and found none to speak of.",
    "Whoever has doubts is asked to come to the hall in {p} at {h} on {d}.",
    "For {w} the walk shortens by {m} metres, which on wet days in {p} is no small thing.",
    "I do not claim that {t} solves everything; it solves one thing, and by {d}.",
    "Of the {m} replies from {w}, most named the hours, not the price.",
    "One of the {w} wrote from {p}: at {h} there was nothing, now there is {t}.",
)
WEAK = (
    "{t} is very important, for {w} and for all of us in {p}.",
    "There are many reasons for {t}, and there are some against it.",
    "In today's world things change, and so does {t}.",
    "{w} will surely be happy about it in one way or another.",
    "It is good to have {t}, since it is good for {p}.",
    "Everybody knows that {p} needs such things as {t}.",
    "Some people like {t} and others do not, which is normal.",
    "We should all think about what {t} means to us.",
    "This is a topic that concerns {w} more than one might think.",
    "At the end of the day it comes down to {t}.",
    "{p} is a lovely place, and {w} know it.",
    "As is well known, much has been said of {t} already.",
    "Let us look forward to {t} with open eyes.",
)


@dataclass(frozen=True)
class Brief:
    """What is to be written."""

    uid: str
    family: str
    prompt: str
    answer: str
    hardness: float
    slots: dict

    def write(self, rng: random.Random, merit: float, lines: int = 0) -> tuple[str, float]:
        """A text, and the share of its sentences that say something."""
        count = lines or rng.randint(4, 7)
        good = sum(rng.random() < merit for _ in range(count))
        pool = [rng.sample(GOOD, min(good, len(GOOD))), _some(rng, count - min(good, len(GOOD)))]
        said = [s for part in pool for s in part]
        rng.shuffle(said)
        text = " ".join(_upper(s.format(**self.vary(rng))) for s in said)
        return text, min(good, len(GOOD)) / count

    def vary(self, rng: random.Random) -> dict:
        """The slots with numbers of this attempt."""
        day = rng.choice(("Monday", "Tuesday", "Thursday", "Friday", "the first of May", "the tenth of June"))
        return {**self.slots, "m": rng.randint(20, 480), "h": rng.randint(6, 22), "d": day}


def _some(rng: random.Random, count: int) -> list[str]:
    spare = max(0, count - len(WEAK))
    weak: list[str] = list(WEAK)
    return rng.sample(weak, count - spare) + rng.choices(weak, k=spare)


def _upper(text: str) -> str:
    return text[0].upper() + text[1:]


def draw_brief(rng: random.Random) -> Brief:
    """A task of writing."""
    form, (theme, thing, who) = rng.choice(FORMS), rng.choice(THEMES)
    place = rng.choice(
        ["Aldershaw", "Birkfeld", "Corvale", "Dunmore", "Eastry", "Felden", "Garnock", "Holmby", "Inverloch", "Jutting"]
    )
    tone = rng.choice(("plain", "warm", "sober", "lively"))
    words = rng.choice((60, 80, 100, 120))
    prompt = f"Write {form} of {place} about {theme}, in a {tone} tone, for {who}, of about {words} words."
    slots = {"t": thing, "w": who, "p": place}
    return Brief(f"w-{rng.randrange(16**6):06x}", form, prompt, "", rng.gauss(0, 0.8), slots)
