"""Word problems with whole numbers."""

from collections.abc import Callable
from random import Random

from benchmarks.foreign.twentythird import drafts
from benchmarks.foreign.twentythird.drafts import Draft
from benchmarks.foreign.twentythird.rollouts import Task
from benchmarks.foreign.twentythird.talk import boxed, lettered, say

FAMILIES: dict[str, Callable[[Random], Draft]] = {
    "tank": drafts.tank,
    "discount": drafts.discount,
    "farmyard": drafts.farmyard,
    "rows": drafts.rows,
    "remainder": drafts.remainder,
    "committee": drafts.committee,
    "field": drafts.field,
    "either": drafts.either,
}
LARGE = ("tank", "discount", "rows", "field")


def slips_of(r: Random, gold: int) -> list[str]:
    """Wrong results that come up for a number."""
    near = [gold + d for d in (1, -1, 2, 10, -10, 7)] + [
        gold * 2,
        gold + r.randint(11, 60),
        abs(gold - r.randint(3, 9)),
    ]
    return [str(n) for n in dict.fromkeys(near) if n not in (gold,) and n >= 0]


def sum_task(r: Random, number: int, only: tuple[str, ...] = tuple(FAMILIES), box: bool = True) -> Task:
    """A word problem whose solution ends in a box, or in a line."""
    family = r.choice(only)
    prompt, gold, lines = FAMILIES[family](r)
    told = boxed if box else lettered
    return Task(
        id=f"{family}-{number:04d}",
        prompt=prompt,
        gold=str(gold),
        level=r.gauss(0, 1.0),
        reply=lambda rng, answer: [say(told(rng, [line.replace("{a}", answer) for line in lines], answer))],
        slips=slips_of(r, gold),
        family=family,
    )


def large_task(r: Random, number: int) -> Task:
    """A word problem with large results."""
    return sum_task(r, number, LARGE)


def line_task(r: Random, number: int) -> Task:
    """A word problem answered in a line of its own."""
    return sum_task(r, number, box=False)
