"""decide(): every outcome, the order of the rules, and that reasons are true sentences with numbers."""

from typing import Any

import pytest

from evotrainer.config import EvaluateConfig
from evotrainer.config.criteria import holds
from evotrainer.promotion.verdict import GATE_VERSION, decide
from evotrainer.promotion.verdict_text import describe
from evotrainer.records import Condition, Direction
from tests.evaluations import GREEDY, INVALID, PAIRED, SEQUENTIAL, claim, comparison, evaluation, intervention


def test_an_interval_above_zero_promotes_and_claims_the_checkpoint_alone() -> None:
    verdict = decide(evaluation(0.01, 0.05), PAIRED)
    assert verdict.outcome == "promoted"
    assert verdict.claim == (
        "this checkpoint is better than v001 on these 160 problems; recipe unproven (one training seed)"
    )
    assert verdict.reasons == [
        "score 0.6300 against 0.6000 of v001 on 160 problems x 8 attempts: difference +0.0300, 95% interval "
        "[+0.0100, +0.0500] above 0 (Wilcoxon p = 0.01, noise floor 0.0180)"
    ]
    assert verdict.gate_version == f"{GATE_VERSION}/paired"
    assert verdict.harness_version == "h1"


@pytest.mark.parametrize(
    ("low", "high", "outcome"),
    [
        (0.0001, 0.05, "promoted"),
        (0.0, 0.05, "kept"),
        (-0.02, 0.03, "kept"),
        (-0.05, 0.0, "kept"),
        (-0.05, -0.0001, "rejected"),
    ],
)
def test_the_interval_decides(low: float, high: float, outcome: str) -> None:
    assert decide(evaluation(low, high), PAIRED).outcome == outcome


@pytest.mark.parametrize(
    ("low", "high", "outcome"), [(-0.02, 0.03, "promoted"), (-0.03, 0.03, "rejected"), (-0.05, 0.03, "rejected")]
)
def test_the_greedy_gate_takes_any_higher_score_and_discards_the_rest(low: float, high: float, outcome: str) -> None:
    verdict = decide(evaluation(low, high), GREEDY)
    assert verdict.outcome == outcome
    assert verdict.gate_version == f"{GATE_VERSION}/greedy"


def test_an_invalid_finding_blocks_any_score() -> None:
    verdict = decide(evaluation(0.3, 0.4, findings=[INVALID]), PAIRED)
    assert verdict.outcome == "invalid"
    said = "reward_outcome_divergence: the length term rises while correctness falls"
    assert verdict.reasons[0] == said
    greedy = decide(evaluation(0.3, 0.4, findings=[INVALID]), GREEDY)
    assert greedy.outcome == "promoted" and f"not heeded by this gate: {said}" in greedy.reasons
    critical = INVALID.model_copy(update={"severity": "critical"})
    assert decide(evaluation(findings=[critical]), PAIRED).outcome == "promoted"


def test_training_that_broke_off_is_a_failure_with_its_label() -> None:
    verdict = decide(
        evaluation(
            comparisons=(),
            is_trained=False,
            failure_label="train_budget_overrun",
            reason="stopped after step 12: train_budget_overrun",
        ),
        PAIRED,
    )
    assert (verdict.outcome, verdict.label) == ("failed", "train_budget_overrun")
    assert verdict.reasons == ["stopped after step 12: train_budget_overrun"]
    refused = decide(evaluation(comparisons=(), is_trained=False, reason="no group would be usable"), PAIRED)
    assert (refused.outcome, refused.score) == ("rejected", None)
    assert refused.reasons == ["the backtest refused it: no group would be usable"]


def test_a_duplicate_is_no_trial() -> None:
    verdict = decide(evaluation(comparisons=(), duplicate_of="v000"), PAIRED)
    assert verdict.outcome == "rejected"
    assert "bit by bit that of v000" in verdict.reasons[0]


def test_lost_attempts_make_it_inconclusive_never_worse() -> None:
    verdict = decide(evaluation(-0.4, -0.3, error_share=0.07), PAIRED)
    assert verdict.outcome == "inconclusive"
    assert "7.0% of the attempts, more than the 5.0% allowed" in verdict.reasons[0]
    assert decide(evaluation(error_share=0.05), PAIRED).outcome == "promoted"
    ungraded = decide(evaluation(comparisons=(), ungraded=("p7", "p9")), PAIRED)
    assert ungraded.outcome == "inconclusive"
    assert ungraded.reasons == ["2 problems have no graded attempt (first: 'p7')"]


def test_too_few_problems_are_inconclusive() -> None:
    assert decide(evaluation(comparisons=(comparison(0.2, 0.4, num_problems=5),)), PAIRED).outcome == "inconclusive"
    assert decide(evaluation(comparisons=(comparison(0.2, 0.4, num_problems=6),)), PAIRED).outcome == "promoted"


def test_an_inconclusive_version_still_tells_of_its_invalid_finding() -> None:
    verdict = decide(evaluation(error_share=0.5, findings=[INVALID]), PAIRED)
    assert verdict.outcome == "inconclusive"
    assert any("reward_outcome_divergence" in reason for reason in verdict.reasons)


def test_the_base_policy_is_kept() -> None:
    verdict = decide(evaluation(comparisons=(), kind="base", score=0.4), PAIRED)
    assert (verdict.outcome, verdict.claim, verdict.score) == ("kept", "base policy", 0.4)


@pytest.mark.parametrize(
    ("kind", "name", "outcome"), [("success", "success criterion", "kept"), ("limits", "side-effect limit", "rejected")]
)
def test_a_broken_condition_blocks_even_a_better_score(kind: str, name: str, outcome: str) -> None:
    broken = intervention(**{kind: [Condition(metric="truncation_rate", operator="<=", value=0.2)]})
    verdict = decide(evaluation(0.01, 0.05, intervention=broken, metrics={"truncation_rate": 0.31}), PAIRED)
    assert verdict.outcome == outcome
    assert f"{name} truncation_rate <= 0.2 is broken: it is 0.31" in verdict.reasons
    kept = decide(evaluation(0.01, 0.05, intervention=broken, metrics={"truncation_rate": 0.2}), PAIRED)
    assert kept.outcome == "promoted"


@pytest.mark.parametrize("gate", [PAIRED, SEQUENTIAL])
@pytest.mark.parametrize(("kind", "name"), [("success", "success criterion"), ("limits", "side-effect limit")])
@pytest.mark.parametrize("metrics", [{}, {"mean_tokens": float("nan")}])
def test_what_was_not_measured_vouches_for_nothing(
    metrics: dict[str, float], kind: str, name: str, gate: EvaluateConfig
) -> None:
    unknown = intervention(**{kind: [Condition(metric="mean_tokens", operator="<=", value=20.0)]})
    fresh = {"gate": claim()} if gate is SEQUENTIAL else {}
    verdict = decide(evaluation(0.01, 0.05, intervention=unknown, metrics=metrics, **fresh), gate)
    assert (verdict.outcome, verdict.claim) == ("kept", "none: better, but a condition of its own was not measured")
    assert f"{name} mean_tokens <= 20 is not judged: the metric was not measured" in verdict.reasons


def test_a_negative_control_that_moves_is_told() -> None:
    moved = intervention(negative_controls=[Condition(metric="mean_tokens", operator="<=", value=20)])
    verdict = decide(evaluation(0.01, 0.05, intervention=moved, metrics={"mean_tokens": 31.0}), PAIRED)
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
        PAIRED,
    )
    assert verdict.prediction_hit is hit
    assert verdict.prediction_observed == pytest.approx(after - 0.6)
    assert verdict.reasons[-1].endswith("hit" if hit else "missed")


def test_a_prediction_that_cannot_be_observed_is_neither_hit_nor_miss() -> None:
    verdict = decide(evaluation(intervention=intervention(metric="kl"), metrics={"kl": 0.1}), PAIRED)
    assert (verdict.prediction_observed, verdict.prediction_hit) == (None, None)
    assert "not observed" in verdict.reasons[-1]


@pytest.mark.parametrize(
    ("operator", "value", "expected"),
    [("<", 0.3, False), ("<=", 0.3, True), (">", 0.3, False), (">=", 0.3, True), ("==", 0.3, True), ("==", 0.4, False)],
)
def test_conditions(operator: Any, value: float, expected: bool) -> None:
    assert holds(Condition(metric="m", operator=operator, value=value), {"m": 0.3}) is expected


@pytest.mark.parametrize(
    ("low", "high", "place"), [(0.01, 0.02, "above 0"), (-0.2, -0.1, "below 0"), (-0.1, 0.1, "around 0")]
)
def test_a_comparison_is_told_as_it_is(low: float, high: float, place: str) -> None:
    assert place in describe(comparison(low, high), 0.9)
    assert "90% interval" in describe(comparison(low, high), 0.9)


def test_an_unmet_criterion_within_chance_is_no_rejection() -> None:
    unmet = intervention(success=[Condition(metric="score", operator=">", value=0.6)])
    verdict = decide(evaluation(-0.03, 0.01, intervention=unmet), PAIRED)
    assert verdict.outcome == "kept"
    assert any("success criterion score > 0.6" in reason for reason in verdict.reasons)
