"""Selection regret on hand-made pools: what noise adds is taken out, rules differ by one part."""

import json
from collections.abc import Mapping, Sequence
from types import MappingProxyType

import numpy as np
import pytest

from benchmarks.regret.arithmetic import (
    clustered,
    crossed_best,
    gains,
    halves_correlation,
    noise_floor,
    plain_best,
    rank_correlation,
)
from benchmarks.regret.distinct import change_of, distinct
from benchmarks.regret.learned import cases_of_all, leave_one_out, own_cases
from benchmarks.regret.measured.records import MeasuredCampaign, TrainedCandidate, TrainedPool
from benchmarks.regret.replay import changes, correlations, reasons, refusals, steps
from benchmarks.regret.results import of_one, of_two_gated, pool_regret, regret_beyond, rule_result
from benchmarks.regret.rules import ACCEPTED, AGENT, OURS, RANDOM, RULES, chosen, learned_rule, speed, step_ratio
from benchmarks.reports.regret import regret_report, regret_values, usable
from benchmarks.reports.regret_figure import regret_figure
from evotrainer.backtests.learned import LearnedTerm
from evotrainer.records import Backtest, Case, Intervention, Prediction

START = [0.4, 0.5, 0.4, 0.5]


def candidate(
    name: str,
    gain: float | Sequence[float],
    predicted: float = 0.0,
    *,
    refused: str = "",
    numbers: Mapping[str, float] = MappingProxyType({}),
) -> TrainedCandidate:
    """Return a candidate whose gains over START are given in points, one number or one an attempt."""
    by_attempt = [gain] * len(START) if isinstance(gain, int | float) else list(gain)
    return TrainedCandidate(
        intervention=Intervention(
            intervention_id=name,
            author="rules",
            factor=name,
            diff={"algorithm.learning_rate": (1e-4, 2e-4)},
            hypothesis="if so then so",
            prediction=Prediction(metric="score", direction="up", size=0.1, low=0.0, high=0.2, probability=0.5),
            success=[],
            limits=[],
            rollback="",
            parents=["v001"],
        ),
        backtest=Backtest(
            intervention_id=name,
            family="algorithm",
            accepted=not refused,
            reason=refused or "predicted",
            predicted_effect=predicted,
            usable_groups_before=0.5,
            usable_groups_after=0.5,
            order_violations=0.0,
            mistruncated_correct=0.0,
            numbers=dict(numbers),
        ),
        policy_hash=name,
        scores=[start + points / 100 for start, points in zip(START, by_attempt, strict=True)],
    )


def pool(*candidates: TrainedCandidate, seed: int = 0, version: str = "v002") -> TrainedPool:
    return TrainedPool(
        domain="math",
        seed=seed,
        version=version,
        generation=2,
        incumbent="v001",
        incumbent_scores=START,
        candidates=list(candidates),
        chosen=[],
    )


def campaign(seed: int, pools: Sequence[TrainedPool], cases: Sequence[Case] = ()) -> MeasuredCampaign:
    return MeasuredCampaign(domain="math", seed=seed, pools=list(pools), cases=list(cases))


def test_half_of_the_attempts_chooses_and_the_other_half_scores():
    gains_CK = np.array([[2.0, 0.0], [0.0, 1.0]])
    assert plain_best(gains_CK, [0, 1]) == 1.0
    assert crossed_best(gains_CK, [0, 1]) == 0.0  # attempt 0 chooses the first, which gains 0 on attempt 1
    assert crossed_best(gains_CK, [1]) == 0.5  # nothing is chosen: the mean
    assert crossed_best(gains_CK, []) == plain_best(gains_CK, []) == 0.0


def test_noise_lifts_the_plain_best_of_equal_candidates_and_not_the_crossed_one():
    rng = np.random.default_rng(0)
    pools = rng.normal(0.0, 2.0, (400, 8, 8))
    plain = np.array([plain_best(one, range(8)) for one in pools])
    crossed = np.array([crossed_best(one, range(8)) for one in pools])
    assert plain.mean() > 0.8
    assert abs(crossed.mean()) < 3 * crossed.std() / 20
    pools[:, 3] += 20.0
    assert np.mean([crossed_best(one, range(8)) for one in pools]) == pytest.approx(20.0, abs=0.15)


def test_what_a_draw_does_to_all_policies_is_no_noise():
    alike = pool(candidate("a", 1.0), candidate("b", 3.0))
    assert noise_floor(alike) == pytest.approx(0.0, abs=1e-9)
    apart = pool(candidate("a", [1, -1, 1, -1]), candidate("b", [-1, 1, -1, 1]))
    residuals = 4 * (1 + 1 + 0)
    assert noise_floor(apart) == pytest.approx(2.4469 * (2 * residuals / 6 / 4) ** 0.5, rel=1e-4)  # t of 6 degrees


def test_regret_is_the_best_less_what_the_ranking_takes():
    made = pool(candidate("a", 1.0, 0.01), candidate("b", 5.0, 0.0), candidate("c", 3.0, 0.02))
    first = pool_regret(made, RULES[OURS])
    assert first.gain[1] == pytest.approx(3.0) and first.regret[1] == pytest.approx(2.0)
    assert first.gain[2] == pytest.approx(3.0) and first.regret[2] == pytest.approx(2.0)  # of c and a
    assert (first.is_best, first.is_near) == (0.0, 0.0)
    assert pool_regret(made, RULES[AGENT]).regret[1] == pytest.approx(4.0)
    assert pool_regret(made, RULES[AGENT]).regret[2] == pytest.approx(0.0)
    blind = pool_regret(made, RULES[RANDOM])
    assert blind.gain[1] == pytest.approx(3.0) and blind.gain[2] == pytest.approx((5 + 5 + 3) / 3)
    assert blind.is_best == pytest.approx(1 / 3)


def test_a_candidate_within_the_noise_of_the_best_counts_as_near():
    made = pool(candidate("a", [9, -7, 9, -7], 0.02), candidate("b", [-6, 10, -6, 10], 0.0))
    found = pool_regret(made, RULES[OURS])
    assert (found.is_best, found.is_near) == (0.0, 1.0)


def test_what_is_refused_is_not_trained_unless_the_rule_knows_no_refusals():
    made = pool(candidate("a", 1.0, 0.01), candidate("b", 4.0, 0.05, refused="the gradient explodes"))
    assert chosen(made, RULES[OURS], 2) == [(0,)]
    assert chosen(made, RULES["effect alone"], 1) == [(1,)]
    assert chosen(made, RULES[RANDOM], 1) == [(0,), (1,)] and chosen(made, RULES[ACCEPTED], 1) == [(0,)]
    refused = pool(candidate("a", -3.0, refused="no"), candidate("b", -2.0, refused="no"))
    assert chosen(refused, RULES[OURS], 1) == chosen(refused, RULES[ACCEPTED], 1) == [()]
    found = pool_regret(refused, RULES[OURS])
    assert found.gain[1] == 0.0 and found.regret[1] == pytest.approx(-2.0)  # the incumbent stays


def test_behind_a_gate_a_pool_of_losers_costs_nothing():
    losers = pool(candidate("a", -5.0, 0.01), candidate("b", -1.0), candidate("c", -2.0))
    found = pool_regret(losers, RULES[OURS])
    assert found.regret[1] == pytest.approx(4.0) and found.gated_regret == pytest.approx({1: 0.0, 2: 0.0})
    missed = pool(candidate("a", -5.0, 0.01), candidate("b", -1.0), candidate("c", 2.0))
    assert pool_regret(missed, RULES[OURS]).gated_regret == pytest.approx({1: 2.0, 2: 2.0})
    blind = regret_beyond([losers, missed], lambda _: RULES[RANDOM], lambda _: RULES[OURS], of_two_gated)
    assert blind.mean == pytest.approx((2 / 3 - 2.0) / 2)  # two of the three pairs of `missed` hold c


def test_each_ablation_leaves_one_part_out():
    def step(effect: float, margin: float, length: float) -> dict[str, float]:
        lengths = {"update_norm_before": 1.0, "update_norm_after": length}
        return {"raw_effect": effect, "margin_before": 0.1, "margin_after": margin, **lengths}

    made = pool(
        candidate("slow", 0.0, 0.01, numbers=step(0.03, 0.1, 1.0)),
        candidate("long", 0.0, 0.02, numbers=step(0.02, 0.2, 4.0)),
        candidate("fast", 0.0, 0.0, refused="no", numbers=step(0.0, 0.3, 2.0)),
        candidate("batch", 0.0, -0.01, numbers={"raw_effect": 0.04, "sampling_speed": 2.5}),
    )
    first = {name: chosen(made, rule, 1) for name, rule in RULES.items() if rule.told}
    assert first == {
        OURS: [(1,)],
        AGENT: [(0,)],
        "longest step": [(1,)],
        "refusals alone": [(0,)],
        "effect alone": [(1,)],
        "without trust": [(3,)],
        "without damping": [(3,)],
        "speed alone": [(2,)],
    }
    term = LearnedTerm("sampling_speed", 0.0, 1.0, 0.1, 3.0)
    assert chosen(made, learned_rule({0: term})(made), 1) == [(3,)]
    assert chosen(made, learned_rule({0: None})(made), 1) == first[OURS]


def test_speed_and_length_are_1_where_nothing_was_replayed():
    assert speed({}) == step_ratio({}) == 1.0
    assert speed({"margin_before": 0.0, "margin_after": 0.3}) == 1.0
    assert speed({"margin_before": 0.1, "margin_after": -0.3}) == 0.0
    assert speed({"speed_add": 1.0, "speed_sort": 2.0}) == 1.5


def test_campaigns_weigh_alike_whatever_the_number_of_their_pools():
    found = clustered([1.0, 1.0, 1.0, 5.0, None], [0, 0, 0, 1, 2])
    assert (found.mean, found.num_seeds) == (3.0, 2)
    assert found.low is not None and found.low == pytest.approx(3.0 - 12.706 * 2.0, rel=1e-3)


def test_rank_correlations_are_of_what_varies():
    assert rank_correlation([1, 2, 3], [1, 5, 9]) == pytest.approx(1.0)
    assert rank_correlation([0, 0, 1], [1, 2, 3]) == pytest.approx(0.866, abs=1e-3)
    assert rank_correlation([0, 0, 0], [1, 2, 3]) is None
    assert halves_correlation(np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]])) == pytest.approx(1.0)
    assert halves_correlation(np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]])) == pytest.approx(-1.0)
    constant = pool(candidate("a", 1.0), candidate("b", 2.0))
    ranked = pool(candidate("a", 1.0, 0.1), candidate("b", 2.0, 0.2, refused="no"), seed=1)
    found = correlations([constant, ranked])
    assert found["prediction"].mean == pytest.approx(1.0) and found["prediction"].num_seeds == 1
    assert "prediction, accepted candidates" not in found


def test_refusals_are_held_against_what_was_refused():
    gate = "one step moves the policy by 0.061 nats a token, limit 0.05"
    made = [
        pool(candidate("a", 1.0), candidate("b", 4.0, refused=gate), candidate("c", -4.0, refused=f"{gate}; no")),
        pool(candidate("a", 3.0), candidate("d", -6.0, refused=gate.replace("061", "07")), seed=1),
    ]
    found = refusals(made)
    assert found.price.mean == pytest.approx((3.0 + 0.0) / 2)
    assert (found.num_pools_best_refused, found.num_pools_none_accepted) == (1, 0)
    assert found.accepted_less_refused is not None
    assert found.accepted_less_refused.mean == pytest.approx((1.0 + 9.0) / 2)
    by_reason = reasons(made)
    assert list(by_reason) == ["no", "one step moves the policy by # nats a token, limit #"]
    seen = by_reason["one step moves the policy by # nats a token, limit #"]
    assert (seen.count, seen.num_better, seen.num_worse) == (3, 1, 2) and seen.gain == pytest.approx(-2.0)


def test_steps_are_told_apart_by_their_length_and_by_their_speed():
    def step(length: float, margin: float) -> dict[str, float]:
        lengths = {"update_norm_before": 1.0, "update_norm_after": length}
        return {"margin_before": 0.1, "margin_after": margin, **lengths}

    made = pool(
        candidate("rate", -4.0, 0.02, numbers=step(4.0, 0.4)),
        candidate("rate down", 0.0, -0.02, numbers=step(0.5, 0.05)),
        candidate("noisy", 1.0, -0.03, numbers=step(1.0, 0.3)),
        candidate("noisier", 1.0, -0.01, numbers=step(1.0, 0.5)),
        candidate("kl", 0.0, numbers={"sampling_speed": 3.0}),
    )
    found = steps([made])
    assert {kind: one.count for kind, one in found.items()} == {
        "2 times as long or longer": 1,
        "no step replayed": 1,
        "shorter, 2 times as fast or faster": 2,
        "shorter, slower than now": 1,
    }
    fast = found["shorter, 2 times as fast or faster"]
    assert (fast.predicted, fast.gain) == pytest.approx((-2.0, 1.0)) and fast.error == pytest.approx(10**0.5)


def test_a_candidate_that_a_later_pool_repeats_counts_once():
    first, later = pool(candidate("a", 1.0), candidate("b", 2.0)), pool(candidate("b", 2.0), candidate("c", 3.0))
    again = later.model_copy(update={"version": "v004"})
    assert [(one.version, one.candidate.policy_hash) for one in distinct([first, again])] == [
        ("v002", "a"),
        ("v002", "b"),
        ("v004", "c"),
    ]
    beside_another = later.model_copy(update={"incumbent": "v002"})
    assert len(distinct([first, again, beside_another])) == 5
    assert change_of(candidate("learning_rate", 0.0)) == "learning_rate x2"
    rows = changes([first, again])
    assert {name: (row.num_distinct, row.num_best, row.num_first) for name, row in rows.items()} == {
        "c x2": (1, 1, 0),
        "b x2": (1, 1, 1),
        "a x2": (1, 0, 1),
    }


def _taught(seed: int, slope: float) -> MeasuredCampaign:
    """Return a campaign in which `told` explains what predictions leave, with this slope."""
    values = np.random.default_rng(seed).normal(0.0, 1.0, 4)
    made = [
        candidate(f"{seed}-{place}", 100 * slope * value, 0.0, numbers={"told": value})
        for place, value in enumerate(values)
    ]
    own = campaign(seed, [pool(*made, seed=seed)])
    return own.model_copy(update={"cases": cases_of_all(own)})


def test_a_campaign_has_no_part_in_the_term_that_ranks_its_pools():
    campaigns = [_taught(seed, 0.02) for seed in range(9)]
    before = leave_one_out(campaigns, own_cases)
    assert [one.num_cases for one in before] == [32] * 9
    assert all(one.search.term is not None and one.search.term.name == "told" for one in before)
    assert sum(one.error_after for one in before) < 0.5 * sum(one.error_before for one in before)
    after = leave_one_out([_taught(0, -0.02), *campaigns[1:]], own_cases)
    assert after[0].search.term == before[0].search.term and after[1].search.term != before[1].search.term
    assert after[0].error_after > after[0].error_before
    pools = [one for member in campaigns for one in member.pools]
    rule_of = learned_rule({one.seed: one.search.term for one in before})
    assert rule_result(pools, rule_of).regret[1].mean == pytest.approx(0.0, abs=1e-9)
    assert regret_beyond(pools, rule_of, lambda _: RULES[OURS], of_one).mean < 0


def test_the_report_counts_what_gave_no_policy_and_leaves_it_out():
    broken = candidate("broken", 0.0, 0.9).model_copy(update={"scores": [], "policy_hash": ""})
    made = [
        campaign(0, [pool(candidate("a", 1.0, 0.01), candidate("b", 4.0, 0.0), broken)]),
        campaign(1, [pool(candidate("a", 2.0, 0.02), candidate("b", 0.0, 0.0, refused="no"), seed=1)]),
    ]
    assert "| first | best, crossed | +3.0 [-9.7, +15.7] |" in regret_report(made)
    assert "| later |" not in regret_report(made)
    measured, pools = usable(made)
    assert [len(one.candidates) for one in pools] == [2, 2] and [len(one.pools) for one in measured] == [1, 1]
    report, values = regret_report(made), regret_values(made)
    assert "| 2 | 2 | 2.0 (2 to 2) | 4 | 1 | 1 | 0.0 |" in report
    assert "| 0 | v002 | v001 | 2, 0 | 0.0 | a x2 +1.0 | b x2 +4.0 | +3.0 |" in report
    assert values["rules"][OURS]["regret"]["1"]["mean"] == pytest.approx(1.5)
    assert values["rules"][OURS]["share_best"] == 0.5
    assert json.loads(json.dumps(values))["pools"][0]["candidates"][1]["gain"] == pytest.approx(4.0)
    assert regret_figure(made).startswith(b"\x89PNG")


def test_gains_are_points_over_the_incumbent():
    assert gains(pool(candidate("a", [1, 2, 3, 4]))).tolist() == [pytest.approx([1, 2, 3, 4])]
