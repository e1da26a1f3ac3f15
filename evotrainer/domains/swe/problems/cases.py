"""Test cases of a function: calls with the value that they must give, chosen so that a half-right fix fails one.

A hidden suite that tells the right line from the buggy one only would pass fixes that are wrong elsewhere on the line.
So the calls must also tell it from the other ways in which the line could be wrong.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from evotrainer.domains.swe.problems.execution import RAISED, Scope, draw_arguments, value_of

NUM_TRIES = 60
LONGEST = 60
"""Characters of a call and its value."""


@dataclass(frozen=True)
class Case:
    """A call, its right value and what the buggy repository makes of it, as source text."""

    function: str
    arguments: tuple[Any, ...]
    right: str
    buggy: str

    @property
    def call(self) -> str:
        """The call as source."""
        return f"{self.function}({', '.join(map(repr, self.arguments))})"

    @property
    def fails(self) -> bool:
        """Whether the buggy repository gives another value."""
        return self.right != self.buggy


def draw_cases(
    rng: Random, name: str, kinds: tuple[str, ...], right: Scope, buggy: Scope, wanted: int = NUM_TRIES
) -> list[Case]:
    """Draw up to `wanted` different calls for which the right function returns a short value."""
    cases: dict[str, Case] = {}
    for _ in range(NUM_TRIES):
        arguments = draw_arguments(rng, kinds)
        case = Case(name, arguments, value_of(right, name, arguments), value_of(buggy, name, arguments))
        if case.right != RAISED and len(case.call + case.right) <= LONGEST:
            cases.setdefault(case.call, case)
        if len(cases) == wanted:
            break
    return list(cases.values())


def telling_cases(cases: Sequence[Case], mutants: Sequence[Scope]) -> list[Case]:
    """Return few cases that tell the right function from each mutant that any of them tells it from."""
    chosen: list[Case] = []
    for mutant in mutants:
        if any(_tells(case, mutant) for case in chosen):
            continue
        chosen += [case for case in cases if _tells(case, mutant)][:1]
    return chosen


def _tells(case: Case, mutant: Scope) -> bool:
    return value_of(mutant, case.function, case.arguments) != case.right
