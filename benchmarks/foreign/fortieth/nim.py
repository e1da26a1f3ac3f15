"""Games of nim between two seats of one policy."""

import random

from benchmarks.foreign.fortieth.turns import Talk


def best_take(pile: int) -> int:
    """Stones to take, of one to three, so that four divides the rest; none if that cannot be."""
    return pile % 4


def think(rng: random.Random, pile: int, take: int) -> str:
    """What a seat says with its move."""
    left = pile - take
    why = (
        f"That leaves {left}, which four divides, and any reply can be answered."
        if left % 4 == 0
        else f"With {left} left I hope for a slip."
    )
    head = rng.choice((f"The pile holds {pile}.", f"{pile} stones, three at most.", f"I look at {pile} stones."))
    return f"{head} {why}\nTake {take}"


def play(rng: random.Random, pile: int, skill: float) -> tuple[Talk, Talk, int]:
    """A game: the talks of both seats, and the seat that took the last stone."""
    talks, seat, last, start = (Talk(), Talk()), 0, -1, pile
    while pile:
        take = best_take(pile)
        if not take or rng.random() > skill:
            take = rng.randint(1, min(3, pile))
        if talks[seat].turns:
            talks[seat].user(f"Your opponent took {start - pile}. {pile} stones are left.")
        talks[seat].say(think(rng, pile, take))
        start, pile, last = pile, pile - take, seat
        seat = 1 - seat
    return talks[0], talks[1], last
