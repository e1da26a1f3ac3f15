"""Answers met more than once and graded unequally, counted by attempt.

An answer of eight attempts with one odd grade shows one odd grade, not a share of one answer. So the share of odd
grades does not depend on how often answers are repeated, and is that of a second grading of the same rows.
"""

from dataclasses import dataclass

import pandas as pd

from evotrainer.diagnosis.context import significantly_above
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.evidence.frames import Frame

_MIN_ANSWERS = 3
"""Answers graded unequally from which a grader is one that flips; fewer are single slips."""


@dataclass(frozen=True)
class Repeated:
    """Repeated answers, an entry each: `size` attempts, of which `odd` have another grade than most."""

    table: Frame

    @property
    def flaky(self) -> Frame:
        """Answers with more than one grade."""
        return self.table[self.table["odd"] > 0]

    @property
    def odd(self) -> int:
        """Attempts whose grade is not the one that most with their answer have."""
        return int(self.table["odd"].sum())

    @property
    def attempts(self) -> int:
        """Attempts with a repeated answer."""
        return int(self.table["size"].sum())

    def is_many(self, limits: Thresholds) -> bool:
        """Tell whether odd grades are more than a slip: several answers, and significantly above the limit."""
        return len(self.flaky) >= _MIN_ANSWERS and significantly_above(
            self.odd, self.attempts, limits.flaky_answers, limits.limit_alpha
        )


def repeated_answers(*parts: tuple[Frame, list[str], str]) -> Repeated:
    """Return the answers met more than once.

    Args:
        parts: rows, the columns that say what one answer is (problem first), and the column of
            the grade; each part counts by itself.
    """
    return Repeated(pd.concat([_table(*part) for part in parts]))


def _table(rows: Frame, keys: list[str], grade: str) -> Frame:
    by_grade = rows.groupby([*keys, grade]).size().groupby(level=keys)
    size, usual = by_grade.sum(), by_grade.max()
    table: Frame = pd.DataFrame({"size": size, "odd": size - usual})
    return table[table["size"] >= 2].droplevel(list(range(1, len(keys))))
