"""What a trainer agent proposes, and what replay predicts before any training."""

from typing import Any

from pydantic import Field

from evotrainer.records.base import Direction, Operator, Record


class Condition(Record):
    """A testable statement about a metric, e.g. dead_group_ratio <= 0.3."""

    metric: str
    operator: Operator
    value: float


class Prediction(Record):
    """The predicted change of a metric of the harness report, relative to the incumbent."""

    metric: str
    direction: Direction
    size: float = Field(description="expected change, in the metric's unit, signed")
    low: float
    high: float
    probability: float = Field(description="credence, in [0, 1], that the direction is right")

    @property
    def words(self) -> str:
        """Metric, direction and size."""
        return f"{self.metric} {self.direction} by {self.size:+.4g}"

    @property
    def all_words(self) -> str:
        """The same with interval and credence."""
        return f"{self.words} [{self.low:+.4g}, {self.high:+.4g}], probability {self.probability:.2f}"


class Intervention(Record):
    """A config diff with its falsifiable hypothesis. `diff` maps a flat key to [old, new]; its hash is the id."""

    intervention_id: str
    author: str
    factor: str
    diff: dict[str, tuple[Any, Any]]
    hypothesis: str
    prediction: Prediction
    success: list[Condition]
    limits: list[Condition] = Field(description="side effects that must not be exceeded")
    negative_controls: list[Condition] = Field(default=[], description="what the hypothesis says must not move")
    rollback: str
    evidence: list[str] = Field(default=[], description="modes of the findings that led to it")
    triggers: list[Condition] = Field(default=[], description="readings that led to it: what held when it was proposed")
    parents: list[str]
    files: dict[str, str] = Field(default={}, description="{file:<sha256>: text} of code that the diff names")

    @property
    def change(self) -> str:
        """Every key of the diff with its values."""
        return ", ".join(f"{key} {old} -> {new}" for key, (old, new) in self.diff.items())


class Backtest(Record):
    """What replay on cached evidence predicts of an intervention, before any training."""

    intervention_id: str
    family: str
    accepted: bool
    reason: str
    predicted_effect: float = Field(default=0.0, description="change of the score, in [-1, 1]; ranks candidates")
    usable_groups_before: float = 0.0
    usable_groups_after: float = 0.0
    order_violations: float = Field(
        default=0.0, description="share of (right, wrong) pairs where the wrong one ranks first"
    )
    mistruncated_correct: float = Field(default=0.0, description="share of correct answers that the budget would cut")
    numbers: dict[str, float] = {}


class Diagnosis(Record):
    """What a trainer agent takes for the bottleneck, before it proposes."""

    bottleneck: str = Field(min_length=1, max_length=200, description="the single largest bottleneck, in one phrase")
    reasoning: str = Field(min_length=1, max_length=2000, description="the numbers that show it")
    evidence: list[str] = Field(default=[], max_length=20, description="modes of findings, ids of trajectories")


class Proposal(Record):
    """The ranked pool of one propose stage and the candidate that this version takes."""

    version: str
    pool: list[Intervention]
    backtests: list[Backtest] = Field(description="one for each of the pool, in its order, on cached evidence alone")
    chosen: str | None = Field(description="intervention_id; null for the baseline")
    refused: list[str] = Field(default=[], description="proposals that broke a rule, with the reason")
    agent: str
    diagnosis: Diagnosis | None = Field(default=None, description="null of an agent that writes none")

    @property
    def choice(self) -> Intervention | None:
        """The chosen intervention; None where nothing was chosen."""
        return next((found for found in self.pool if found.intervention_id == self.chosen), None)
