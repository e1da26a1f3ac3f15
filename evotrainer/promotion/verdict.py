"""The verdict: one function decides, from numbers alone, what becomes of a version.

    promoted      better than its incumbent on the named validation problems, by the campaign's gate
    kept          valid, nothing claimed: no difference is shown, or its own criterion is unmet; may be a parent
    rejected      worse beyond chance, or a side-effect limit is broken, or never worth training, or a duplicate
    invalid       an unresolved `invalid` finding: never promoted, whatever its score (the greedy baseline hears none)
    inconclusive  nothing can be decided: attempts lost, too few problems, or the gate undecided at its last attempt
    failed        training broke off; `label` says how

Rules are asked in the order of `_RULES`; the first that rules decides. Each reason is a true sentence with its numbers.
The claim is about this checkpoint on these problems; that its *recipe* is better takes fresh training seeds and is
claimed apart, in its confirmation. Under the sequential gate only fresh rows promote: `gate` is what they said, None
where the screening score was not above the incumbent's. No difference below the noise floor is an improvement under
any rule. `GATE_VERSION` is stored with every verdict, because verdicts are never rewritten.
"""

import math
from dataclasses import dataclass, field

from evotrainer.config import EvaluateConfig
from evotrainer.config.criteria import CONDITION_KINDS, broken, spell, unmeasured
from evotrainer.promotion.verdict_text import describe, describe_gate, describe_losses
from evotrainer.records import (
    DUPLICATE,
    LOST_ATTEMPTS,
    AccessPolicy,
    CheckpointClaim,
    Comparison,
    Finding,
    Intervention,
    NoiseFloor,
    Outcome,
    Prediction,
    Verdict,
    VersionSpec,
)

GATE_VERSION = "3"
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
    gate: CheckpointClaim | None = None
    noise_floor: NoiseFloor | None = None
    """The campaign's, measured on the base policy."""
    intervention: Intervention | None = None
    findings: tuple[Finding, ...] = ()
    metrics: dict[str, float] = field(default_factory=dict)
    """Score and harness metrics of this version, by the names that conditions and predictions use."""
    incumbent_metrics: dict[str, float] = field(default_factory=dict)
    rescored: dict[str, float] = field(default_factory=dict)
    """Scores under `rescored_under`, of this version and of its peers, by version."""
    rescored_under: AccessPolicy | None = None
    """Stricter than what the screening rows were drawn under, or the same where peers alone were scored again."""


@dataclass(frozen=True)
class _Ruling:
    outcome: Outcome
    claim: str
    reasons: list[str]
    label: str = ""
    is_believed: bool = True  # whether the numbers may be held against the prediction


def decide(trial: Trial, evaluate: EvaluateConfig) -> Verdict:
    """Return the verdict on a trial under the campaign's gate."""
    ruling = next(found for rule in _RULES if (found := rule(trial, evaluate)) is not None)
    observed, hit = _score_prediction(trial) if ruling.is_believed else (None, None)
    reasons = [*ruling.reasons, *(_prediction_reasons(trial, observed, hit) if ruling.is_believed else [])]
    return Verdict(
        version=trial.spec.version,
        outcome=ruling.outcome,
        label=ruling.label,
        claim=ruling.claim,
        reasons=reasons,
        score=trial.score,
        score_low=trial.score_low,
        score_high=trial.score_high,
        greedy_score=trial.greedy_score,
        leak_free_score=trial.rescored.get(trial.spec.version),
        rescored={name: score for name, score in trial.rescored.items() if name != trial.spec.version},
        rescored_under=trial.rescored_under,
        comparisons=list(trial.comparisons),
        gate=trial.gate,
        noise_floor=trial.noise_floor,
        prediction_observed=observed,
        prediction_hit=hit,
        gate_version=f"{GATE_VERSION}/{evaluate.gate}",
        harness_version=trial.harness_version,
    )


def _failed(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    if not trial.failure_label:
        return None
    return _Ruling(
        "failed",
        "none: training broke off",
        [trial.training_reason or f"training ended with {trial.failure_label}"],
        trial.failure_label,
    )


def _refused(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    if trial.is_trained:
        return None
    return _Ruling("rejected", "none: not trained", [f"the backtest refused it: {trial.training_reason}"])


def _duplicate(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    if not trial.duplicate_of:
        return None
    reason = f"its policy is bit by bit that of {trial.duplicate_of}: a duplicate is no trial"
    return _Ruling("rejected", f"none: a duplicate of {trial.duplicate_of}", [reason], DUPLICATE, is_believed=False)


def _inconclusive(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    lost = [*_lost(trial, evaluate), *_lost_rounds(trial, evaluate)]
    reasons = list(lost)
    if trial.comparisons and trial.comparisons[0].num_problems < MIN_PROBLEMS:
        reasons.append(
            f"{trial.comparisons[0].num_problems} problems cannot reach 5% in a paired test: "
            f"at least {MIN_PROBLEMS} are needed"
        )
    if not reasons:
        return None
    return _Ruling(
        "inconclusive",
        "none: the evaluation cannot carry one",
        reasons + _invalid_reasons(trial),
        LOST_ATTEMPTS if lost else "",
        is_believed=False,
    )


def _lost(trial: Trial, evaluate: EvaluateConfig) -> list[str]:
    """Return what infrastructure took from the screening rows, where that is too much to decide by them."""
    reasons = []
    if trial.error_share > evaluate.max_error_share:
        reasons.append(describe_losses(trial.error_share, "attempts", evaluate.max_error_share))
    if trial.ungraded:
        reasons.append(f"{len(trial.ungraded)} problems have no graded attempt (first: '{trial.ungraded[0]}')")
    return reasons


def _lost_rounds(trial: Trial, evaluate: EvaluateConfig) -> list[str]:
    """Return what infrastructure took from the fresh rounds, where that is too much to decide by them.

    What one arm lost more than the other may all have been wrong: the difference must reach the floor without it.
    """
    gate = trial.gate
    if gate is None:
        return []
    reasons = [f"problem '{problem}' lost all attempts of a fresh round" for problem in gate.held[:1]]
    if gate.error_share > evaluate.max_error_share:
        reasons.append(describe_losses(gate.error_share, "fresh attempts of an arm", evaluate.max_error_share))
    elif gate.outcome == "promoted" and (gate.estimate or 0.0) - gate.uneven_loss < gate.noise_floor:
        reasons.append(
            f"one arm lost {gate.uneven_loss:.1%} more of its fresh attempts than the other: were those all "
            f"wrong, {gate.estimate:+.4f} would not reach the noise floor"
        )
    return reasons


def _invalid(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    reasons = _invalid_reasons(trial)
    if not reasons or evaluate.gate == "greedy":
        return None
    reasons += _corrected(trial)
    facts = [describe(against, evaluate.confidence) for against in trial.comparisons[:1]]
    return _Ruling("invalid", "none: its score is not to be believed", reasons + facts, is_believed=False)


def _invalid_reasons(trial: Trial) -> list[str]:
    return [f"{found.mode}: {found.message}" for found in trial.findings if found.severity == "invalid"]


def _corrected(trial: Trial) -> list[str]:
    if trial.rescored_under is None:
        return []
    scores = ", ".join(f"{name} {score:.4f}" for name, score in trial.rescored.items())
    return [f"scored again {trial.rescored_under.wording}: {scores}"]


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
        facts += _below_floor(trial)
        return _Ruling("promoted", f"a higher score than {against.against}; chance is not ruled out", facts)
    return _Ruling("rejected", "none: no higher score", facts)


def _rejected(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    """Judge what the screening rows and harness metrics show; limits that fresh rows judge are left to them."""
    against = trial.comparisons[0]
    reasons = broken(_unjudged_by_gate(trial), "limits", trial.metrics)
    facts = [describe(against, evaluate.confidence)]
    if against.high < 0:
        is_screen = evaluate.gate == "sequential"
        worse = f"worse than {against.against} on these {against.num_problems} problems"
        below = f"none: its screening score lies below {against.against}'s beyond chance"
        return _Ruling("rejected", below if is_screen else worse, facts + reasons)
    return _Ruling("rejected", "none: a side-effect limit is broken", reasons + facts) if reasons else None


def _screened_out(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    if evaluate.gate != "sequential" or trial.gate is not None:
        return None
    against = trial.comparisons[0]
    facts = [describe(against, evaluate.confidence), *_left_open(trial)]
    return _Ruling("kept", f"none: its screening score is not above {against.against}'s", facts)


def _sequential(trial: Trial, evaluate: EvaluateConfig) -> _Ruling | None:
    """Judge by the fresh rows alone: score and limits under the campaign's error budget."""
    gate = trial.gate
    if evaluate.gate != "sequential" or gate is None:
        return None
    facts = [*describe_gate(gate, evaluate.confidence), describe(trial.comparisons[0], evaluate.confidence)]
    if any(limit.outcome == "harmful" for limit in gate.limits):
        return _Ruling("rejected", "none: a side-effect limit is broken", facts)
    if gate.outcome == "promoted":
        return _passed(trial, gate, facts, evaluate)
    facts += _left_open(trial)
    if gate.outcome == "harmful":
        is_shown = gate.high < 0
        claim = f"worse than {gate.against} on these {gate.num_problems} problems"
        return _Ruling("rejected", claim if is_shown else f"none: no better than {gate.against}", facts)
    if gate.outcome == "futile":
        return _Ruling("kept", f"none: no improvement on {gate.against} worth its attempts is in sight", facts)
    return _Ruling("inconclusive", f"none: undecided after {gate.attempts} fresh attempts a problem", facts)


def _passed(trial: Trial, gate: CheckpointClaim, facts: list[str], evaluate: EvaluateConfig) -> _Ruling:
    """Judge a version whose score the gate promoted: its limits and its own criterion must hold too."""
    unmet = broken(trial.intervention, "success", trial.metrics)
    facts += unmet + _left_open(trial)
    if any(limit.outcome == "futile" for limit in gate.limits):
        return _Ruling("kept", "none: better, but a side-effect limit is not shown to hold", facts)
    if any(limit.outcome != "promoted" for limit in gate.limits):
        return _Ruling("inconclusive", "none: better, but a side-effect limit is undecided", facts)
    if kept := _unmet(trial, unmet, facts):
        return kept
    return _Ruling("promoted", _better(gate.against, gate.num_problems, evaluate), facts)


def _unmet(trial: Trial, unmet: list[str], facts: list[str]) -> _Ruling | None:
    """Rule on a better version that misses its own criterion, or of which what it promised was not measured."""
    if unmet:
        return _Ruling("kept", "none: better, but its own success criterion is not met", facts)
    intervention = _unjudged_by_gate(trial)
    if any(unmeasured(intervention, kind, trial.metrics) for kind in ("success", "limits")):
        return _Ruling("kept", "none: better, but a condition of its own was not measured", facts)
    return None


def _paired(trial: Trial, evaluate: EvaluateConfig) -> _Ruling:
    against = trial.comparisons[0]
    unmet = broken(trial.intervention, "success", trial.metrics)
    facts = [describe(against, evaluate.confidence), *unmet, *_left_open(trial)]
    if against.low > 0 and (noise := _below_floor(trial)):
        return _Ruling("kept", "none: the difference is below the noise floor", facts + noise)
    if against.low > 0 and (kept := _unmet(trial, unmet, facts)):
        return kept
    if against.low > 0:
        return _Ruling("promoted", _better(against.against, against.num_problems, evaluate), facts)
    return _Ruling("kept", f"none: no difference to {against.against} is shown", facts)


def _better(against: str, num_problems: int, evaluate: EvaluateConfig) -> str:
    scope = f"{against} on these {num_problems} problems"
    if evaluate.recipe_seeds:
        return f"this checkpoint is better than {scope}; its recipe is judged apart, on fresh training seeds"
    return f"this checkpoint is better than {scope}; recipe unproven (one training seed)"


def _below_floor(trial: Trial) -> list[str]:
    """Return why a difference is no improvement: it is smaller than what no change at all would show."""
    against = trial.comparisons[0]
    floor = _floor(trial)
    if against.difference >= floor:
        return []
    return [f"the difference {against.difference:+.4f} is below the noise floor {floor:.4f}: no improvement"]


def _floor(trial: Trial) -> float:
    """Return the larger of the campaign's noise floor and the comparison's own."""
    own = trial.comparisons[0].noise_floor or 0.0
    return max(own, trial.noise_floor.value if trial.noise_floor else 0.0)


def _unjudged_by_gate(trial: Trial) -> Intervention | None:
    """Return the intervention without the limits that fresh rows judge."""
    if trial.intervention is None or trial.gate is None:
        return trial.intervention
    judged = {limit.condition for limit in trial.gate.limits}
    limits = [condition for condition in trial.intervention.limits if spell(condition) not in judged]
    return trial.intervention.model_copy(update={"limits": limits})


def _left_open(trial: Trial) -> list[str]:
    """Return what a verdict leaves open: conditions without a measurement, controls that moved."""
    intervention = _unjudged_by_gate(trial)
    unknown = [text for kind in CONDITION_KINDS for text in unmeasured(intervention, kind, trial.metrics)]
    return unknown + broken(intervention, "negative_controls", trial.metrics)


_RULES = (
    _failed,
    _refused,
    _duplicate,
    _inconclusive,
    _base,
    _invalid,
    _greedy_gate,
    _rejected,
    _screened_out,
    _sequential,
    _paired,
)


def _score_prediction(trial: Trial) -> tuple[float | None, bool | None]:
    """Return the observed change of the predicted metric against the incumbent, and whether the direction was right."""
    if trial.intervention is None or not trial.comparisons:
        return None, None
    prediction = trial.intervention.prediction
    if prediction.metric == "score" and trial.gate is not None and trial.gate.estimate is not None:
        return trial.gate.estimate, _is_hit(prediction, trial.gate.estimate, _floor(trial))
    before, after = trial.incumbent_metrics.get(prediction.metric), trial.metrics.get(prediction.metric)
    if before is None or after is None or math.isnan(after - before):
        return None, None
    observed = round(after - before, 12)
    return observed, _is_hit(prediction, observed, _floor(trial) if prediction.metric == "score" else 0.0)


def _is_hit(prediction: Prediction, observed: float, floor: float) -> bool | None:
    """Up and down are hit by the sign, "none" by staying inside the predicted interval.

    None where a change is smaller than what no change at all would show: it has no sign to speak of.
    """
    if prediction.direction == "none":
        return prediction.low <= observed <= prediction.high
    if abs(observed) < floor:
        return None
    return observed > 0 if prediction.direction == "up" else observed < 0


def _prediction_reasons(trial: Trial, observed: float | None, hit: bool | None) -> list[str]:
    if trial.intervention is None or not trial.comparisons:
        return []
    prediction = trial.intervention.prediction
    said = f"predicted {prediction.metric} {prediction.direction} by {prediction.size:+.4g}"
    if observed is None:
        return [f"{said}: not observed, the metric is not measured on both versions"]
    word = {True: "hit", False: "missed", None: f"undecided, below the noise floor {_floor(trial):.4f}"}[hit]
    return [f"{said}, observed {observed:+.4g}: {word}"]
