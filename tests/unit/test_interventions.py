import dataclasses

import pytest

from evotrainer.config import Config, config_from_dict, config_to_dict, flatten
from evotrainer.config.factors import CORRECTION, RECIPE_GROUPS, factor_table, factors_of, recipe_hash
from evotrainer.config.interventions import apply, merge, with_values
from evotrainer.domains import DOMAINS, find_domain
from evotrainer.errors import ConfigError, InterventionError
from evotrainer.records import Intervention
from tests.plain_records import plain_intervention


def made(setting: dict, parent: Config | None = None, **said) -> Intervention:
    return plain_intervention(parent or Config(), setting, said=said)


NO_EFFECT = "no effect under the parent's other settings"


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        ({"algorithm.momentum": 0.9}, "no key of the configuration"),
        ({"algorithm.learning_rate": Config().algorithm.learning_rate}, "changes nothing"),
        ({"algorithm.clip_high": 0.28}, NO_EFFECT),
        ({"algorithm.loss": "gspo"}, NO_EFFECT),
        ({"filter.keep_ratio": 0.5}, NO_EFFECT),
        ({"algorithm.learning_rate": -0.1}, "algorithm.learning_rate=-0.1 is out of range"),
    ],
)
def test_a_change_that_is_none_or_cannot_be_made_is_refused(setting, message):
    with pytest.raises((InterventionError, ConfigError), match=message):
        made(setting)


def test_the_same_change_counts_where_it_acts():
    parent = with_values(Config(), {"algorithm.num_minibatches": 2})
    assert made({"algorithm.clip_high": 0.28}, parent).factor == "clip"
    assert made({"algorithm.loss": "gspo"}, parent).factor == "loss"


def test_a_diff_against_another_parent_is_refused():
    intervention = made({"algorithm.learning_rate": 1e-3})
    with pytest.raises(InterventionError, match="expects algorithm.learning_rate=6.4e-05"):
        apply(with_values(Config(), {"algorithm.learning_rate": 1e-4}), intervention.diff)


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"size": float("nan")}, "not finite"),
        ({"size": 0.4}, "outside its interval"),
        ({"probability": 1.5}, "must lie in"),
        ({"size": -0.01, "low": -0.02}, "does not go up"),
        ({"direction": "none"}, "does not go none"),
    ],
)
def test_malformed_predictions_are_refused(said, message):
    with pytest.raises(InterventionError, match=message):
        made({"algorithm.learning_rate": 1e-3}, **said)


def test_overlapping_diffs_do_not_merge():
    one, other = made({"algorithm.learning_rate": 1e-3}), made({"algorithm.learning_rate": 2e-3})
    with pytest.raises(InterventionError, match="both change algorithm.learning_rate"):
        merge(one, other, Config(), parents=["v002", "v003"])


def test_a_merge_names_the_factors_it_joins():
    one, other = made({"algorithm.learning_rate": 1e-3}), made({"sampling.problems_per_step": 8})
    union = merge(one, other, Config(), parents=["v003", "v002"])
    assert sorted(union.factor.split("+")) == ["batch_size", "learning_rate"]
    assert union.prediction.size == pytest.approx(0.2)


def test_whole_and_broken_numbers_of_one_value_are_one_recipe():
    whole = dataclasses.replace(Config().sampling, temperature=1)
    config = with_values(dataclasses.replace(Config(), sampling=whole), {})
    assert recipe_hash(config) == recipe_hash(Config())


def test_all_but_the_recipe_is_protected():
    values = config_to_dict(Config())
    for key in flatten({group: values[group] for group in values if group not in RECIPE_GROUPS}):
        with pytest.raises(InterventionError, match=f"'{key}' is protected"):
            factors_of({key})


def test_every_recipe_key_belongs_to_a_factor():
    values = config_to_dict(Config())
    factors = [factor for name in DOMAINS for factor in factor_table(find_domain(name).factors).values()]
    owned = {key for factor in factors for key in factor.keys} | {*CORRECTION.keys}
    recipe = flatten({group: values[group] for group in RECIPE_GROUPS})
    assert set(recipe) - owned == {"algorithm.weight_decay", "algorithm.warmup_steps", "reward.correct", "reward.terms"}


def test_a_recipe_hash_ignores_what_is_not_recipe():
    config = Config()
    other = dataclasses.replace(config, seed=7, num_versions=9)
    assert recipe_hash(config) == recipe_hash(other)
    changed = config_from_dict(config_to_dict(config) | {"init": "parent"})
    assert recipe_hash(changed) != recipe_hash(config)
