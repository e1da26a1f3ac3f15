"""The verdict: one function decides, from numbers alone, what becomes of a version.

    promoted      better than its incumbent on the named validation problems, by the campaign's gate
    kept          valid, nothing claimed: no difference is shown, or its own criterion is unmet; may be a parent
    rejected      worse beyond chance, or a side-effect limit is broken, or never worth training, or a duplicate
    invalid       an unresolved `invalid` finding: never promoted, whatever its score (the greedy baseline hears none)
    inconclusive  the evaluation cannot carry a decision: attempts lost, or too few problems
    failed        training broke off; `label` says how

Rules are asked in the order of `_RULES`; the first that rules decides. Each reason is a true sentence with its numbers.
The claim is about this checkpoint on these problems; that its *recipe* is better takes fresh training seeds and is not
claimed here. `GATE_VERSION` is stored with every verdict, because verdicts are never rewritten.
"""

import math
from dataclasses import dataclass, field
from typing import Literal

from evotrainer.config import EvaluateConfig
from evotrainer.records import Comparison, Condition, Finding, Intervention, Outcome, Prediction, Verdict, VersionSpec

GATE_VERSION = "paired-bootstrap-1"
MIN_PROBLEMS = 6
"""Below this many problems no paired two-sided test can reach 5%: the smallest p is 2**(1 - n)."""


@dataclass(frozen=True)
class Trial:
    """All that a decision reads. `comparisons` holds the incumbent's first; empty where there is no score."""

    spec: VersionSpec
    harness_version: str
    is_trained: bool = True
    training_reason: str = ""
    failure_label: str = ""
    duplicate_of: str = ""
    """Version with the same policy hash, or empty."""
    error_share: float = 0.0
    ungraded: tuple[str, ...] = ()
    score: float | None = None
    score_low: float | None = None
    score_high: float | None = None
    greedy_score: float | None = None
    comparisons: tuple[Comparison, ...] = ()
    intervention: Intervention | None = None
    findings: tuple[Finding, ...] = ()
    metrics: dict[str, float] = field(default_factory=dict)
    """Score and harness metrics of this version, by the names that conditions and predictions use."""
    incumbent_metrics: dict[str, float] = field(default_factory=dict)
    rescored: dict[str, float] = field(default_factory=dict)
    """Scores on sanitised histories, of this version and of its peers, by version."""


@dataclass(frozen=True)
class _Ruling:
    outcome: Outcome
    claim: str
    reasons: list[str]
    label: str = ""


def decide(trial: Trial, evaluate: EvaluateConfig) -> Verdict:
    """Return the verdict on a trial under the campaign's gate."""
    ruling = next(found for rule in _RULES if (found := rule(trial, evaluate)) is not None)
    observed, hit = _score_prediction(trial)
    reasons = [*ruling.reasons, *_prediction_reasons(trial, observed, hit)]
    return Verdict(
        version=trial.spec.version, outcome=ruling.outcome, label=ruling.label, claim=ruling.claim, reasons=reasons,
        score=trial.score, score_low=trial.score_low, score_high=trial.score_high, greedy_score=trial.greedy_score,
        counterfactual_score=trial.rescored.get(trial.spec.version),
        rescored={name: score for name, score in trial.rescored.items() if name != trial.spec.version},
        comparisons=list(trial.comparisons), prediction_observed=observed, prediction_hit=hit,
        gate_version=f"{GATE_VERSION}/{evaluate.gate}", harness_version=trial.harness_version,
    )  # fmt: skip


def _failed(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    if not trial.failure_label:
        return None
    return _Ruling("failed", "none: training broke off", [trial.training_reason or f"training ended with "
                   f"{trial.failure_label}"], trial.failure_label)  # fmt: skip


def _refused(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    if trial.is_trained:
        return None
    return _Ruling("rejected", "none: not trained", [f"the backtest refused it: {trial.training_reason}"])


def _duplicate(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    if not trial.duplicate_of:
        return None
    reason = f"its policy is bit by bit that of {trial.duplicate_of}: a duplicate is no trial"
    return _Ruling("rejected", f"none: a duplicate of {trial.duplicate_of}", [reason])


def _inconclusive(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    reasons = []
    if trial.error_share > evaluate.max_error_share:
        reasons.append(f"infrastructure errors took {trial.error_share:.1%} of the attempts, "
                       f"more than the {evaluate.max_error_share:.1%} allowed: evaluate it again")  # fmt: skip
    if trial.ungraded:
        reasons.append(f"{len(trial.ungraded)} problems have no graded attempt (first: '{trial.ungraded[0]}')")
    if trial.comparisons and trial.comparisons[0].num_problems < MIN_PROBLEMS:
        reasons.append(f"{trial.comparisons[0].num_problems} problems cannot reach 5% in a paired test: "
                       f"at least {MIN_PROBLEMS} are needed")  # fmt: skip
    if not reasons:
        return None
    return _Ruling("inconclusive", "none: the evaluation cannot carry one", reasons + _invalid_reasons(trial))


def _invalid(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    reasons = _invalid_reasons(trial)
    if not reasons or evaluate.gate == "greedy":
        return None
    reasons += _corrected(trial)
    facts = [describe(against, evaluate.confidence) for against in trial.comparisons[:1]]
    return _Ruling("invalid", "none: its score is not to be believed", reasons + facts)


def _invalid_reasons(trial: Trial) -> list[str]:
    return [f"{found.mode}: {found.message}" for found in trial.findings if found.severity == "invalid"]


def _corrected(trial: Trial) -> list[str]:
    if not trial.rescored:
        return []
    scores = ", ".join(f"{name} {score:.4f}" for name, score in trial.rescored.items())
    return [f"scored again on sanitised histories: {scores}"]


def _base(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    if trial.spec.kind != "base":
        return None
    return _Ruling("kept", "base policy", ["the policy before reinforcement learning: the zero of every comparison"])


def _greedy_gate(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    """Keep if better, else discard: the rule of score-only hill climbing, with no control of error."""
    if evaluate.gate != "greedy":
        return None
    against = trial.comparisons[0]
    facts = [describe(against, evaluate.confidence)]
    facts += [f"not heeded by this gate: {reason}" for reason in _invalid_reasons(trial)]
    if against.difference > 0:
        return _Ruling("promoted", f"a higher score than {against.against}; chance is not ruled out", facts)
    return _Ruling("rejected", "none: no higher score", facts)


def _rejected(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    against = trial.comparisons[0]
    broken = _broken(trial, "limits")
    facts = [describe(against, evaluate.confidence)]
    if against.high < 0:
        claim = f"worse than {against.against} on these {against.num_problems} problems"
        return _Ruling("rejected", claim, facts + broken)
    return _Ruling("rejected", "none: a side-effect limit is broken", broken + facts) if broken else None


def _promoted_or_kept(trial: Trial, evaluate: EvaluateConfig) -> _Ruling:
    against = trial.comparisons[0]
    unmet = _broken(trial, "success")
    facts = [describe(against, evaluate.confidence), *unmet, *_unjudged(trial)]
    if against.low > 0 and unmet:
        return _Ruling("kept", "none: better, but its own success criterion is not met", facts)
    if against.low > 0:
        claim = (f"this checkpoint is better than {against.against} on these {against.num_problems} problems; "
                 "recipe unproven (one training seed)")  # fmt: skip
        return _Ruling("promoted", claim, facts)
    return _Ruling("kept", f"none: no difference to {against.against} is shown", facts)


_RULES = (_failed, _refused, _duplicate, _inconclusive, _base, _invalid, _greedy_gate, _rejected, _promoted_or_kept)


def describe(comparison: Comparison, confidence: float) -> str:
    """Return one comparison as a sentence."""
    place = "above" if comparison.low > 0 else "below" if comparison.high < 0 else "around"
    floor = "" if comparison.noise_floor is None else f", noise floor {comparison.noise_floor:.4f}"
    return (
        f"{comparison.metric} {comparison.score:.4f} against {comparison.other_score:.4f} of {comparison.against} "
        f"on {comparison.num_problems} problems x {comparison.attempts} attempts: "
        f"difference {comparison.difference:+.4f}, "
        f"{confidence:.0%} interval [{comparison.low:+.4f}, {comparison.high:+.4f}] {place} 0 "
        f"(Wilcoxon p {p_text(comparison.wilcoxon_p)}{floor})"
    )


def p_text(p: float) -> str:
    """Return a p value with its sign of relation; below 0.0001 only that."""
    return f"= {p:.2g}" if p >= 1e-4 else "< 0.0001"


_OPERATORS = {
    "<": lambda value, bound: value < bound, "<=": lambda value, bound: value <= bound,
    ">": lambda value, bound: value > bound, ">=": lambda value, bound: value >= bound,
    "==": lambda value, bound: math.isclose(value, bound, abs_tol=1e-9),
}  # fmt: skip


def holds(condition: Condition, metrics: dict[str, float]) -> bool | None:
    """Return whether a condition holds; None where its metric was not measured or is no number."""
    value = metrics.get(condition.metric)
    if value is None or math.isnan(value):
        return None
    return _OPERATORS[condition.operator](value, condition.value)


_NAMES = {"success": "success criterion", "limits": "side-effect limit", "negative_controls": "negative control"}
ConditionKind = Literal["success", "limits", "negative_controls"]


def _conditions(trial: Trial, kind: ConditionKind) -> list[Condition]:
    return getattr(trial.intervention, kind) if trial.intervention else []


def _broken(trial: Trial, kind: ConditionKind) -> list[str]:
    return [f"{_NAMES[kind]} {_spell(condition)} is broken: it is {trial.metrics[condition.metric]:.4g}"
            for condition in _conditions(trial, kind) if holds(condition, trial.metrics) is False]  # fmt: skip


def _unjudged(trial: Trial) -> list[str]:
    """Return what a promoted or kept version leaves open: conditions without a measurement, controls that moved."""
    kinds: tuple[ConditionKind, ...] = ("success", "limits", "negative_controls")
    unknown = [
        f"{_NAMES[kind]} {_spell(condition)} is not judged: the metric was not measured"
        for kind in kinds
        for condition in _conditions(trial, kind)
        if holds(condition, trial.metrics) is None
    ]
    return unknown + _broken(trial, "negative_controls")


def _spell(condition: Condition) -> str:
    return f"{condition.metric} {condition.operator} {condition.value:.4g}"


def _score_prediction(trial: Trial) -> tuple[float | None, bool | None]:
    """Return the observed change of the predicted metric against the incumbent, and whether the direction was right."""
    if trial.intervention is None or not trial.comparisons:
        return None, None
    prediction = trial.intervention.prediction
    before, after = trial.incumbent_metrics.get(prediction.metric), trial.metrics.get(prediction.metric)
    if before is None or after is None or math.isnan(after - before):
        return None, None
    observed = round(after - before, 12)
    return observed, _is_hit(prediction, observed)


def _is_hit(prediction: Prediction, observed: float) -> bool:
    """Up and down are hit by the sign alone, "none" by staying inside the predicted interval."""
    if prediction.direction == "none":
        return prediction.low <= observed <= prediction.high
    return observed > 0 if prediction.direction == "up" else observed < 0


def _prediction_reasons(trial: Trial, observed: float | None, hit: bool | None) -> list[str]:
    if trial.intervention is None or not trial.comparisons:
        return []
    prediction = trial.intervention.prediction
    said = f"predicted {prediction.metric} {prediction.direction} by {prediction.size:+.4g}"
    if observed is None:
        return [f"{said}: not observed, the metric is not measured on both versions"]
    return [f"{said}, observed {observed:+.4g}: {'hit' if hit else 'missed'}"]
