"""decide() under the sequential gate: fresh rows alone promote, and what lost or unbelieved numbers may not do."""

from typing import Any

import pytest

from evotrainer.promotion.verdict import GATE_VERSION, decide
from evotrainer.records import Condition, GateOutcome, NoiseFloor, WinnersCurse
from tests.evaluations import GREEDY, INVALID, PAIRED, SEQUENTIAL, claim, evaluation, intervention, limit


def test_fresh_rows_promote_and_the_verdict_shows_them_with_the_correction() -> None:
    found = WinnersCurse(screening=0.63, fresh=0.62, correction=0.01, standard_error=0.013)
    verdict = decide(evaluation(0.01, 0.05, gate=claim(winners_curse=found)), SEQUENTIAL)
    assert verdict.outcome == "promoted"
    assert verdict.claim == (
        "this checkpoint is better than v001 on these 160 problems; recipe unproven (one training seed)"
    )
    assert verdict.gate == claim(winners_curse=found)
    assert verdict.reasons[:2] == [
        "24 fresh attempts a problem on both arms: difference +0.0300, 95% confidence sequence [+0.0100, +0.0500], "
        "evidence 403 against 100 needed, noise floor 0.0180: promoted",
        "winner's-curse correction: screening score 0.6300 - fresh score 0.6200 = +0.0100 (SE 0.0130)",
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
    assert (verdict.outcome, verdict.claim) == ("kept", "none: its screening score is not above v001's")
    assert decide(evaluation(-0.4, -0.2), SEQUENTIAL).outcome == "rejected"


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


def test_a_gate_without_a_round_is_told_as_such() -> None:
    lost = claim("inconclusive", estimate=None, low=-1.0, high=1.0, held=("p7",))
    verdict = decide(evaluation(gate=lost), SEQUENTIAL)
    assert verdict.outcome == "inconclusive"
    assert verdict.prediction_observed is None


def test_an_invalid_finding_blocks_what_fresh_rows_promoted() -> None:
    assert decide(evaluation(gate=claim(), findings=[INVALID]), SEQUENTIAL).outcome == "invalid"


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
    assert decide(evaluation(-0.08, -0.02), PAIRED).claim == "worse than v001 on these 160 problems"


def test_no_difference_below_the_noise_floor_is_called_an_improvement() -> None:
    floor = NoiseFloor(value=0.04, observed=0.038, difference=0.01, num_problems=160, attempts=8)
    told = "the difference +0.0300 is below the noise floor 0.0400: no improvement"
    paired = decide(evaluation(0.01, 0.05, noise_floor=floor), PAIRED)
    assert (paired.outcome, paired.noise_floor) == ("kept", floor)
    assert told in paired.reasons
    assert told in decide(evaluation(0.01, 0.05, noise_floor=floor), GREEDY).reasons
    assert decide(evaluation(0.03, 0.07, noise_floor=floor), PAIRED).outcome == "promoted"
