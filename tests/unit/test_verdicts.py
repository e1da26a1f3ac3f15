"""decide(): every outcome, the order of the rules, and that reasons are true sentences with numbers."""

from typing import Any

import pytest

from evotrainer.config.interventions import holds
from evotrainer.promotion.evaluation import why_ungated
from evotrainer.promotion.verdict import GATE_VERSION, decide
from evotrainer.records import Condition, Direction, GateOutcome, NoiseFloor, WinnersCurse
from tests.evaluations import GREEDY, INVALID, SEQUENTIAL, claim, comparison, evaluation, intervention, limit


@pytest.mark.parametrize(
    ("low", "high", "outcome"), [(-0.02, 0.03, "promoted"), (-0.03, 0.03, "rejected"), (-0.05, 0.03, "rejected")]
)
def test_the_greedy_gate_takes_any_higher_score_and_discards_the_rest(low: float, high: float, outcome: str) -> None:
    verdict = decide(evaluation(low, high), GREEDY)
    assert verdict.outcome == outcome
    assert verdict.gate_version == f"{GATE_VERSION}/greedy"


def test_an_invalid_finding_blocks_any_score() -> None:
    verdict = decide(evaluation(0.3, 0.4, findings=[INVALID]), SEQUENTIAL)
    assert verdict.outcome == "invalid"
    said = "reward_outcome_divergence: the length term rises while correctness falls"
    assert verdict.reasons[0] == said
    greedy = decide(evaluation(0.3, 0.4, findings=[INVALID]), GREEDY)
    assert greedy.outcome == "promoted" and f"not heeded by this gate: {said}" in greedy.reasons
    assert decide(evaluation(gate=claim(), findings=[INVALID]), SEQUENTIAL).outcome == "invalid"
    critical = INVALID.model_copy(update={"severity": "critical"})
    assert decide(evaluation(gate=claim(), findings=[critical]), SEQUENTIAL).outcome == "promoted"


def test_training_that_broke_off_is_a_failure_with_its_label() -> None:
    said = "stopped after step 12: train_budget_overrun"
    stopped = evaluation(comparisons=(), trained=False, label="train_budget_overrun", reason=said)
    verdict = decide(stopped, SEQUENTIAL)
    assert (verdict.outcome, verdict.label, verdict.reasons) == ("failed", "train_budget_overrun", [said])


def test_lost_attempts_make_it_inconclusive_never_worse() -> None:
    verdict = decide(evaluation(-0.4, -0.3, error_share=0.07), SEQUENTIAL)
    assert verdict.outcome == "inconclusive"
    assert "7.0% of the attempts, more than the 5.0% allowed" in verdict.reasons[0]
    assert decide(evaluation(error_share=0.05, gate=claim()), SEQUENTIAL).outcome == "promoted"
    ungraded = decide(evaluation(comparisons=(), ungraded=("p7", "p9")), SEQUENTIAL)
    assert ungraded.outcome == "inconclusive"
    assert ungraded.reasons == ["2 problems have no graded attempt (first: 'p7')"]


def test_too_few_problems_are_inconclusive() -> None:
    few, enough = (
        evaluation(comparisons=(comparison(0.2, 0.4, num_problems=count),), gate=claim()) for count in (5, 6)
    )
    assert decide(few, SEQUENTIAL).outcome == "inconclusive" and decide(enough, SEQUENTIAL).outcome == "promoted"


def test_an_inconclusive_version_still_tells_of_its_invalid_finding() -> None:
    verdict = decide(evaluation(error_share=0.5, findings=[INVALID]), SEQUENTIAL)
    assert verdict.outcome == "inconclusive"
    assert any("reward_outcome_divergence" in reason for reason in verdict.reasons)


@pytest.mark.parametrize(
    ("kind", "name", "outcome"), [("success", "success criterion", "kept"), ("limits", "side-effect limit", "rejected")]
)
def test_a_broken_condition_blocks_even_a_better_score(kind: str, name: str, outcome: str) -> None:
    broken = intervention(**{kind: [Condition(metric="truncation_rate", operator="<=", value=0.2)]})
    verdict = decide(evaluation(gate=claim(), intervention=broken, metrics={"truncation_rate": 0.31}), SEQUENTIAL)
    assert verdict.outcome == outcome
    assert f"{name} truncation_rate <= 0.2 is broken: it is 0.31" in verdict.reasons
    kept = decide(evaluation(gate=claim(), intervention=broken, metrics={"truncation_rate": 0.2}), SEQUENTIAL)
    assert kept.outcome == "promoted"


@pytest.mark.parametrize(("kind", "name"), [("success", "success criterion"), ("limits", "side-effect limit")])
@pytest.mark.parametrize("metrics", [{}, {"mean_tokens": float("nan")}])
def test_what_was_not_measured_vouches_for_nothing(metrics: dict[str, float], kind: str, name: str) -> None:
    unknown = intervention(**{kind: [Condition(metric="mean_tokens", operator="<=", value=20.0)]})
    verdict = decide(evaluation(gate=claim(), intervention=unknown, metrics=metrics), SEQUENTIAL)
    assert (verdict.outcome, verdict.claim) == ("kept", "none: better, but a condition of its own was not measured")
    assert f"{name} mean_tokens <= 20 is not judged: the metric was not measured" in verdict.reasons


def test_a_negative_control_that_moves_is_told() -> None:
    moved = intervention(negative_controls=[Condition(metric="mean_tokens", operator="<=", value=20)])
    verdict = decide(evaluation(gate=claim(), intervention=moved, metrics={"mean_tokens": 31.0}), SEQUENTIAL)
    assert verdict.outcome == "promoted"
    assert "negative control mean_tokens <= 20 is broken: it is 31" in verdict.reasons


@pytest.mark.parametrize(
    ("direction", "after", "hit"),
    [
        ("up", 0.61, True),
        ("up", 0.6, False),
        ("up", 0.55, False),
        ("down", 0.55, True),
        ("down", 0.61, False),
        ("none", 0.61, True),
        ("none", 0.7, False),
    ],
)
def test_a_prediction_is_scored_by_its_direction(direction: Direction, after: float, hit: bool) -> None:
    verdict = decide(
        evaluation(
            intervention=intervention(direction, "dead_group_ratio"),
            metrics={"dead_group_ratio": after},
            incumbent_metrics={"dead_group_ratio": 0.6},
        ),
        SEQUENTIAL,
    )
    assert verdict.prediction_hit is hit
    assert verdict.prediction_observed == pytest.approx(after - 0.6)
    assert verdict.reasons[-1].endswith("hit" if hit else "missed")


def test_a_prediction_that_cannot_be_observed_is_neither_hit_nor_miss() -> None:
    verdict = decide(evaluation(intervention=intervention(metric="kl"), metrics={"kl": 0.1}), SEQUENTIAL)
    assert (verdict.prediction_observed, verdict.prediction_hit) == (None, None)
    assert "not observed" in verdict.reasons[-1]


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [("<", 0.3, False), ("<=", 0.3, True), (">", 0.3, False), (">=", 0.3, True), ("==", 0.3, True), ("==", 0.4, False)],
)
def test_conditions(operator: Any, value: float, expected: bool) -> None:
    assert holds(Condition(metric="m", operator=operator, value=value), {"m": 0.3}) is expected


def test_fresh_rows_promote_and_the_verdict_shows_them_with_the_correction() -> None:
    found = WinnersCurse(screening=0.63, fresh=0.62, correction=0.01, standard_error=0.013)
    verdict = decide(evaluation(0.01, 0.05, gate=claim(winners_curse=found)), SEQUENTIAL)
    assert verdict.outcome == "promoted"
    assert verdict.claim == (
        "this checkpoint is better than v001 on these 160 problems; recipe unproven (one training seed)"
    )
    assert verdict.gate == claim(winners_curse=found)
    assert verdict.harness_version == "h1"
    assert verdict.reasons[:3] == [
        "24 fresh attempts a problem on both arms: difference +0.0300, 95% confidence sequence [+0.0100, +0.0500], "
        "evidence 403 against 100 needed, noise floor 0.0180: promoted",
        "winner's-curse correction: screening score 0.6300 - fresh score 0.6200 = +0.0100 (SE 0.0130)",
        "score 0.6300 against 0.6000 of v001 on 160 problems x 8 attempts: difference +0.0300, 95% interval "
        "[+0.0100, +0.0500] above 0 (Wilcoxon p = 0.01, noise floor 0.0180)",
    ]
    assert verdict.gate_version == f"{GATE_VERSION}/sequential"


@pytest.mark.parametrize(("low", "high"), [(0.2, 0.4), (0.001, 0.05), (-0.02, 0.05)])
@pytest.mark.parametrize(
    ("outcome", "expected"),
    [("promoted", "promoted"), ("futile", "kept"), ("harmful", "rejected"), ("inconclusive", "inconclusive")],
)
def test_the_fresh_rows_decide_and_not_the_screening_rows(
    low: float, high: float, outcome: GateOutcome, expected: str
) -> None:
    assert decide(evaluation(low, high, gate=claim(outcome)), SEQUENTIAL).outcome == expected


def test_without_fresh_rows_nothing_is_promoted() -> None:
    verdict = decide(evaluation(0.2, 0.4), SEQUENTIAL)
    assert (verdict.outcome, verdict.claim) == (
        "kept",
        "none: its screening score is above v001's, by too little for fresh attempts",
    )


def test_a_gain_within_the_noise_floor_waits_where_later_versions_train_on_from_it() -> None:
    floor = NoiseFloor(value=0.04, observed=0.038, difference=0.01, num_problems=160, attempts=8)
    small, large = (evaluation(low, low + 0.04, noise_floor=floor) for low in (0.0, 0.03))
    assert "0.0200 higher, less than the noise floor" in why_ungated(small, SEQUENTIAL, is_trained_on=True)
    assert [why_ungated(small, SEQUENTIAL), why_ungated(large, SEQUENTIAL, is_trained_on=True)] == ["", ""]


@pytest.mark.parametrize(
    ("high", "said"), [(-0.001, "worse than v001 on these 160 problems"), (0.004, "none: no better than v001")]
)
def test_harm_is_claimed_only_below_the_confidence_sequence(high: float, said: str) -> None:
    assert decide(evaluation(gate=claim("harmful", low=-0.05, high=high)), SEQUENTIAL).claim == said


@pytest.mark.parametrize(
    ("outcome", "expected"),
    [
        ("promoted", "promoted"),
        ("futile", "kept"),
        ("harmful", "rejected"),
        ("inconclusive", "inconclusive"),
        ("open", "inconclusive"),
    ],
)
def test_a_limit_on_fresh_rows_decides_beside_the_score(outcome: GateOutcome, expected: str) -> None:
    stated = intervention(limits=[Condition(metric="truncation_rate", operator="<=", value=0.2)])
    verdict = decide(
        evaluation(gate=claim(limits=(limit(outcome),)), intervention=stated, metrics={"truncation_rate": 0.9}),
        SEQUENTIAL,
    )
    assert verdict.outcome == expected, "training rows have no say where fresh rows judge"
    assert any("on fresh rows: truncation_rate moved by +0.0200, 0.15 allowed" in reason for reason in verdict.reasons)


def test_a_limit_that_fresh_rows_cannot_judge_is_judged_as_before() -> None:
    stated = intervention(limits=[Condition(metric="mean_tokens", operator="<=", value=20.0)])
    long, short = (
        decide(evaluation(gate=claim(), intervention=stated, metrics={"mean_tokens": tokens}), SEQUENTIAL).outcome
        for tokens in (31.0, 12.0)
    )
    assert (long, short) == ("rejected", "promoted")


def test_a_promoted_score_without_its_own_criterion_is_kept() -> None:
    unmet = intervention(success=[Condition(metric="dead_group_ratio", operator="<", value=0.3)])
    verdict = decide(evaluation(gate=claim(), intervention=unmet, metrics={"dead_group_ratio": 0.4}), SEQUENTIAL)
    assert (verdict.outcome, verdict.claim) == ("kept", "none: better, but its own success criterion is not met")


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"held": ("p7",)}, "problem 'p7' lost all attempts of a fresh round"),
        ({"error_share": 0.07}, "errors took 7.0% of the fresh attempts of an arm, more than the 5.0% allowed"),
    ],
)
def test_lost_rounds_are_inconclusive_never_worse(changes: dict[str, Any], said: str) -> None:
    verdict = decide(evaluation(gate=claim("harmful", **changes)), SEQUENTIAL)
    assert verdict.outcome == "inconclusive"
    assert said in verdict.reasons[0]


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({"error_share": 0.5}, "lost_attempts"),
        ({"duplicate_of": "v001", "comparisons": ()}, "duplicate"),
        ({"findings": [INVALID]}, ""),
    ],
)
def test_numbers_that_are_not_to_be_believed_score_no_prediction(changes: dict[str, Any], label: str) -> None:
    believed = decide(evaluation(0.2, 0.4, gate=claim(), intervention=intervention()), SEQUENTIAL)
    assert believed.prediction_hit is not None
    verdict = decide(evaluation(0.2, 0.4, gate=claim(), intervention=intervention(), **changes), SEQUENTIAL)
    assert (verdict.prediction_observed, verdict.prediction_hit, verdict.label) == (None, None, label)


def test_a_prediction_of_the_score_is_held_against_the_fresh_rows() -> None:
    verdict = decide(
        evaluation(0.2, 0.4, gate=claim("harmful", estimate=-0.03), intervention=intervention()), SEQUENTIAL
    )
    assert (verdict.prediction_observed, verdict.prediction_hit) == (-0.03, False)


@pytest.mark.parametrize("estimate", [0.015, -0.015])
def test_a_change_below_the_noise_floor_is_neither_hit_nor_missed(estimate: float) -> None:
    verdict = decide(
        evaluation(0.2, 0.4, gate=claim("futile", estimate=estimate), intervention=intervention()), SEQUENTIAL
    )
    assert (verdict.prediction_observed, verdict.prediction_hit) == (estimate, None)
    assert f"observed {estimate:+.4g}: undecided, below the noise floor 0.0180" in verdict.reasons[-1]


def test_the_screen_of_the_sequential_gate_calls_nothing_worse() -> None:
    screened = decide(evaluation(-0.08, -0.02), SEQUENTIAL)
    assert screened.outcome == "rejected"
    assert screened.claim == "none: its screening score lies below v001's beyond chance"


def test_no_difference_below_the_noise_floor_is_called_an_improvement() -> None:
    floor = NoiseFloor(value=0.04, observed=0.038, difference=0.01, num_problems=160, attempts=8)
    told = "the difference +0.0300 is below the noise floor 0.0400: no improvement"
    below, above = (decide(evaluation(low, low + 0.04, noise_floor=floor), GREEDY) for low in (0.01, 0.03))
    assert below.noise_floor == floor and told in below.reasons and told not in above.reasons
