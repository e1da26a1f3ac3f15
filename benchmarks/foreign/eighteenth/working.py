"""Workings of a sum, line by line, one of which may slip."""

from collections.abc import Callable
from random import Random

Solve = Callable[["Working"], int]


class Working:
    """Lines of a solution; the line of number `slip` is off."""

    def __init__(self, slip: int = -1, off: int = 0) -> None:
        self.lines: list[str] = []
        self.slip, self.off = slip, off

    def step(self, text: str, value: int) -> int:
        """Write one line with its value and go on with it."""
        if len(self.lines) == self.slip:
            value += self.off
        self.lines.append(text.replace("@", str(value)))
        return value


def worked(solve: Solve, rng: Random, right: bool) -> tuple[list[str], int]:
    """Lines and result of a right or a wrong solution."""
    clean = Working()
    gold = solve(clean)
    if right:
        return clean.lines, gold
    last = len(clean.lines) - 1
    for slip in (rng.randint(0, last), last):
        broken = Working(slip, rng.choice((-10, -4, -2, -1, 1, 2, 3, 5, 9, 10)))
        value = solve(broken)
        if value != gold:
            break
    return broken.lines, value
