"""Inputs of the code families, drawn near what a problem speaks of: its digits and letters, and their neighbours.

A test that never meets the border between "over 5" and "from 5 on" would pass both.
"""

from collections.abc import Sequence
from random import Random

SHORT_WORDS = (
    "ant",
    "art",
    "ear",
    "oat",
    "rat",
    "rose",
    "sea",
    "star",
    "stone",
    "store",
    "tea",
    "toe",
    "tree",
    "arrow",
    "otter",
    "erase",
    "sister",
    "street",
    "toast",
    "roots",
    "attest",
    "estate",
    "tomato",
    "orator",
)
_LETTERS = "aeorstbcd"


def draw_numbers(rng: Random, marks: Sequence[str]) -> list[list[int]]:
    """Return the argument `xs`: two to six whole numbers, some of them near the marks."""
    return [_numbers(rng, marks, rng.randrange(2, 7))]


def draw_numbers_and_k(rng: Random, marks: Sequence[str]) -> list[object]:
    """Return the arguments `xs` and `k`, some of the numbers near k and what the statement makes of it."""
    k = rng.randrange(2, 6)
    bounds = [k, *(k + int(mark) for mark in marks if mark), *(k * int(mark) for mark in marks if mark)]
    return [_numbers(rng, [str(bound) for bound in bounds], rng.randrange(2, 7)), k]


def draw_line(rng: Random, marks: Sequence[str]) -> str:
    """Return standard input: one line of numbers."""
    return " ".join(map(str, _numbers(rng, marks, rng.randrange(2, 7)))) + "\n"


def draw_rows(rng: Random, marks: Sequence[str]) -> str:
    """Return standard input: a number of rows, and the rows."""
    rows = [_numbers(rng, marks, rng.randrange(2, 5)) for _ in range(rng.randrange(1, 4))]
    return "\n".join([str(len(rows)), *(" ".join(map(str, row)) for row in rows), ""])


def draw_text(rng: Random, marks: Sequence[str]) -> list[str]:
    """Return the argument `s`: four to ten letters."""
    letters = [*_LETTERS, *(mark * 3 for mark in marks if mark.isalpha())]
    return ["".join(rng.choice("".join(letters)) for _ in range(rng.randrange(4, 11)))]


def draw_words(rng: Random, marks: Sequence[str]) -> list[list[str]]:
    """Return the argument `ws`: one to five different words."""
    return [_words(rng, marks)]


def _numbers(rng: Random, marks: Sequence[str], count: int) -> list[int]:
    near = [int(mark) * factor + step for mark in marks if mark.isdecimal() for factor in (1, 2) for step in (-1, 0, 1)]
    return [rng.choice(near) if near and rng.random() < 0.5 else rng.randrange(-9, 20) for _ in range(count)]


def _words(rng: Random, marks: Sequence[str]) -> list[str]:
    fitting = [word for word in SHORT_WORDS for mark in marks if mark.isalpha() and mark in (word[0], word[-1])]
    chosen = [
        rng.choice(fitting if fitting and rng.random() < 0.5 else SHORT_WORDS) for _ in range(rng.randrange(1, 6))
    ]
    return list(dict.fromkeys(chosen))
