"""Solve probabilities to simulate with: fitted to real evaluation rows, or to what such a fit gave.

An evaluation of k attempts shows each problem's probability through binomial noise. The fit takes the noise out by
moments: a beta distribution whose variance is that of the observed means less the mean sampling variance. From rows
each simulated campaign draws every problem's probability from its posterior: the problems of the evaluation and their
difficulties are kept, and what k attempts cannot know varies. Without rows probabilities come from the beta itself.

Shapes: A campaigns, N problems.
"""

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign.reading import read_foreign_rows
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.score_table import ScoreTable, tabulate
from evotrainer.promotion.checkpoint import sampling_variance

DEFAULT_BETA = (1.50, 1.85)
"""Of the embedded math policy on 240 validation problems at 8 attempts: mean of the fits of two campaign seeds."""
SHARPEST = 1000.0
"""Sum of the beta's parameters where the rows show no spread of difficulty at all."""
BLUNTEST = 0.01
"""The same where every problem is always or never solved."""

_LIMITS = {
    SHARPEST: " (their scores differ by no more than noise: all are simulated as about equally hard, near {mean:.2f})",
    BLUNTEST: " (each is all but always or never solved: attempts are simulated with hardly any noise)",
}
"""What a fit that ended at a bound says of its rows."""


@dataclass(frozen=True)
class ScoreModel:
    """A source of solve probabilities: problem j has Beta(first[j], second[j])."""

    name: str
    first: np.ndarray
    second: np.ndarray

    @property
    def num_problems(self) -> int:
        """N."""
        return len(self.first)

    def draw(self, rng: np.random.Generator, campaigns: int) -> np.ndarray:
        """Return probabilities, A x N."""
        return rng.beta(self.first, self.second, (campaigns, self.num_problems))


def read_table(path: Path) -> ScoreTable:
    """Return the score table of a stored evaluation: a folder of evidence, or a .jsonl or .parquet file of rows.

    Rows of one version; of several steps the first is taken, which in an evaluation holds the sampled attempts.
    """
    rows = list(Rows.read(path) if path.is_dir() else read_foreign_rows(path).rows)
    if not rows:
        raise EvidenceError(f"{path} holds no rows: name the validation/ folder of a version, or a file of rows")
    first = min(row.step for row in rows)
    return tabulate([row for row in rows if row.step == first])


def beta_model(first: float, second: float, num_problems: int) -> ScoreModel:
    """Return the model of problems that are alike in all but their draw from one beta distribution."""
    if min(first, second) <= 0 or num_problems < 2:
        raise EvidenceError(
            f"Beta({first}, {second}) at {num_problems} problems is no score model: give positive "
            "parameters and at least 2 problems"
        )
    return ScoreModel(
        f"Beta({first:.2f}, {second:.2f}), {num_problems} problems",
        np.full(num_problems, first),
        np.full(num_problems, second),
    )


def fit_beta(table: ScoreTable) -> tuple[float, float]:
    """Return the beta distribution of solve probabilities behind an evaluation, by moments."""
    mean, total = _moments(table)
    return mean * total, (1.0 - mean) * total


def _moments(table: ScoreTable) -> tuple[float, float]:
    """Return the mean of the beta and the sum of its parameters, which `BLUNTEST` and `SHARPEST` bound."""
    means_N, attempts_N = table.means(), (~np.isnan(table.values)).sum(axis=1)
    noise = sampling_variance(table) * float((1.0 / attempts_N).mean())
    mean, spread = float(means_N.mean()), max(float(means_N.var()) - noise, 0.0)
    if mean in (0.0, 1.0):
        raise EvidenceError(f"every attempt scored {mean:.0f}: such rows show no difficulty that could be fitted")
    total = mean * (1.0 - mean) / spread - 1.0 if spread else SHARPEST
    return mean, min(max(total, BLUNTEST), SHARPEST)


def fitted_model(table: ScoreTable, name: str) -> ScoreModel:
    """Return the posterior of each problem's probability under the fitted beta."""
    mean, total = _moments(table)
    first, second = mean * total, (1.0 - mean) * total
    graded_NK = ~np.isnan(table.values)
    sums_N = np.where(graded_NK, table.values, 0.0).sum(axis=1)
    limit = _LIMITS.get(total, "").format(mean=mean)
    return ScoreModel(f"{name}, {len(sums_N)} problems{limit}", first + sums_N, second + graded_NK.sum(axis=1) - sums_N)


def shifted(chance_AN: np.ndarray, change_A: np.ndarray, jitter_AN: np.ndarray | None = None) -> np.ndarray:
    """Return probabilities whose mean over problems is changed by `change_A`: logits moved by one amount a campaign.

    `jitter_AN` is added to the logits before: a policy that is another one problem by problem. The mean is met by
    bisection; a change beyond what the problems allow ends at 0 or 1.
    """
    if jitter_AN is None and not change_A.any():
        return chance_AN
    clipped_AN = np.clip(chance_AN, 1e-6, 1 - 1e-6)
    logits_AN = np.log(clipped_AN) - np.log1p(-clipped_AN)
    wanted_A = chance_AN.mean(axis=1) + change_A
    moved_AN = logits_AN if jitter_AN is None else logits_AN + jitter_AN
    low_A, high_A = np.full(len(wanted_A), -20.0), np.full(len(wanted_A), 20.0)
    for _ in range(30):
        middle_A = (low_A + high_A) / 2.0
        is_low_A = _expit(moved_AN + middle_A[:, None]).mean(axis=1) < wanted_A
        low_A, high_A = np.where(is_low_A, middle_A, low_A), np.where(is_low_A, high_A, middle_A)
    return _expit(moved_AN + ((low_A + high_A) / 2.0)[:, None])


def _expit(logits: np.ndarray) -> np.ndarray:
    return 1.0 / (1.0 + np.exp(-logits))
