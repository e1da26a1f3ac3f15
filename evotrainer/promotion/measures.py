"""What promotes a version (`evaluate.measure`): the mean over attempts, the greedy answer, or pass@4.

Each measure makes a table of values in [0, 1] of evaluation rows, problems x values that are independent of each other:

    mean     a sampled attempt is a value; a round of the gate adds four
    pass     1 where one of four sampled attempts is right; a round adds one
    greedy   the greedy attempt, the same however often it is asked: one value in all

The gate (checkpoint.py) bets on the differences of both arms problem by problem, whatever the values are. Of mean and
pass@4 more attempts bring more evidence about the same problems. Greedy answers have no noise but that of problems:
a higher score at these problems is a fact, and the test asks whether it is one of problems of their kind. So it is
one round over the problems that there are, read from the screening; what it leaves open takes more problems.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from evotrainer.evidence.score_table import GREEDY_STEP, SAMPLED_STEP, ScoreTable, tabulate
from evotrainer.records import Comparison, Trajectory

Rows = Sequence[Trajectory]

ROUND_ATTEMPTS = 4
"""Fresh attempts a problem on each arm in a round of the gate."""


@dataclass(frozen=True)
class Measure:
    """How attempts become values."""

    metric: str
    """Its name in comparisons and metrics."""
    words: str
    per_value: int = 1
    """Attempts that make a value."""
    is_greedy: bool = False

    def table(self, rows: Rows) -> ScoreTable:
        """Return the values of evaluation rows, sampled and greedy ones."""
        step = GREEDY_STEP if self.is_greedy else SAMPLED_STEP
        return self.joined(tabulate([row for row in rows if row.step == step]))

    def joined(self, attempts: ScoreTable) -> ScoreTable:
        """Return the values of a table of attempts; what is left over of the last value is left out."""
        if self.per_value == 1:
            return attempts
        num_values = attempts.num_attempts // self.per_value
        values_NVA = attempts.values[:, : num_values * self.per_value].reshape(len(attempts.values), num_values, -1)
        is_lost_NV = np.isnan(values_NVA).all(axis=2)
        best_NV = np.where(np.isnan(values_NVA), 0.0, values_NVA).max(axis=2)
        return ScoreTable(attempts.problem_ids, np.where(is_lost_NV, np.nan, best_NV))

    def compared(
        self, rows: Rows, other: Rows, *, against: str, samples: int, confidence: float, seed: int
    ) -> Comparison:
        """Compare the rows of two versions by this measure."""
        from evotrainer.promotion.statistics import compare  # it loads scipy, and listings need a measure's words alone

        found = compare(
            *(self.table(rows), self.table(other)),
            against=against,
            metric=self.metric,
            samples=samples,
            confidence=confidence,
            seed=seed,
        )
        return found.model_copy(update={"attempts": found.attempts * self.per_value})


MEASURES = {
    "mean": Measure("score", "score"),
    "greedy": Measure("greedy_score", "greedy score", is_greedy=True),
    "pass": Measure(f"pass_at_{ROUND_ATTEMPTS}", f"pass@{ROUND_ATTEMPTS}", ROUND_ATTEMPTS),
}
WORDS = {measure.metric: measure.words for measure in MEASURES.values()}
