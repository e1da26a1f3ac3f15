"""Evaluations for a verdict, made of few numbers: a comparison with v001, a gate's claim, an intervention."""

import inspect
from typing import Any

from evotrainer.config import Config, EvaluateConfig
from evotrainer.promotion.evaluation import Evaluation, Screening
from evotrainer.records import (
    CheckpointClaim,
    Comparison,
    Condition,
    Direction,
    GateOutcome,
    HarnessReport,
    Intervention,
    LimitClaim,
    TrainingSummary,
)
from tests.plain_records import compared, plain_finding, plain_intervention, version_spec

SEQUENTIAL = EvaluateConfig()
GREEDY = EvaluateConfig(gate="greedy")
INVALID = plain_finding(
    "reward_outcome_divergence",
    "invalid",
    "v002",
    diagnostic="d",
    message="the length term rises while correctness falls",
)


def comparison(low: float, high: float, against: str = "v001", num_problems: int = 160) -> Comparison:
    middle = (low + high) / 2
    return compared(against, middle, low, high, 0.6, num_problems=num_problems, noise_floor=0.018)


def intervention(direction: Direction = "up", metric: str = "score", **conditions: list[Condition]) -> Intervention:
    size = {"up": 0.05, "down": -0.05, "none": 0.0}[direction]
    said = {"metric": metric, "direction": direction, "size": size, "low": size - 0.02, "high": size + 0.02}
    return plain_intervention(Config(), {"algorithm.learning_rate": 1e-4}, said=said, **conditions)


def claim(outcome: GateOutcome = "promoted", low: float = 0.01, **changes: Any) -> CheckpointClaim:
    values: dict[str, Any] = {"against": "v001", "num_problems": 160, "attempts": 24, "alpha": 0.01}
    values |= {"log_wealth": 6.0, "estimate": 0.03, "high": 0.05, "noise_floor": 0.018}
    return CheckpointClaim(outcome=outcome, low=low, **values | changes)


def limit(outcome: GateOutcome) -> LimitClaim:
    return LimitClaim(
        condition="truncation_rate <= 0.2", metric="truncation_rate", margin=0.15, outcome=outcome, difference=0.02
    )


def evaluation(low: float = 0.01, high: float = 0.05, **changes: Any) -> Evaluation:
    """Return the evaluation of v002; `changes` name fields of the record or of its parts."""
    found = changes.pop("comparisons", (comparison(low, high),))
    spec = version_spec("v002", changes.pop("kind", "candidate"), "v001", parents=["v001"], campaign_seed=0)
    score = found[0].score if found else None
    screening = Screening(**{"comparisons": found, "score": score, "low": 0.5, "high": 0.7} | _part(Screening, changes))
    report = HarnessReport(version="v002", harness_version="h1", **_part(HarnessReport, changes))
    training = TrainingSummary(trained=changes.pop("trained", True), **_part(TrainingSummary, changes))
    return Evaluation(spec, report, training, screening=screening, **changes)


def _part(kind: type, changes: dict[str, Any]) -> dict[str, Any]:
    """Take the changes that are fields of `kind`."""
    names = set(inspect.signature(kind).parameters)
    return {name: changes.pop(name) for name in sorted(names & changes.keys())}
