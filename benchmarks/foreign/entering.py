"""How kinds of a part are entered: a function draws the rows; its docstring says what is wrong, or only odd."""

import random
from collections.abc import Callable

import numpy as np

from benchmarks.foreign.case import Kind, Row

Make = Callable[[random.Random], list[Row]]


class Part:
    """The kinds of one part, in the order of their modules."""

    def __init__(self) -> None:
        self.kinds: list[Kind] = []

    def faulty(self, *modes: str) -> Callable[[Make], Make]:
        """Enter a faulty kind under its function's name; each of the modes is a fair name of the fault."""

        def enter(make: Make) -> Make:
            self.kinds.append(Kind(make.__name__, _build(make), modes))
            return make

        return enter

    def healthy(self, make: Make) -> Make:
        """Enter a healthy kind under its function's name."""
        self.kinds.append(Kind(make.__name__, _build(make)))
        return make


def _build(make: Make) -> Callable[[np.random.Generator], list[Row]]:
    return lambda rng: make(random.Random(int(rng.integers(2**62))))
