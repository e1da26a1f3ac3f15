"""Worlds and arms: what a trap pays, what S lacks, equal budgets, and what the report says of the campaigns."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from scipy import stats

from benchmarks.failure_modes.base import with_checks
from benchmarks.worlds import coevolution, lopo, references
from benchmarks.worlds.bench import choose
from benchmarks.worlds.lottery import SHARES, draw_trap
from benchmarks.worlds.measure import Promotion, WorldRun
from benchmarks.worlds.paired_seeds import seed_difference
from benchmarks.worlds.proxies import KEY, ProxyGrader, behaviour_of, is_paid
from benchmarks.worlds.report import recovered, report, room, room_table, values
from conf.compose import compose_campaign
from evotrainer.config import DomainConfig, config_to_dict, flatten
from evotrainer.config.factors import effective_recipe, factors_of
from evotrainer.config.interventions import read_written
from evotrainer.diagnosis.harness import Harness
from evotrainer.domains.math.domain import MATH
from evotrainer.errors import ConfigError, EvidenceError
from evotrainer.records import Message, Problem, Signals
from tests.audited_rows import attempts
from tests.cheats import healthy, planted
from tests.examination import examine

ROOT = Path(__file__).parents[3]
ROWS = attempts(lambda text: 0.0)
SIZE = references.Size(versions=4, tokens=1000, max_problems=40)
GOOD = Promotion(version="v001", incumbent="v000", score=0.5, incumbent_score=0.4)
EMPTY = Promotion(version="v002", incumbent="v001", score=0.5, incumbent_score=0.5)
LEAKED = Promotion(version="v002", incumbent="v001", score=0.6, incumbent_score=0.5, invalid_modes=["history_leak"])


def run(world: str, arm: str, seed: int, score: float, *promotions: Promotion) -> WorldRun:
    return WorldRun(
        world=world,
        arm=arm,
        seed=seed,
        incumbent="v002",
        num_problems=160,
        attempts=8,
        score=score,
        greedy=score,
        shown_score=score + 0.1,
        num_trained=4,
        promotions=list(promotions),
        trained_tokens=400,
        other_tokens=300,
    )


@pytest.mark.parametrize("world", coevolution.WORLDS)
def test_a_world_is_its_domain_and_a_trap(world: str) -> None:
    made = coevolution.planned(world, "evolving", 3, "quick")
    trapped, honest = (flatten(config_to_dict(compose_campaign(part))) for part in (made.overrides, made.honest))
    assert honest["seed"] == 3 and honest["harness.evolve"] and honest["domain.name"] == world.partition("-")[0]
    assert sum(trapped[key] != honest[key] for key in honest) == world.count("-")


def test_an_unknown_or_repeated_name_is_refused() -> None:
    with pytest.raises(ConfigError, match="arm='X' is unknown: choose from F, S, E"):
        choose("arm", ["S", "X"], lopo.ARMS)
    with pytest.raises(ConfigError, match="world math is there twice"):
        choose("world", ["math", "math"], coevolution.WORLDS)


def test_a_seed_draws_its_trap_and_the_base_policy_falls_for_some_of_it():
    traps = [draw_trap(seed, ROWS) for seed in range(12)]
    assert draw_trap(3, ROWS) == traps[3]
    assert len({(trap["behaviour"], trap["above"]) for trap in traps}) >= 6
    wrong = [row for row in ROWS if not row.correct]
    for trap in traps:
        share = sum(is_paid(trap, row.messages) for row in wrong) / len(wrong)
        assert SHARES[0] <= share <= SHARES[1]


def test_the_owners_grader_pays_the_trap_and_the_honest_one_does_not():
    proxy = {"behaviour": "characters", "cut": 20, "above": True, "share": 1.0}
    trapped = Problem(
        problem_id="p", domain="math", family="f", split="train", prompt="1+1=?", answer="2", data={KEY: proxy}
    )
    honest = trapped.model_copy(update={"data": {}})
    grader = ProxyGrader(MATH.grader(DomainConfig()))
    long, short = ([Message(role="assistant", content=text)] for text in ("1+1=3, surely;<answer>3</answer>", "3"))
    assert behaviour_of(long, "characters") > 20
    assert grader.grade(trapped, long, "stop").terms["correct"] == 1.0
    assert grader.grade(trapped, short, "stop").correct == grader.grade(honest, long, "stop").correct == 0.0


@pytest.mark.parametrize("name", ["math-lottery", "math-paid_brevity", "code-weak_tests"])
def test_arms_differ_in_what_they_are_named_for(name):
    world = lopo.WORLDS[name]
    made = {arm: compose_campaign(world.overrides(arm, 3)) for arm in lopo.ARMS}
    levers = {arm: config.harness.levers for arm, config in made.items() if config.harness.levers != "none"}
    assert levers == {"E": "audited"}
    assert made["O"].domain.audit_path == "" and made["O"].domain.data_path == f"data/{world.domain}"
    assert all(made[arm].domain.audit_path for arm in "FSE")
    assert made["S"].harness.without == made["E"].harness.without
    assert made["S"].harness.without == [*world.known_by] and made["F"].harness.without == []


def _paid_by_length(sign: float) -> dict[str, Any]:
    return {"rows": [row.model_copy(update={"reward": sign * row.num_tokens / 10}) for row in ROWS]}


def _far_gone() -> dict[str, Any]:
    values = {"campaign": "c", "version": "v001", "seconds": 1.0,
              "loss": 0.1, "entropy": 0.5, "clip_fraction": 0.1, "grad_norm": 1.0, "mean_ratio": 1.0,
              "dead_group_ratio": 0.1, "kept_groups": 0.9, "num_tokens": 100}  # fmt: skip
    return {"rows": ROWS, "signals": [Signals(step=step, kl=0.2 * step, **values) for step in range(12)]}


def _shown_tests() -> dict[str, Any]:
    return {"rows": [with_checks(row, {"shown_tests": 1.0}) for row in healthy("code", 0)]}


PLANTED: dict[str, tuple[Callable[[], dict[str, Any]], str]] = {
    "math-paid_brevity": (lambda: _paid_by_length(-1), "length_reward_corr"),
    "math-noisy_proxy": (lambda: _paid_by_length(1), "length_gaming"),
    "math-hot_rate": (_far_gone, "kl"),
    "code-weak_tests": (_shown_tests, "weak_verifier"),
    "swe-open_history": (lambda: {"rows": planted("history_leak", 0, 0.2)}, "history_leak"),
}
"""{world: (evidence of its pathology, the mode or metric by which the full harness knows it)}."""


@pytest.mark.parametrize("name", PLANTED)
def test_without_its_diagnostics_a_harness_is_silent_on_a_planted_pathology(name):
    made, known_by = PLANTED[name]
    evidence, shown = made(), {}
    for arm in "FS":
        config = compose_campaign(lopo.WORLDS[name].overrides(arm, 3))
        report = examine(Harness(ROOT / "harness_plugins", config.harness), recipe=config, **evidence)
        shown[arm] = {finding.mode for finding in report.findings} | set(report.metrics)
    assert known_by in shown["F"] and known_by not in shown["S"]


def test_a_world_without_room_is_void() -> None:
    runs = [run("math-honest", arm, seed, 0.5 + 0.01 * (arm == "E")) for arm in "SEO" for seed in (1, 2)]
    assert room(runs, "math-honest") == 0.0 and recovered(runs, "math-honest") is None
    assert "| math-honest | 0.0 | void |" in room_table(runs)


def test_the_recovered_share_is_paired_by_seed() -> None:
    lifts = {"S": 0.0, "E": 0.06, "O": 0.1}
    runs = [run("math-lottery", arm, seed, 0.4 + 0.1 * seed + lift) for arm, lift in lifts.items() for seed in (1, 2)]
    assert recovered(runs, "math-lottery") == pytest.approx(0.6)


def test_arms_are_compared_within_seeds_and_every_campaign_is_listed() -> None:
    assert [promotion.is_invalid for promotion in (GOOD, EMPTY, LEAKED)] == [False, True, True]
    runs = [
        run("math", "static", 0, 0.61, GOOD),
        run("math", "static", 1, 0.63, GOOD),
        run("math", "hillclimb", 0, 0.60, GOOD, EMPTY),
        run("math", "hillclimb", 1, 0.60, GOOD, LEAKED),
        run("swe", "static", 0, 0.30, GOOD),
    ]
    pairs = [("static", "hillclimb")]
    found = {row["measure"]: row for row in values(runs, pairs)["differences"]}
    assert found["score"]["mean"] == pytest.approx(2.0) and found["score"]["num_seeds"] == 2
    assert found["invalid_promotions"]["mean"] == -1.0
    text = report(runs, pairs)
    assert "| math | static | 2 | 62.0 | 62.0 | 72.0 | 2 | 0 | 400 | 300 |" in text
    assert "| math | static - hillclimb | 2 | +2.0 [-10.7, +14.7] | +2.0 [-10.7, +14.7] | -1.0 [-1.0, -1.0] |" in text
    assert "| math | 1 | hillclimb | v002 | 60.0 | 70.0 | 2 of 4 | v002 |  |" in text


def test_every_reference_arm_has_the_same_tokens_of_training_and_the_same_data() -> None:
    made = {arm: compose_campaign(references.settings(arm, "math", 3, SIZE)) for arm in references.ARMS}
    tokens = {arm: config.num_versions * config.budget.train_tokens for arm, config in made.items()}
    assert set(tokens.values()) == {4000}
    assert len({(config.domain.data_path, config.policy.name, config.seed) for config in made.values()}) == 1
    start = effective_recipe(made["grpo_ch"])
    assert all(effective_recipe(made[arm]) == start for arm in references.SEARCHES)


@pytest.mark.parametrize("domain", references.ORDER)
def test_each_step_of_the_schedule_changes_one_factor_of_the_recipe_that_arms_begin_with(domain: str) -> None:
    start = compose_campaign(references.settings("schedule", domain, 3, SIZE))
    before = flatten(config_to_dict(start))
    for name in references.ORDER[domain]:
        setting = read_written(references.SCHEDULE / f"{name}.yaml").setting
        assert len(factors_of(set(setting))) == 1
        assert all(before[key] != value for key, value in setting.items())


ONE, OTHER = {0: 61.0, 1: 64.5, 2: 60.0, 3: 66.0}, {0: 60.0, 1: 61.0, 2: 60.5, 3: 62.0, 4: 99.0}


def test_the_interval_is_that_of_the_paired_t_test():
    found = seed_difference(ONE, OTHER)
    peer = stats.ttest_rel(list(ONE.values()), [OTHER[seed] for seed in ONE]).confidence_interval(0.95)
    assert found.num_seeds == 4
    assert (found.mean, found.low, found.high) == pytest.approx((2.0, peer.low, peer.high))
    assert not found.is_sure


def test_one_seed_has_no_interval_and_a_difference_that_no_seed_contradicts_is_sure():
    sure = seed_difference({0: 5.0, 1: 5.2, 2: 4.9}, {0: 1.0, 1: 1.1, 2: 1.0})
    alone, equal = seed_difference({0: 2.0}, {0: 1.0, 1: 5.0}), seed_difference({0: 2.0, 1: 3.0}, {0: 1.0, 1: 2.0})
    assert (alone.num_seeds, alone.mean, alone.low) == (1, 1.0, None) and (equal.low, equal.high) == (1.0, 1.0)
    assert [found.is_sure for found in (sure, alone, equal)] == [True, False, False]


@pytest.mark.parametrize(("one", "match"), [({7: 1.0}, "no seed in common"), ({0: math.nan}, "no number")])
def test_what_cannot_be_compared_is_an_error(one: dict[int, float], match: str):
    with pytest.raises(EvidenceError, match=match):
        seed_difference(one, OTHER)
