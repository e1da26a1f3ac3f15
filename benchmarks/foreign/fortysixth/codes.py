"""A game: a hidden code of four digits is guessed, and each guess is answered by hits and misplaced digits."""

import functools
import itertools
import random

from benchmarks.foreign.fortysixth.policy import Attempt, Problem
from benchmarks.foreign.fortysixth.repos import call, told

_ALL = ["".join(c) for c in itertools.product("12345", repeat=4)]
RULES = (
    "You play the code breaker. The hidden code has four digits from 1 to 5, and digits may repeat. Table {table}. "
    "Call guess(code); the answer says how many digits are right in place and how many are right but elsewhere. "
    "You have five guesses."
)
_THINK = (
    "{count} codes are still possible.",
    "From the answers so far, {count} codes remain.",
    "I keep {count} candidates.",
    "Striking out what contradicts the answers leaves {count}.",
)
_LOOSE = (
    "I try a code that I have not used.",
    "Perhaps the digits are in another order.",
    "Let me test some new digits.",
    "I change two places and see.",
)


def problems(rng: random.Random, count: int) -> list[Problem]:
    """Tables with a hidden code each."""
    codes = rng.sample(_ALL, count)
    return [
        Problem(f"table-{i:03d}", RULES.format(table=rng.randint(10000, 99999)), code, 0.5, "codebreaker")
        for i, code in enumerate(codes)
    ]


@functools.cache
def compare(guess: str, code: str) -> tuple[int, int]:
    """Digits in place, and right digits elsewhere."""
    exact = sum(g == c for g, c in zip(guess, code, strict=True))
    common = sum(min(guess.count(d), code.count(d)) for d in "12345")
    return exact, common - exact


def play(rng: random.Random, p: Problem, right: bool, opening: str | None = None) -> Attempt:
    """A game; a careful player guesses what all answers allow, a careless one often does not."""
    left, turns, won, guess = list(_ALL), [], False, ""
    for turn in range(5):
        careful = right or rng.random() < 0.35
        thought = rng.choice(_THINK).format(count=len(left)) if careful else rng.choice(_LOOSE)
        guess = rng.choice(left if careful else _ALL)
        if careful and len(left) == 1:
            thought = "Only one code is left."
        if turn == 0:
            thought = rng.choice(("I open with something simple.", "First a broad guess.", "Nothing is known yet."))
            guess = opening or rng.choice(("1122", "3344", "1234", "2255", "1345"))
        exact, near = compare(guess, p.gold)
        turns.append(call(thought, "guess", code=guess))
        turns.append(told("guess", f"in place: {exact}, elsewhere: {near}. {4 - turn} guesses left."))
        left = [code for code in left if compare(guess, code) == (exact, near)]
        if exact == 4:
            won = True
            break
    end = "The code is found." if won else "I am out of guesses."
    turns.append({"role": "assistant", "content": f"{end} My last guess was {guess}."})
    return Attempt(p, turns, guess, float(won))
