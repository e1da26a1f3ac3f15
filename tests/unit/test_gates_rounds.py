"""Rounds of one version's gates: score and limits together, lost problems, what the claim says, the share of alpha."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from evotrainer.campaign.lineage import campaign_floor
from evotrainer.config.interventions import spell
from evotrainer.errors import EvidenceError
from evotrainer.evidence.score_table import correctness, tabulate
from evotrainer.promotion.checkpoint import Gate, open_gate
from evotrainer.promotion.rounds import at_worst, claim_of, open_limits, run_rounds, share_of
from evotrainer.promotion.statistics import measure_noise
from evotrainer.records import Condition, Trajectory, VersionRecord, VersionSpec
from tests.plain_records import plain_row, version_spec

CHANCE = np.random.default_rng(1).beta(1.5, 1.85, 60)
ALPHA = 0.05 / 6
LIMIT = Condition(metric="truncation_rate", operator="<=", value=0.25)


def rows(seed: int, change: float = 0.0, cut: float = 0.1, attempts: int = 4, **values: Any) -> list[Trajectory]:
    """Return drawn attempts at 60 problems: `change` moves every chance, `cut` is the share of truncated ones."""
    rng = np.random.default_rng(seed)
    return [
        plain_row(
            trajectory_id=f"{seed}.{p}.{a}",
            version="v",
            split="validation",
            problem_id=f"{p:03d}",
            group_id=f"{p}",
            attempt=a,
            seed=a,
            correct=float(rng.random() < min(max(chance + change, 0), 1)),
            num_tokens=4,
            is_truncated=bool(rng.random() < cut),
            **{"format_ok": True, **values},
        )
        for p, chance in enumerate(CHANCE)
        for a in range(attempts)
    ]


def drawing(change: float, cut: float = 0.1) -> Callable[[int], tuple[list[Trajectory], list[Trajectory]]]:
    return lambda number: (rows(1000 + number, change, cut), rows(2000 + number))


def gates(*limits: Condition, readings: dict[str, float] | None = None, max_attempts: int = 64) -> list[Gate]:
    stored, measured = rows(0, attempts=8), readings or {"truncation_rate": 0.1}
    score = open_gate(tabulate(stored), ALPHA, max_attempts=max_attempts)
    return [score, *open_limits(limits, measured, stored, ALPHA, max_attempts)]


def lost(found: list[Trajectory], problem: str, attempts: int) -> list[Trajectory]:
    return [
        row.model_copy(update={"error": "GraderError", "correct": None})
        if row.problem_id == problem and row.attempt < attempts
        else row
        for row in found
    ]


def test_a_better_version_within_its_limits_is_promoted_and_the_claim_says_by_what() -> None:
    screening = tabulate(rows(7, 0.12, attempts=8))
    rounds = run_rounds(gates(LIMIT), drawing(0.12))
    claim = claim_of(rounds, "v001", screening, 0.95)
    assert (claim.outcome, claim.against, claim.num_problems) == ("promoted", "v001", 60)
    assert claim.log_wealth >= np.log(1 / ALPHA)
    assert claim.estimate is not None and claim.low < claim.estimate < claim.high
    assert claim.estimate >= claim.noise_floor
    assert rounds.candidate is not None and rounds.candidate.num_attempts == claim.attempts
    assert claim.winners_curse is not None
    assert claim.winners_curse.correction == pytest.approx(screening.score - rounds.candidate.score)
    (limit,) = claim.limits
    assert (limit.outcome, limit.margin, limit.condition) == ("promoted", 0.15, spell(LIMIT))
    assert limit.difference == pytest.approx(0.0, abs=0.1)


def test_a_broken_limit_ends_the_gate_of_a_better_version() -> None:
    claim = claim_of(run_rounds(gates(LIMIT), drawing(0.12, cut=0.6)), "v001", tabulate(rows(7)), 0.95)
    assert claim.limits[0].outcome == "harmful"
    assert claim.limits[0].difference == pytest.approx(0.5, abs=0.1)
    assert claim.attempts == 8, "the first look that may stop"


def test_rounds_go_on_until_the_limit_is_decided_too() -> None:
    near = Condition(metric="truncation_rate", operator="<=", value=0.13)
    alone, both = (run_rounds(found, drawing(0.25, cut=0.1)) for found in (gates(), gates(near)))
    (only,), (score, limit) = alone.gates, both.gates
    assert only.outcome == score.outcome == "promoted"
    assert (only.differences == score.differences).all(), "the score's gate stands where it was decided"
    assert len(limit.tables) > len(score.tables) and limit.outcome != "open"


def test_attempts_that_were_lost_singly_are_no_obstacle_but_counted() -> None:
    def draw(number: int) -> tuple[list[Trajectory], list[Trajectory]]:
        candidate, incumbent = drawing(0.12)(number)
        return lost(candidate, "003", 2), incumbent

    claim = claim_of(run_rounds(gates(), draw), "v001", tabulate(rows(7)), 0.95)
    assert (claim.outcome, claim.held) == ("promoted", ())
    assert claim.error_share == pytest.approx(2 / 240)


def hiding(found: list[Trajectory], correct: float, share: float, seed: int) -> list[Trajectory]:
    """Return rows of which some right or wrong ones were lost, and what was drawn again in their place was right for
    the candidate, wrong for the incumbent.
    """
    rng = np.random.default_rng(seed)
    return [
        row.model_copy(update={"correct": 1.0 - correct, "extra": {"lost": ["SandboxError"]}})
        if row.correct == correct and rng.random() < share
        else row
        for row in found
    ]


def test_losses_that_choose_their_answers_promote_nothing() -> None:
    """A tenth of the candidate's wrong and of the incumbent's right answers: about 5% of each arm's draws."""
    outcomes = []
    for number in range(4):

        def draw(place: int, number: int = number) -> tuple[list[Trajectory], list[Trajectory]]:
            seed = 9000 + 200 * number + place
            return hiding(rows(seed), 0.0, 0.1, seed), hiding(rows(seed + 100), 1.0, 0.1, seed)

        rounds = run_rounds(gates(max_attempts=16), draw)
        outcomes.append(claim_of(rounds, "v001", tabulate(rows(7)), 0.95).outcome)
        assert min(rounds.lost) > 0.02
    assert "promoted" not in outcomes


def test_lost_draws_count_at_their_worst_and_nothing_else_changes() -> None:
    found = rows(5)
    candidate, incumbent = at_worst(lost(found, "007", 2), lost(found, "007", 2), correctness)
    place = candidate.problem_ids.index("007")
    assert candidate.values[place, :2].tolist() == [0, 0] and incumbent.values[place, :2].tolist() == [1, 1]
    others = np.arange(60) != place
    assert (candidate.values[others] == tabulate(found).values[others]).all()
    held, _ = at_worst(lost(found, "007", 4), found, correctness)
    assert held.ungraded == ["007"]


def test_a_problem_that_is_lost_while_only_a_limit_is_open_holds_the_gate_too() -> None:
    near = Condition(metric="truncation_rate", operator="<=", value=0.13)
    alone = run_rounds(gates(), drawing(0.25, cut=0.1))
    last = len(alone.gates[0].tables)

    def draw(number: int) -> tuple[list[Trajectory], list[Trajectory]]:
        candidate, incumbent = drawing(0.25, cut=0.1)(number)
        return candidate, lost(incumbent, "007", 4) if number == last else incumbent

    rounds = run_rounds(gates(near), draw)
    claim = claim_of(rounds, "v001", tabulate(rows(7)), 0.95)
    assert len(rounds.gates[0].tables) == last and claim.outcome == "promoted"
    assert claim.held == ("007",) and claim.limits[0].outcome == "open"


@pytest.mark.parametrize(
    ("condition", "readings", "margin"),
    [
        (LIMIT, {"truncation_rate": 0.1}, 0.15),
        (Condition(metric="format_failure_rate", operator=">=", value=0.0), {"format_failure_rate": 0.2}, 0.2),
        (LIMIT, {"truncation_rate": 0.25}, None),
        (LIMIT, {"truncation_rate": 0.4}, None),
        (LIMIT, {}, None),
        (Condition(metric="truncation_rate", operator="==", value=0.2), {"truncation_rate": 0.1}, None),
        (Condition(metric="mean_tokens", operator="<=", value=20.0), {"mean_tokens": 10.0}, None),
    ],
)
def test_which_limits_fresh_rows_judge(condition: Condition, readings: dict[str, float], margin: float | None) -> None:
    found = open_limits([condition], readings, rows(0, attempts=8), ALPHA, 64)
    assert [-limit.null for limit in found] == ([] if margin is None else [margin])


def test_a_limit_that_two_parents_set_is_one_limit() -> None:
    found = open_limits([LIMIT, LIMIT.model_copy()], {"truncation_rate": 0.1}, rows(0, attempts=8), ALPHA, 64)
    assert len(found) == 1


def test_a_rate_that_rows_do_not_show_is_left_to_the_harness() -> None:
    condition = Condition(metric="format_failure_rate", operator="<=", value=0.2)
    blind = rows(0, attempts=8, format_ok=None)
    assert open_limits([condition], {"format_failure_rate": 0.05}, blind, ALPHA, 64) == ()


def test_the_campaigns_floor_raises_what_is_called_an_improvement() -> None:
    table = tabulate(rows(0, attempts=8))
    own, raised = open_gate(table, ALPHA), open_gate(table, ALPHA, min_floor=0.07)
    assert own.min_estimate < 0.07 == raised.min_estimate
    assert raised.futile_below == 0.14
    assert open_gate(table, ALPHA, min_floor=own.min_estimate / 2) == own


def test_two_evaluations_agree_on_the_noise_floor() -> None:
    first, second = (tabulate(rows(seed, attempts=8)) for seed in (11, 12))
    floor = measure_noise(first, second)
    assert floor.observed == pytest.approx(floor.value, rel=0.35)
    assert abs(floor.difference) < 4 * floor.value
    assert (floor.num_problems, floor.attempts) == (60, 8)


def test_single_attempts_leave_the_floor_to_the_second_evaluation() -> None:
    first, second = (tabulate(rows(seed, attempts=1)) for seed in (11, 12))
    floor = measure_noise(first, second)
    assert floor.value == floor.observed > 0


def spec(version: str, slot: int = 0) -> VersionSpec:
    return version_spec(version, incumbent="v001", generation=2, slot=slot, campaign_seed=0)


def test_every_claim_of_a_campaign_has_the_same_share(make_records: Callable[..., list[VersionRecord]]) -> None:
    records = make_records(
        ("v000", 0.0, {"generation": 0, "kind": "base", "incumbent": "v000", "parents": []}),
        ("v001", 0.4, {"generation": 1, "kind": "baseline", "incumbent": "v000"}),
        ("v002", None, {"generation": 2, "reason": "the budget cuts answers"}),
    )
    assert [record.verdict.gate is not None for record in records] == [False, True, False]
    assert share_of(spec("v003"), records, 0.05, 2) == 0.025, "a version that was refused spent nothing"
    with pytest.raises(EvidenceError, match="all 2 declared claims are spent: 'v004'"):
        share_of(spec("v004", slot=1), records, 0.05, 2)
    assert share_of(spec("v004", slot=1), records, 0.05, 3) == pytest.approx(0.05 / 3)
    floor = campaign_floor(records)
    assert floor is not None and floor == records[0].verdict.noise_floor
    assert campaign_floor([]) is None
