"""A game over turns: find a code of digits from counts of hits and near hits."""

from collections import Counter
from itertools import product
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.sixteenth.attempts import Task, World, Written, say

TURNS = 6


def _make(rng: Random) -> Task:
    digits, length = rng.choice((4, 5, 6)), rng.choice((3, 4))
    code = "".join(rng.choice("123456"[:digits]) for _ in range(length))
    name = f"room {rng.randint(100, 999)}"
    ask = f"guess my code of {length} digits from 1 to {digits}"
    prompt = f"Game in {name}: {ask}. You have {TURNS} guesses. Write 'guess: ...'."
    return Task(prompt, code, f"{length}x{digits}", 0.0, "", {"digits": digits})


def marks(guess: str, code: str) -> tuple[int, int]:
    """Digits at their place, and digits elsewhere."""
    hits = sum(a == b for a, b in zip(guess, code, strict=True))
    return hits, sum((Counter(guess) & Counter(code)).values()) - hits


def _play(rng: Random, task: Task, right: bool) -> Written:
    code, digits = task.gold, task.secret["digits"]
    pool = ["".join(p) for p in product("123456"[:digits], repeat=len(code))]
    turns: list[Row] = []
    for turn in range(TURNS):
        wrong = [guess for guess in pool if guess != code]
        guess = rng.choice(pool) if right else rng.choice(wrong or [code])
        if right and turn == TURNS - 1:
            guess = code
        why = rng.choice(
            ("From the counts so far,", "I try", "This fits the answers:", "Keep what fits:", "Split the rest:")
        )
        turns.append(say(f"{why} guess: {guess}"))
        hits, near = marks(guess, code)
        if guess == code:
            turns.append({"role": "user", "content": f"Correct after {turn + 1} guesses."})
            break
        turns.append({"role": "user", "content": f"{hits} in place, {near} elsewhere."})
        if right or rng.random() < 0.4:
            pool = [p for p in pool if marks(p, guess) == (hits, near)]
    won = turns[-1]["content"].startswith("Correct")
    turns.append(say("Well played." if won else "I did not find it."))
    return turns, guess


CODES = World("code-", _make, _play)
