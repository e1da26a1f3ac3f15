"""An evaluation: all that is known of one version when its verdict is asked for.

    training ─► screening ─► report, rescored ─► gate ─► verdict

The evaluate stage fills the record step by step; `decide` (verdict.py) reads it and nothing else. The screen is what
the stored validation rows show before any fresh row is drawn: under the sequential gate it decides whether fresh rows
are worth their attempts, under the other gates (`evaluate.gate`) it is all that there is.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from evotrainer.config import EvaluateConfig
from evotrainer.evidence.score_table import SAMPLED_STEP, lost_share
from evotrainer.promotion.measures import MEASURES, WORDS
from evotrainer.promotion.statistics import mean_interval
from evotrainer.records import (
    AccessPolicy,
    CheckpointClaim,
    Comparison,
    Finding,
    HarnessReport,
    Intervention,
    NoiseFloor,
    TrainingSummary,
    Trajectory,
    VersionSpec,
)

Rows = Sequence[Trajectory]

MIN_PROBLEMS = 6
"""Below this many problems no paired two-sided test can reach 5%: the smallest p is 2**(1 - n)."""


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
    pass_at_k: float | None = None
    """Share of the problems with a right attempt among the sampled ones."""
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
            "validation_pass_at_k": self.pass_at_k,
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


@dataclass(frozen=True)
class Evaluation:
    """One version on its way to a verdict."""

    spec: VersionSpec
    report: HarnessReport
    """What the harness says of the version."""
    training: TrainingSummary = TrainingSummary(trained=True)
    """Of the base policy it says nothing."""
    duplicate_of: str = ""
    """An earlier version with the very same policy, or empty."""
    intervention: Intervention | None = None
    """None for the base policy and for a baseline."""
    screening: Screening = Screening()
    rescored: Mapping[str, float] = field(default_factory=dict)
    """Scores under `rescored_under`, of this version and of its peers, by version."""
    rescored_under: AccessPolicy | None = None
    """Stricter than what the screening rows were drawn under, or the same where peers alone were scored again."""
    gate: CheckpointClaim | None = None
    """What fresh rows showed; None where none were drawn."""
    noise_floor: NoiseFloor | None = None
    """The campaign's, measured on the base policy."""
    incumbent_metrics: Mapping[str, float] = field(default_factory=dict)
    """What the harness measured of the incumbent."""
    rows: Sequence[Trajectory] = ()
    """Screening rows, the greedy attempts among them."""
    fresh_rows: Sequence[Trajectory] = ()
    """Rows that the gate drew; of the base policy those of its second evaluation."""
    rescored_tokens: int = 0
    """Tokens that these scores took."""

    @property
    def metrics(self) -> dict[str, float]:
        """Harness metrics and scores of this version, by the names that conditions and predictions use."""
        return self.report.metrics | self.screening.metrics | _fresh_metrics(self.gate)

    @property
    def invalid_findings(self) -> list[Finding]:
        """Findings that call its score not to be believed."""
        return [found for found in self.report.findings if found.severity == "invalid"]

    @property
    def num_tokens(self) -> int:
        """Tokens that were sampled for this evaluation."""
        return sum(row.num_tokens for row in (*self.rows, *self.fresh_rows)) + self.rescored_tokens

    @property
    def against(self) -> Comparison | None:
        """The comparison with the incumbent; None without a score, and for the base policy."""
        return self.screening.comparisons[0] if self.screening.comparisons else None

    @property
    def floor(self) -> float:
        """The smallest difference that is an improvement: the campaign's noise floor, or the comparison's if larger."""
        own = self.against.noise_floor if self.against else None
        return max(own or 0.0, self.noise_floor.value if self.noise_floor else 0.0)

    def incumbent_value(self, metric: str) -> float | None:
        """Return a metric of the incumbent; what it is measured by is that of the comparison."""
        if self.against is not None and metric == self.against.metric:
            return self.against.other_score
        return self.incumbent_metrics.get(metric)


def why_ungated(evaluation: Evaluation, limits: EvaluateConfig, is_trained_on: bool = False) -> str:
    """Return why a scored version draws no fresh rows, or an empty text where it does.

    `is_trained_on`: later versions train on from what stands above its incumbent, so that a gain which the gate would
    hardly see may wait until it has grown.
    """
    against, lost = evaluation.against, evaluation.screening.error_share or 0.0
    if limits.gate != "sequential":
        return f"evaluate.gate={limits.gate} decides by the screening rows"
    if against is None or lost > limits.max_error_share:
        return "infrastructure took too many of the screening attempts"
    if against.num_problems < MIN_PROBLEMS:
        return f"{against.num_problems} problems carry no decision"
    if invalid := evaluation.invalid_findings:
        return f"invalid: {', '.join(found.mode for found in invalid)}"
    words = f"its screening {WORDS[against.metric]}"
    if against.difference <= 0:
        return f"{words} is not above {evaluation.spec.incumbent}'s"
    if is_trained_on and against.difference < evaluation.floor:
        return f"{words} is {against.difference:.4f} higher, less than the noise floor: later versions train on from it"
    return ""


def _fresh_metrics(gate: CheckpointClaim | None) -> dict[str, float]:
    if gate is None or gate.estimate is None:
        return {}
    return {
        "fresh_difference": gate.estimate,
        "fresh_difference_low": gate.low,
        "fresh_difference_high": gate.high,
        "fresh_attempts": float(gate.attempts),
    }


def screen(rows: Rows, peers: Mapping[str, Rows], limits: EvaluateConfig, seed: int) -> Screening:
    """Return what the attempts of one version show.

    Args:
        rows: attempts of the version at the screening problems, sampled and greedy.
        peers: those of the versions it is compared with, the incumbent's first.
        limits: of the campaign's evaluation.
        seed: of the bootstrap.

    Raises:
        EvidenceError: a peer was evaluated on other problems.

    """
    table, greedy = MEASURES["mean"].table(rows), MEASURES["greedy"].table(rows)
    lost = lost_share([row for row in rows if row.step == SAMPLED_STEP])
    if table.ungraded:
        return Screening(error_share=lost, ungraded=tuple(table.ungraded))
    samples, confidence = limits.bootstrap_samples, limits.confidence
    interval = mean_interval(table.means(), samples=samples, confidence=confidence, seed=seed)
    return Screening(
        error_share=lost,
        score=interval.value,
        low=interval.low,
        high=interval.high,
        greedy_score=None if greedy.ungraded else greedy.score,
        pass_at_k=table.pass_at_k,
        comparisons=tuple(
            MEASURES[limits.measure].compared(
                rows, other, against=name, samples=samples, confidence=confidence, seed=seed
            )
            for name, other in peers.items()
        ),
    )
