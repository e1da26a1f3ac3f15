"""Questions with four options that are answered by a letter alone."""

import random

from benchmarks.foreign.fortysixth.policy import Attempt, Problem, say

_DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_WORDS = ("lantern", "harvest", "compass", "granite", "whistle", "meadow", "thimble", "orchid", "pilgrim", "saddle")


def _divisible(rng: random.Random) -> tuple[str, str, list[str]]:
    p, q = rng.sample((3, 4, 5, 7, 11), 2)
    right = p * q * rng.randint(2, 9)
    wrong: set[int] = set()
    while len(wrong) < 3:
        n = right + rng.randint(-30, 30)
        if n > 0 and n % (p * q):
            wrong.add(n)
    return f"Which of these numbers is divisible by both {p} and {q}?", str(right), [str(n) for n in sorted(wrong)]


def _weekday(rng: random.Random) -> tuple[str, str, list[str]]:
    start, days = rng.randrange(7), rng.randint(9, 80)
    right = _DAYS[(start + days) % 7]
    wrong = rng.sample([d for d in _DAYS if d != right], 3)
    return f"Today is {_DAYS[start]}. Which weekday is it in {days} days?", right, wrong


def _backwards(rng: random.Random) -> tuple[str, str, list[str]]:
    word = rng.choice(_WORDS)
    right = word[::-1]
    wrong: set[str] = set()
    while len(wrong) < 3:
        letters = list(right)
        i = rng.randrange(len(letters) - 1)
        letters[i], letters[i + 1] = letters[i + 1], letters[i]
        if "".join(letters) != right:
            wrong.add("".join(letters))
    return f"How is the word '{word}' spelled backwards?", right, sorted(wrong)


_MAKERS = {"divisibility": _divisible, "weekdays": _weekday, "spelling": _backwards}


def problems(rng: random.Random, count: int) -> list[Problem]:
    """Questions of three subjects; no question comes twice."""
    out: dict[str, Problem] = {}
    while len(out) < count:
        subject = rng.choice(tuple(_MAKERS))
        ask, right, wrong = _MAKERS[subject](rng)
        options = [right, *wrong]
        rng.shuffle(options)
        shown = "\n".join(f"{letter}) {option}" for letter, option in zip("ABCD", options, strict=True))
        text = f"{ask}\n{shown}\nAnswer with the letter alone."
        gold = "ABCD"[options.index(right)]
        if text not in out:
            out[text] = Problem(f"mc-{len(out):03d}", text, gold, rng.random(), subject)
    return list(out.values())


def pick(rng: random.Random, p: Problem, right: bool) -> Attempt:
    """One letter."""
    letter = p.gold if right else rng.choice([x for x in "ABCD" if x != p.gold])
    return Attempt(p, [say(letter)], letter, float(right))
