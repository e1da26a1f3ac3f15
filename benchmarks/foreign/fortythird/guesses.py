"""A game: a hidden number is guessed, and the host says higher or lower."""

import random
from dataclasses import dataclass


@dataclass(frozen=True)
class Game:
    """Range, hidden number and tries of a game."""

    text: str
    top: int
    hidden: int
    tries: int

    @property
    def answer(self) -> str:
        """The hidden number."""
        return str(self.hidden)


def game(rng: random.Random, tops: tuple[int, int] = (40, 400)) -> Game:
    """A game with some tries."""
    top, tries = rng.randint(*tops), rng.randint(5, 8)
    table = f"(table {rng.randint(1, 9999)})"
    text = f"I hide a number from 1 to {top}. You have {tries} guesses; write each as <guess>N</guess>. {table}"
    return Game(text, top, rng.randint(1, top), tries)


FIRST = ("The range is {low} to {high}.", "{n} numbers are possible.", "We begin with {low} to {high}.")
THOUGHTS = (
    "It lies between {low} and {high}.",
    "{n} numbers from {low} to {high} are left.",
    "After that answer the range is {low} to {high}.",
    "The interval is now [{low}, {high}].",
)


def play(rng: random.Random, g: Game, skill: float, is_middle_first: bool = False) -> tuple[list[dict], bool]:
    """Moves of a game; a skilled player halves the range, others guess within or beside it."""
    low, high, reply = 1, g.top, []
    for turn in range(g.tries):
        if rng.random() < skill or (turn == 0 and is_middle_first):
            value, why = (
                (low + high) // 2,
                rng.choice(["I halve it.", "The middle splits it best.", "I take the centre."]),
            )
        elif rng.random() < 0.8:
            value, why = rng.randint(low, high), rng.choice(["I try one of them.", "A hunch.", "Perhaps this one."])
        else:
            value, why = (
                rng.randint(1, g.top),
                rng.choice(["Let me try elsewhere.", "Maybe I misread.", "Another shot."]),
            )
        thought = rng.choice(THOUGHTS if turn else FIRST).format(low=low, high=high, n=high - low + 1)
        reply.append({"role": "assistant", "content": f"{thought} {why} <guess>{value}</guess>"})
        if value == g.hidden:
            return reply, True
        if turn < g.tries - 1:
            hint = "higher" if value < g.hidden else "lower"
            reply.append({"role": "user", "content": f"The number is {hint} than {value}. {g.tries - turn - 1} left."})
        if value < g.hidden:
            low = max(low, value + 1)
        else:
            high = min(high, value - 1)
    return reply, False
