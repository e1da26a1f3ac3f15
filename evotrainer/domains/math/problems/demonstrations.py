"""Worked examples for the warm start of the embedded math policy: three habits, mixed.

Just over half think digit by digit, a quarter answer at once, a fifth break the format: so the policy starts with a
skill, with a choice between habits, and with something that reinforcement can see and correct. All answers are right.
Problems come from the train share of the hash split, of all families: none of them is in probe, validation, test or
holdout, and the held-out families, which have no train problems on disk, are known from here alone.
"""

from collections.abc import Iterator
from random import Random

from evotrainer.domains.math.problems import FAMILIES
from evotrainer.domains.problem_sets.base import DemonstratedTurn, Demonstration, Draw, Family
from evotrainer.domains.problem_sets.splits import SHARES, split_of
from evotrainer.records import Message

PIECES = ("<answer>", "</answer>")
"""Texts of several characters that are one token of the embedded policy."""

HABITS = {"thinks": 0.55, "answers_at_once": 0.25, "breaks_format": 0.20}


def pieces() -> tuple[str, ...]:
    """Return the texts of several characters that are one token each to the embedded policy."""
    return tuple(PIECES)


def demonstrations(seed: int) -> Iterator[Demonstration]:
    """Yield demonstrations without end: families in equal shares, habits in theirs, problems drawn at random."""
    rng, families = Random(seed), list(FAMILIES.values())
    while True:
        draw = _train_draw(rng.choice(families), rng)
        habit = rng.choices(list(HABITS), list(HABITS.values()))[0]
        turn = DemonstratedTurn(_respond(draw, habit, rng))
        yield Demonstration((Message(role="user", content=draw.prompt),), (turn,), draw.prompt)


def _train_draw(family: Family, rng: Random) -> Draw:
    while True:
        draw = family.draw(rng)
        if split_of(family.canonical(draw.prompt), SHARES) == "train":
            return draw


def _respond(draw: Draw, habit: str, rng: Random) -> str:
    opening, closing = PIECES
    if habit == "thinks":
        return f"{draw.thought}{opening}{draw.answer}{closing}"
    if habit == "answers_at_once":
        return f"{opening}{draw.answer}{closing}"
    broken = (draw.thought, f"{draw.thought}{opening}{draw.answer}", f"{draw.thought},{draw.answer}{closing}")
    return rng.choice(broken)
