"""How the kinds of this part are entered: a function that draws rows, its docstring what is wrong, or only odd."""

import random
from collections.abc import Callable

import numpy as np

from benchmarks.foreign.case import Kind, Row

Make = Callable[[random.Random], list[Row]]
Enter = Callable[[Make], Make]

KINDS: list[Kind] = []
"""All kinds of this part, in the order of their modules."""


def faulty(modes: str) -> Enter:
    """Enter a faulty kind under its function's name; any of the modes is a right finding."""

    def enter(make: Make) -> Make:
        KINDS.append(Kind(make.__name__, _build(make), tuple(modes.split())))
        return make

    return enter


def healthy(make: Make) -> Make:
    """Enter a healthy kind under its function's name."""
    KINDS.append(Kind(make.__name__, _build(make)))
    return make


def _build(make: Make) -> Callable[[np.random.Generator], list[Row]]:
    return lambda rng: make(random.Random(int(rng.integers(2**62))))
