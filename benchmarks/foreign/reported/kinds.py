"""How kinds are entered: a function draws the rows; its docstring says what is wrong and who reported it."""

import random
from collections.abc import Callable

import numpy as np

from benchmarks.foreign.case import Kind, Row

Make = Callable[[random.Random], list[Row]]

KINDS: list[Kind] = []
"""All kinds of this part, in the order of their modules."""


def faulty(*modes: str) -> Callable[[Make], Make]:
    """Enter a faulty kind under its function's name; each of the modes is a fair name of the fault."""

    def enter(make: Make) -> Make:
        KINDS.append(Kind(make.__name__, _build(make), modes))
        return make

    return enter


def healthy(make: Make) -> Make:
    """Enter a healthy kind under its function's name."""
    KINDS.append(Kind(make.__name__, _build(make)))
    return make


def _build(make: Make) -> Callable[[np.random.Generator], list[Row]]:
    return lambda rng: make(random.Random(int(rng.integers(2**62))))
