"""The verdict: one function decides, from numbers alone, what becomes of a version.

    promoted      better than its incumbent on the named validation problems, by the campaign's gate
    kept          valid, nothing claimed: no difference is shown, or its own criterion is unmet; may be a parent
    rejected      worse beyond chance, or a side-effect limit is broken, or never worth training, or a duplicate
    invalid       an unresolved `invalid` finding: never promoted, whatever its score (the greedy baseline hears none)
    inconclusive  nothing can be decided: attempts lost, too few problems, or the gate undecided at its last attempt
    failed        training broke off; `label` says how

Rules are asked in the order of `_RULES`; the first that rules decides. Each reason is a true sentence with its numbers.
The claim is about this checkpoint on these problems; that its *recipe* is better takes fresh training seeds and is
claimed apart, in its confirmation. Under the sequential gate only fresh rows promote: `gate` is what they showed, None
where the screening score was not above the incumbent's. No difference below the noise floor is an improvement under
any rule. `GATE_VERSION` is stored with every verdict, because verdicts are never rewritten.
"""

import math
from dataclasses import dataclass

from evotrainer.config import EvaluateConfig
from evotrainer.config.interventions import CONDITION_KINDS, broken, spell, unmeasured
from evotrainer.promotion.evaluation import MIN_PROBLEMS, Evaluation
from evotrainer.promotion.measures import MEASURES, WORDS
from evotrainer.promotion.verdict_text import describe, describe_gate, describe_losses
from evotrainer.records import DUPLICATE, LOST_ATTEMPTS, CheckpointClaim, Intervention, Outcome, Prediction, Verdict

GATE_VERSION = "3"


@dataclass(frozen=True)
class _Ruling:
    outcome: Outcome
    claim: str
    reasons: list[str]
    label: str = ""
    is_believed: bool = True  # whether the numbers may be held against the prediction


def decide(evaluation: Evaluation, limits: EvaluateConfig) -> Verdict:
    """Return the verdict on an evaluation under the campaign's gate."""
    ruling = next(found for rule in _RULES if (found := rule(evaluation, limits)) is not None)
    observed, hit = observe_prediction(evaluation) if ruling.is_believed else (None, None)
    reasons = [*ruling.reasons, *(prediction_reasons(evaluation, observed, hit) if ruling.is_believed else [])]
    return Verdict(
        version=evaluation.spec.version,
        outcome=ruling.outcome,
        label=ruling.label,
        claim=ruling.claim,
        reasons=reasons,
        score=evaluation.screening.score,
        score_low=evaluation.screening.low,
        score_high=evaluation.screening.high,
        greedy_score=evaluation.screening.greedy_score,
        leak_free_score=evaluation.rescored.get(evaluation.spec.version),
        rescored={name: score for name, score in evaluation.rescored.items() if name != evaluation.spec.version},
        rescored_under=evaluation.rescored_under,
        comparisons=list(evaluation.screening.comparisons),
        gate=evaluation.gate,
        noise_floor=evaluation.noise_floor,
        prediction_observed=observed,
        prediction_hit=hit,
        gate_version=f"{GATE_VERSION}/{limits.gate}",
        harness_version=evaluation.report.harness_version,
    )


def _failed(evaluation: Evaluation, limits: EvaluateConfig) -> _Ruling | None:
    training = evaluation.training
    if not training.label:
        return None
    reason = training.reason or f"training ended with {training.label}"
    return _Ruling("failed", "none: training broke off", [reason], training.label)


def _refused(evaluation: Evaluation, limits: EvaluateConfig) -> _Ruling | None:
    if evaluation.training.trained:
        return None
    return _Ruling("rejected", "none: not trained", [f"the backtest refused it: {evaluation.training.reason}"])


def _duplicate(evaluation: Evaluation, limits: EvaluateConfig) -> _Ruling | None:
    twin = evaluation.duplicate_of
    if not twin:
        return None
    reason = f"its policy is bit by bit that of {twin}: a duplicate is no trial"
    return _Ruling("rejected", f"none: a duplicate of {twin}", [reason], DUPLICATE, is_believed=False)


def _inconclusive(evaluation: Evaluation, limits: EvaluateConfig) -> _Ruling | None:
    lost = [*_lost(evaluation, limits), *_lost_rounds(evaluation, limits)]
    reasons = list(lost)
    against = evaluation.against
    if against is not None and against.num_problems < MIN_PROBLEMS:
        reasons.append(
            f"{against.num_problems} problems cannot reach 5% in a paired test: at least {MIN_PROBLEMS} are needed"
        )
    if not reasons:
        return None
    return _Ruling(
        "inconclusive",
        "none: the evaluation cannot carry one",
        reasons + _invalid_reasons(evaluation),
        LOST_ATTEMPTS if lost else "",
        is_believed=False,
    )


def _lost(evaluation: Evaluation, limits: EvaluateConfig) -> list[str]:
    """Return what infrastructure took from the screening rows, where that is too much to decide by them."""
    reasons, share, ungraded = [], evaluation.screening.error_share or 0.0, evaluation.screening.ungraded
    if share > limits.max_error_share:
        reasons.append(describe_losses(share, "attempts", limits.max_error_share))
    if ungraded:
        reasons.append(f"{len(ungraded)} problems have no graded attempt (first: '{ungraded[0]}')")
    return reasons


def _lost_rounds(evaluation: Evaluation, limits: EvaluateConfig) -> list[str]:
    """Return what infrastructure took from the fresh rounds, where that is too much to decide by them.

    What it took within the limit the gate has counted at its worst.
    """
    gate = evaluation.gate
    if gate is None:
        return []
    reasons = [f"problem '{problem}' lost all attempts of a fresh round" for problem in gate.held[:1]]
    if gate.error_share > limits.max_error_share:
        reasons.append(describe_losses(gate.error_share, "fresh attempts of an arm", limits.max_error_share))
    return reasons


def _invalid(evaluation: Evaluation, limits: EvaluateConfig) -> _Ruling | None:
    reasons = _invalid_reasons(evaluation)
    if not reasons or limits.gate == "greedy":
        return None
    reasons += _corrected(evaluation)
    facts = [describe(against, limits.confidence) for against in evaluation.screening.comparisons[:1]]
    return _Ruling("invalid", "none: its score is not to be believed", reasons + facts, is_believed=False)


def _invalid_reasons(evaluation: Evaluation) -> list[str]:
    return [f"{found.mode}: {found.message}" for found in evaluation.invalid_findings]


def _corrected(evaluation: Evaluation) -> list[str]:
    if evaluation.rescored_under is None:
        return []
    scores = ", ".join(f"{name} {score:.4f}" for name, score in evaluation.rescored.items())
    return [f"scored again {evaluation.rescored_under.wording}: {scores}"]


def _base(evaluation: Evaluation, limits: EvaluateConfig) -> _Ruling | None:
    if evaluation.spec.kind != "base":
        return None
    return _Ruling("kept", "base policy", ["the policy before reinforcement learning: the zero of every comparison"])


def _greedy_gate(evaluation: Evaluation, limits: EvaluateConfig) -> _Ruling | None:
    """Keep if better, else discard: the rule of score-only hill climbing, with no control of error."""
    if limits.gate != "greedy":
        return None
    against = evaluation.screening.comparisons[0]
    facts = [describe(against, limits.confidence)]
    facts += [f"not heeded by this gate: {reason}" for reason in _invalid_reasons(evaluation)]
    if against.difference > 0:
        facts += _below_floor(evaluation)
        words = WORDS[against.metric]
        return _Ruling("promoted", f"a higher {words} than {against.against}; chance is not ruled out", facts)
    return _Ruling("rejected", f"none: no higher {WORDS[against.metric]}", facts)


def _rejected(evaluation: Evaluation, limits: EvaluateConfig) -> _Ruling | None:
    """Judge what the screening rows and harness metrics show; limits that fresh rows judge are left to them."""
    against = evaluation.screening.comparisons[0]
    reasons = broken(_unjudged_by_gate(evaluation), "limits", evaluation.metrics)
    facts = [describe(against, limits.confidence)]
    if against.high < 0:
        below = f"none: its screening {WORDS[against.metric]} lies below {against.against}'s beyond chance"
        return _Ruling("rejected", below, facts + reasons)
    return _Ruling("rejected", "none: a side-effect limit is broken", reasons + facts) if reasons else None


def _screened_out(evaluation: Evaluation, limits: EvaluateConfig) -> _Ruling:
    against = evaluation.screening.comparisons[0]
    facts = [describe(against, limits.confidence), *_left_open(evaluation)]
    words = f"its screening {WORDS[against.metric]}"
    if against.difference <= 0:
        return _Ruling("kept", f"none: {words} is not above {against.against}'s", facts)
    return _Ruling("kept", f"none: {words} is above {against.against}'s, by too little for fresh attempts", facts)


def _sequential(evaluation: Evaluation, limits: EvaluateConfig) -> _Ruling:
    """Judge by the fresh rows alone: score and limits under the campaign's error budget."""
    gate = evaluation.gate
    if gate is None:
        return _screened_out(evaluation, limits)
    facts = [*describe_gate(gate, limits.confidence), describe(evaluation.screening.comparisons[0], limits.confidence)]
    if any(limit.outcome == "harmful" for limit in gate.limits):
        return _Ruling("rejected", "none: a side-effect limit is broken", facts)
    if gate.outcome == "promoted":
        return _passed(evaluation, gate, facts, limits)
    facts += _left_open(evaluation)
    if gate.outcome == "harmful":
        is_shown = gate.high < 0
        claim = f"worse than {gate.against} on these {gate.num_problems} problems"
        return _Ruling("rejected", claim if is_shown else f"none: no better than {gate.against}", facts)
    if gate.outcome == "futile":
        return _Ruling("kept", f"none: no improvement on {gate.against} worth its attempts is in sight", facts)
    return _Ruling("inconclusive", f"none: undecided after {gate.attempts} fresh attempts a problem", facts)


def _passed(evaluation: Evaluation, gate: CheckpointClaim, facts: list[str], limits: EvaluateConfig) -> _Ruling:
    """Judge a version whose score the gate promoted: its limits and its own criterion must hold too."""
    unmet = broken(evaluation.intervention, "success", evaluation.metrics)
    facts += unmet + _left_open(evaluation)
    if any(limit.outcome == "futile" for limit in gate.limits):
        return _Ruling("kept", "none: better, but a side-effect limit is not shown to hold", facts)
    if any(limit.outcome != "promoted" for limit in gate.limits):
        return _Ruling("inconclusive", "none: better, but a side-effect limit is undecided", facts)
    if kept := _unmet(evaluation, unmet, facts):
        return kept
    return _Ruling("promoted", _better(gate.against, gate.num_problems, limits), facts)


def _unmet(evaluation: Evaluation, unmet: list[str], facts: list[str]) -> _Ruling | None:
    """Rule on a better version that misses its own criterion, or of which what it promised was not measured."""
    if unmet:
        return _Ruling("kept", "none: better, but its own success criterion is not met", facts)
    intervention = _unjudged_by_gate(evaluation)
    if any(unmeasured(intervention, kind, evaluation.metrics) for kind in ("success", "limits")):
        return _Ruling("kept", "none: better, but a condition of its own was not measured", facts)
    return None


def _better(against: str, num_problems: int, limits: EvaluateConfig) -> str:
    by = "" if limits.measure == "mean" else f", by {MEASURES[limits.measure].words}"
    scope = f"{against} on these {num_problems} problems{by}"
    if limits.recipe_seeds:
        return f"this checkpoint is better than {scope}; its recipe is judged apart, on fresh training seeds"
    return f"this checkpoint is better than {scope}; recipe unproven (one training seed)"


def _below_floor(evaluation: Evaluation) -> list[str]:
    """Return why a difference is no improvement: it is smaller than what no change at all would show."""
    against = evaluation.screening.comparisons[0]
    floor = evaluation.floor
    if against.difference >= floor:
        return []
    return [f"the difference {against.difference:+.4f} is below the noise floor {floor:.4f}: no improvement"]


def _unjudged_by_gate(evaluation: Evaluation) -> Intervention | None:
    """Return the intervention without the limits that fresh rows judge."""
    if evaluation.intervention is None or evaluation.gate is None:
        return evaluation.intervention
    judged = {limit.condition for limit in evaluation.gate.limits}
    left = [condition for condition in evaluation.intervention.limits if spell(condition) not in judged]
    return evaluation.intervention.model_copy(update={"limits": left})


def _left_open(evaluation: Evaluation) -> list[str]:
    """Return what a verdict leaves open: conditions without a measurement, controls that moved."""
    intervention = _unjudged_by_gate(evaluation)
    unknown = [text for kind in CONDITION_KINDS for text in unmeasured(intervention, kind, evaluation.metrics)]
    return unknown + broken(intervention, "negative_controls", evaluation.metrics)


_RULES = (_failed, _refused, _duplicate, _inconclusive, _base, _invalid, _greedy_gate, _rejected, _sequential)


def observe_prediction(evaluation: Evaluation) -> tuple[float | None, bool | None]:
    """Return the observed change of the predicted metric against the incumbent, and whether the direction was right.

    The change of a score is that on fresh rows where the gate drew any. None where it was not measured on both sides.
    """
    if evaluation.intervention is None or evaluation.against is None:
        return None, None
    prediction, gate = evaluation.intervention.prediction, evaluation.gate
    if prediction.metric == evaluation.against.metric and gate is not None and gate.estimate is not None:
        return gate.estimate, _is_hit(prediction, gate.estimate, evaluation.floor)
    before, after = evaluation.incumbent_value(prediction.metric), evaluation.metrics.get(prediction.metric)
    if before is None or after is None or math.isnan(after - before):
        return None, None
    observed = round(after - before, 12)
    return observed, _is_hit(prediction, observed, evaluation.floor if prediction.metric == "score" else 0.0)


def prediction_reasons(evaluation: Evaluation, observed: float | None, hit: bool | None) -> list[str]:
    """Return what became of the prediction as a sentence; empty where there is none to judge."""
    if evaluation.intervention is None or evaluation.against is None:
        return []
    prediction = evaluation.intervention.prediction
    said = f"predicted {prediction.words}"
    if observed is None:
        return [f"{said}: not observed, the metric is not measured on both versions"]
    word = {True: "hit", False: "missed", None: f"undecided, below the noise floor {evaluation.floor:.4f}"}[hit]
    return [f"{said}, observed {observed:+.4g}: {word}"]


def _is_hit(prediction: Prediction, observed: float, floor: float) -> bool | None:
    """Up and down are hit by the sign, "none" by staying inside the predicted interval.

    None where a change is smaller than what no change at all would show: its sign says nothing.
    """
    if prediction.direction == "none":
        return prediction.low <= observed <= prediction.high
    if abs(observed) < floor:
        return None
    return observed > 0 if prediction.direction == "up" else observed < 0
