"""Reward terms of a person's own: functions beside a domain's grader, one file each.

    def brevity(problem: Problem, messages: Sequence[Message], grade: Grade) -> float:
        # 1 for an answer of at most 20 characters
        return float(len(messages[-1].content) <= 20)

`domain.terms=[my_terms:brevity]` records the term `brevity` with every row; `reward.terms.brevity=0.1` pays for it.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from evotrainer.config.limits import load_named
from evotrainer.domains.base import Grade, Grader
from evotrainer.errors import GraderError
from evotrainer.records import Message, Problem

RewardTerm = Callable[[Problem, Sequence[Message], Grade], float]
"""The unweighted term of an ended episode that was graded."""


def load_terms(names: Sequence[str]) -> dict[str, RewardTerm]:
    """Return {term: its function} of names like package.module:function; raises ConfigError."""
    return {name.rpartition(":")[2]: load_named({}, "domain.terms", name) for name in names}


class TermsGrader:
    """Grades as `grader` does, and adds terms. Correctness stays the grader's alone."""

    def __init__(self, grader: Grader, terms: Mapping[str, RewardTerm]) -> None:
        self._grader, self._terms = grader, terms
        self.waits_for_sandbox = grader.waits_for_sandbox

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade with all terms; raises GraderError where the grader or a term fails."""
        grade = self._grader.grade(problem, messages, stop_reason)
        own = {name: self._value(name, problem, messages, grade) for name in self._terms}
        return replace(grade, terms={**grade.terms, **own})

    def _value(self, name: str, problem: Problem, messages: Sequence[Message], grade: Grade) -> float:
        try:
            value = float(self._terms[name](problem, messages, grade))
        except Exception as error:  # a person's own code: whatever it raises, the row is masked and the term named
            raise GraderError(f"the reward term '{name}' raised {type(error).__name__}: {error}") from error
        if not math.isfinite(value):
            raise GraderError(f"the reward term '{name}' is {value}, not a finite number")
        return value
