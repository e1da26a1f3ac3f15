import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from evotrainer.config import Config, config_to_dict
from evotrainer.config.factors import FACTORS, changed_keys, recipe_hash
from evotrainer.config.interventions import apply, check, intervention_id, invert, merge, with_values
from evotrainer.errors import InterventionError
from evotrainer.records import Condition, Intervention
from tests.plain_records import plain_intervention

SETTINGS = [(factor.name, setting) for factor in FACTORS.values() for setting in factor.settings]
settings_of_factors = st.sampled_from(SETTINGS)


def made(config: Config, setting: dict) -> Intervention | None:
    """Return the lawful intervention of a setting, or None where it changes nothing that counts."""
    try:
        success = [Condition(metric="score", operator=">", value=0.5)]
        return plain_intervention(config, setting, success=success)
    except InterventionError:
        return None


def any_recipe(settings: list[tuple[str, dict]]) -> Config:
    config = Config()
    for _, setting in settings:
        config = with_values(config, setting)
    return config


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(settings_of_factors, max_size=5), settings_of_factors)
def test_a_diff_applied_gives_back_the_diff_and_its_inverse_the_parent(start, step):
    parent = any_recipe(start)
    intervention = made(parent, step[1])
    if intervention is not None:
        child = apply(parent, intervention.diff)
        assert changed_keys(parent, child) == intervention.diff
        assert config_to_dict(apply(child, invert(intervention.diff))) == config_to_dict(parent)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(settings_of_factors, max_size=3), settings_of_factors, settings_of_factors)
def test_settings_of_two_factors_are_refused(start, first, second):
    parent = any_recipe(start)
    one, other = made(parent, first[1]), made(parent, second[1])
    if one is None or other is None or one.factor == other.factor or set(one.diff) & set(other.diff):
        return
    if any(set(one.diff) | set(other.diff) <= set(factor.keys) for factor in FACTORS.values()):
        return
    with pytest.raises(InterventionError, match="one factor"):
        plain_intervention(parent, first[1] | second[1])


@settings(deadline=None, derandomize=True, max_examples=60)
@given(settings_of_factors, settings_of_factors)
def test_merges_commute_and_contain_both(first, second):
    base = Config()
    one, other = made(base, first[1]), made(base, second[1])
    if one is None or other is None or set(one.diff) & set(other.diff):
        return
    try:
        union = merge(one, other, base, parents=["v002", "v003"])
    except InterventionError as error:
        assert "no effect" in str(error)
        return
    assert union == merge(other, one, base, parents=["v003", "v002"])
    assert dict(union.diff) == dict(one.diff) | dict(other.diff)
    assert union.parents == ["v002", "v003"]
    child = apply(base, union.diff)
    assert config_to_dict(child) == config_to_dict(apply(apply(base, one.diff), other.diff))


@settings(deadline=None, derandomize=True, max_examples=60)
@given(st.lists(settings_of_factors, max_size=4))
def test_the_id_depends_on_the_change_alone(steps):
    parent = Config()
    changes = [intervention.diff for _, s in steps if (intervention := made(parent, s)) is not None]
    for one in changes:
        for other in changes:
            assert (intervention_id(one) == intervention_id(other)) == (one == other)
            reordered = dict(reversed(list(one.items())))
            assert intervention_id(reordered) == intervention_id(one)


@settings(deadline=None, derandomize=True, max_examples=60)
@given(settings_of_factors)
def test_what_was_tried_is_refused_by_its_effective_recipe(step):
    intervention = made(Config(), step[1])
    if intervention is not None:
        child = apply(Config(), intervention.diff)
        with pytest.raises(InterventionError, match="v007 has tried"):
            check(intervention, Config(), {recipe_hash(child): "v007"})
