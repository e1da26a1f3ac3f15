"""Test cases of a function: calls with the value that they must give.

The functions of a repository have different names, so that one namespace holds them all.
"""

from dataclasses import dataclass
from random import Random
from typing import Any

from evotrainer.problem_sets.swe.execution import RAISED, draw_arguments, value_of

_TRIES = 60
_LONGEST = 60


@dataclass(frozen=True)
class Case:
    """A call, its right value and what the buggy repository makes of it, all as source text."""

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
    rng: Random, name: str, kinds: tuple[str, ...], right: dict[str, Any], buggy: dict[str, Any]
) -> list[Case]:
    """Draw different calls for which the right function returns a short value."""
    cases: dict[str, Case] = {}
    for _ in range(_TRIES):
        arguments = draw_arguments(rng, kinds)
        case = Case(name, arguments, value_of(right, name, arguments), value_of(buggy, name, arguments))
        if case.right != RAISED and len(case.call + case.right) <= _LONGEST:
            cases.setdefault(case.call, case)
    return list(cases.values())
