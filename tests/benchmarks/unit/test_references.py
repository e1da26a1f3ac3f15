"""Reference algorithms beside searches: equal budgets, a schedule of lawful steps, scores of what is deployed."""

from itertools import product

import pytest

from benchmarks.coevolution.records import CoevolutionRun, WorkLedger
from benchmarks.commands import references as command
from benchmarks.references.arms import ARMS, ONE_VERSION, ORDER, REFERENCES, SCHEDULE, SEARCHES, Size, settings
from benchmarks.reports.references import deployed_score, references_report, references_values
from conf.compose import compose_campaign
from evotrainer.config import config_to_dict, flatten
from evotrainer.config.factors import effective_recipe, factors_of, recipe_hash
from evotrainer.config.written import read_written

SIZE = Size(versions=4, tokens=1000, max_problems=40)


def run(arm: str, seed: int, score: float, trained: float | None) -> CoevolutionRun:
    return CoevolutionRun(
        world="math",
        arm=arm,
        seed=seed,
        incumbent="v000",
        num_problems=160,
        attempts=8,
        score=score,
        base_score=0.4,
        baseline_score=trained,
        shown_score=score,
        num_trained=1,
        promotions=[],
        invalid_versions=0,
        steps=9,
        wasted_steps=3,
        trainings=WorkLedger(done_tokens=100, reused_tokens=300),
        completions=WorkLedger(),
        other_cpu_seconds=1.0,
    )


def test_every_arm_has_the_same_tokens_of_training_and_the_same_data():
    made = {arm: compose_campaign(settings(arm, "math", 3, SIZE)) for arm in ARMS}
    tokens = {arm: config.num_versions * config.budget.train_tokens for arm, config in made.items()}
    assert {arm for arm, total in tokens.items() if total != 4000} == {f"{name}{ONE_VERSION}" for name in REFERENCES}
    assert {tokens[f"{name}{ONE_VERSION}"] for name in REFERENCES} == {1000}
    assert len({(config.domain.data_path, config.policy.name, config.seed) for config in made.values()}) == 1
    assert [arm for arm in ARMS if made[arm].init == "parent"] == ["continued", "unchanged"]
    recipes = {arm: effective_recipe(made[arm]) for arm in SEARCHES}
    assert all(recipe == effective_recipe(made["grpo_ch"]) for recipe in recipes.values())
    assert len({recipe_hash(made[arm]) for arm in REFERENCES}) == len(REFERENCES)
    assert command.ALL_ARMS.split(",") == list(ARMS) and command.ALL_DOMAINS.split(",") == list(ORDER)


@pytest.mark.parametrize("domain", ORDER)
def test_each_step_of_the_schedule_changes_one_factor_of_the_recipe_that_arms_begin_with(domain: str):
    start = compose_campaign(settings("schedule", domain, 3, SIZE))
    before = flatten(config_to_dict(start))
    assert start.trainer.interventions == list(ORDER[domain])
    for name in ORDER[domain]:
        setting = read_written(SCHEDULE / f"{name}.yaml").setting
        assert len(factors_of(set(setting))) == 1
        assert all(before[key] != value for key, value in setting.items())


def test_a_reference_counts_by_what_it_trained_and_a_search_by_its_incumbent():
    assert deployed_score(run("grpo_ch", 0, 0.4, 0.6)) == 0.6
    assert deployed_score(run("grpo_ch", 0, 0.4, None)) == 0.4  # it diverged: there is the base policy alone
    assert deployed_score(run("evotrainer", 0, 0.5, 0.6)) == 0.5


def test_the_report_pairs_arms_by_seed():
    scores = {"grpo_ch": (0.5, 0.6), "evotrainer": (0.54, 0.66)}
    runs = [run(arm, seed, *2 * (scores[arm][seed],)) for arm, seed in product(scores, (0, 1))]
    report, (difference,) = references_report(runs), references_values(runs)["differences"]
    assert (difference["arm"], difference["other"], difference["num_seeds"]) == ("evotrainer", "grpo_ch", 2)
    assert difference["mean"] == pytest.approx(5.0)
    assert "| math | evotrainer - grpo_ch | 2 | +5.0 [-7.7, +17.7] |" in report
    assert "| math | grpo_ch | 2 | 40.0 | 55.0 | 50.0 to 60.0 | 400 | 0 | 1 |" in report
