import dataclasses

import pytest

from evotrainer.config import Config, config_from_dict, config_to_dict, flatten
from evotrainer.config.factors import (
    CORRECTION,
    FACTORS,
    RECIPE_GROUPS,
    changed_keys,
    factor_table,
    factors_of,
    recipe_hash,
)
from evotrainer.domains import known_domains
from evotrainer.errors import InterventionError


def test_there_are_at_least_twelve_factors_and_each_key_exists():
    keys = flatten(config_to_dict(Config()))
    assert len(FACTORS) >= 12
    for factor in FACTORS.values():
        assert set(factor.keys) <= keys.keys(), factor.name
        for setting in factor.settings:
            assert set(setting) <= set(factor.keys), factor.name


def test_all_but_the_recipe_is_protected():
    values = config_to_dict(Config())
    for key in flatten({group: values[group] for group in values if group not in RECIPE_GROUPS}):
        with pytest.raises(InterventionError, match=f"'{key}' is protected"):
            factors_of({key})


def test_every_recipe_key_belongs_to_a_factor():
    values = config_to_dict(Config())
    owned = {
        key for domain in known_domains() for factor in factor_table(domain.factors).values() for key in factor.keys
    } | {*CORRECTION.keys}
    recipe = flatten({group: values[group] for group in RECIPE_GROUPS})
    assert set(recipe) - owned == {"algorithm.weight_decay", "algorithm.warmup_steps", "reward.correct", "reward.terms"}


def test_keys_of_two_factors_are_two_factors():
    names = [factor.name for factor in factors_of({"algorithm.learning_rate", "reward.format"})]
    assert sorted(names) == ["format_reward", "learning_rate"]


def test_a_recipe_hash_ignores_what_is_not_recipe():
    config = Config()
    other = dataclasses.replace(config, seed=7, num_versions=9)
    assert recipe_hash(config) == recipe_hash(other)
    changed = config_from_dict(config_to_dict(config) | {"init": "parent"})
    assert recipe_hash(changed) != recipe_hash(config)


def test_changed_keys_are_the_difference():
    child = Config()
    child.algorithm.learning_rate *= 2
    assert list(changed_keys(Config(), child)) == ["algorithm.learning_rate"]
