"""The screen: what the stored validation rows of a version show before any fresh row is drawn.

A screening score never promotes under the sequential gate. It decides whether fresh rows are worth their attempts, and
under the other gates (`evaluate.gate`) it is all that there is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from evotrainer.config import EvaluateConfig
from evotrainer.evidence.score_table import ScoreTable, lost_share, tabulate
from evotrainer.promotion.statistics import compare, score_interval
from evotrainer.records import Comparison, Trajectory

Rows = Sequence[Trajectory]


@dataclass(frozen=True)
class Screening:
    """Score and comparisons of one version; all fields keep their defaults where nothing was sampled."""

    error_share: float | None = None
    """Share of the sampled draws that infrastructure lost."""
    ungraded: tuple[str, ...] = ()
    """Problems that lost all of their attempts; the version then has no score."""
    score: float | None = None
    low: float | None = None
    high: float | None = None
    greedy_score: float | None = None
    comparisons: tuple[Comparison, ...] = ()
    """The incumbent's first; empty where there is no score, and for the base policy."""

    @property
    def metrics(self) -> dict[str, float]:
        """The numbers by the names that metrics.json, conditions and predictions use."""
        named = {
            "score": self.score,
            "score_low": self.low,
            "score_high": self.high,
            "greedy_score": self.greedy_score,
            "error_share": self.error_share,
        }
        # Where the base policy is the incumbent, the one comparison stands for both.
        for prefix, found in zip(("", "base_"), (*self.comparisons[:1], *self.comparisons[-1:]), strict=False):
            named |= {
                f"{prefix}difference": found.difference,
                f"{prefix}difference_low": found.low,
                f"{prefix}difference_high": found.high,
                f"{prefix}wilcoxon_p": found.wilcoxon_p,
                f"{prefix}noise_floor": found.noise_floor,
            }
        return {name: value for name, value in named.items() if value is not None}


def screen(sampled: Rows, greedy: Rows, peers: Mapping[str, Rows], limits: EvaluateConfig, seed: int) -> Screening:
    """Return what the sampled and the greedy attempts of one version show.

    Args:
        sampled: attempts of the version at the screening problems.
        greedy: its greedy attempts at them.
        peers: sampled attempts of the versions it is compared with, the incumbent's first.
        limits: of the campaign's evaluation.
        seed: of the bootstrap.

    Raises:
        EvidenceError: a peer was evaluated on other problems.

    """
    table, lost = tabulate(sampled), lost_share(sampled)
    if table.ungraded:
        return Screening(error_share=lost, ungraded=tuple(table.ungraded))
    samples, confidence = limits.bootstrap_samples, limits.confidence
    interval = score_interval(table, samples=samples, confidence=confidence, seed=seed)
    return Screening(
        error_share=lost,
        score=interval.value,
        low=interval.low,
        high=interval.high,
        greedy_score=_score_of(tabulate(greedy)),
        comparisons=tuple(
            compare(
                table, tabulate(rows), against=name, metric="score", samples=samples, confidence=confidence, seed=seed
            )
            for name, rows in peers.items()
        ),
    )


def _score_of(table: ScoreTable) -> float | None:
    return None if table.ungraded else table.score
