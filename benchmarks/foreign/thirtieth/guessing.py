"""A guessing game: a hidden number, and answers of higher or lower."""

import random

from benchmarks.foreign.thirtieth.layouts import Row

_THOUGHTS = (
    "The range that is left runs from {low} to {high}, so I go for {guess}.",
    "Everything below {low} is out. I try {guess}.",
    "Between {low} and {high} I would like to learn the most, hence {guess}.",
    "I know it is at least {low} and at most {high}; {guess} is my next guess.",
    "Let me test {guess}, which lies between {low} and {high}.",
)


def rules(top: int, limit: int) -> str:
    """The prompt of the game."""
    return (
        f"I have thought of a whole number from 1 to {top}. You have {limit} "
        "guesses. After each I say higher or lower. "
        "Write your guess as <guess>number</guess>."
    )


def play(rng: random.Random, top: int, limit: int, wit: float, hidden: int) -> tuple[list[Row], bool, int]:
    """Turns of one game, whether it was won, and how many guesses it took."""
    low, high, turns = 1, top, []
    for count in range(1, limit + 1):
        middle = (low + high) // 2
        guess = middle if rng.random() < wit else rng.randint(low, high) if rng.random() < 0.8 else rng.randint(1, top)
        thought = rng.choice(_THOUGHTS).format(low=low, high=high, guess=guess)
        turns.append({"role": "assistant", "content": f"{thought} <guess>{guess}</guess>"})
        if guess == hidden:
            turns.append({"role": "user", "content": f"Yes, it was {hidden}. You have won."})
            return turns, True, count
        word = "higher" if guess < hidden else "lower"
        if count == limit:
            turns.append({"role": "user", "content": f"The number is {word}. No guesses left, the game is over."})
            return turns, False, count
        if guess < hidden:
            low = max(low, guess + 1)
        else:
            high = min(high, guess - 1)
        turns.append({"role": "user", "content": f"The number is {word}."})
    return turns, False, limit
