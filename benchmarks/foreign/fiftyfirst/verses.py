"""Quatrains on a subject, rhymed in pairs, and what a judge says of them."""

import random

from benchmarks.foreign.fiftyfirst.policy import Problem

THINGS = (
    "lantern",
    "orchard",
    "harbour",
    "bridge",
    "clock",
    "winter field",
    "letter",
    "mill",
    "swallow",
    "garden gate",
)
MOODS = ("calm", "wistful", "merry", "stern", "tender")
PAIRS = (
    ("The {t} waits where evening light is low,", "and no one asks it where the hours go,"),
    ("I passed the {t} in the early rain,", "and heard my mother call my name again,"),
    ("They say the {t} was older than the stone,", "yet never did it learn to stand alone,"),
    ("A child once gave the {t} half her bread,", "and laughed at every word the old man said,"),
    ("By night the {t} listens to the sea,", "and keeps a quiet place in it for me,"),
    ("Who built the {t} did not sign his art,", "but left in it the measure of his heart,"),
    ("The frost has drawn the {t} white and thin,", "and still a little warmth remains within,"),
    ("Around the {t} summer hums its song,", "as if the days had never been too long,"),
    ("No map will show the {t} or its way,", "though all who lose it find it on some day,"),
    ("When all is sold the {t} will remain,", "a patient answer to a patient pain,"),
)
BLANK = (
    "The {t} is there and people like the sight,",
    "It makes me think of many other things,",
    "There is a {t} standing on the hill,",
    "And that is what a poem should be about,",
    "The weather changes and the {t} too,",
)
SAID = (
    "The images of the {t} are fresh and the metre holds.",
    "Rhymes are clean; the second couplet carries the {m} mood.",
    "A {m} tone throughout, though the last line is safe.",
    "The couplets belong together and the {t} stays in view.",
)
BLAMED = (
    "Lines do not rhyme in pairs, and the {t} is merely named.",
    "The mood is not {m}; the text explains instead of showing.",
    "Flat phrasing, with rhyme missing in one couplet.",
    "The {t} is forgotten after the first line.",
)


def problem(rng: random.Random, index: int) -> Problem:
    """A subject and a mood, with a small demand beside."""
    thing, mood = rng.choice(THINGS), rng.choice(MOODS)
    reader = rng.choice(
        ("a friend", "a funeral", "a school album", "a birthday card", "a village paper", "a radio hour")
    )
    prompt = f"Write a {mood} quatrain about a {thing} for {reader}, rhymed aabb."
    return Problem(f"verse-{index:04d}", prompt, "", mood, 0.0, {"t": thing, "m": mood})


def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
    """Two couplets that rhyme, or lines of which some do not."""
    thing = problem.facts["t"]
    first, second = rng.sample(PAIRS, 2)
    lines = [*first, *second]
    if not right:
        for place in rng.sample(range(4), rng.randint(1, 3)):
            lines[place] = rng.choice(BLANK)
    lines = [line.format(t=thing) for line in lines]
    text = "\n".join(line[0].upper() + line[1:] for line in lines)
    return text[:-1] + ".", text


def verdict(rng: random.Random, problem: Problem, merit: float) -> tuple[float, str]:
    """A judge's grade from 0 to 1 in tenths, and its sentence."""
    grade = min(1.0, max(0.0, round(merit + rng.gauss(0, 0.08), 1)))
    return grade, rng.choice(SAID if grade >= 0.55 else BLAMED).format(**problem.facts)
