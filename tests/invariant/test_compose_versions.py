"""Two paths that must agree: the diff applied in memory, and the chain of intervention files composed by Hydra."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from conf.compose import compose_campaign, groups, write_campaign, write_intervention, write_unchanged
from evotrainer.agents import AGENTS
from evotrainer.algorithm.advantages import NORMALISATIONS
from evotrainer.algorithm.curriculum import CURRICULA, MIXTURES
from evotrainer.algorithm.filters import FILTERS
from evotrainer.algorithm.losses import KL_ESTIMATORS, LOSSES
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config, config_to_dict
from evotrainer.config.factors import FACTORS
from evotrainer.config.interventions import apply
from evotrainer.config.validation import CHOICES
from evotrainer.domains import DOMAINS
from evotrainer.errors import InterventionError
from evotrainer.search import SEARCHES
from tests.composed_version import compose_version
from tests.plain_records import plain_intervention

pytestmark = pytest.mark.slow

SETTINGS = [setting for factor in FACTORS.values() for setting in factor.settings]


def intervention_of(config: Config, setting: dict):
    return plain_intervention(config, setting, hypothesis="if a: then 'b' — because \"c\"")


@settings(max_examples=5, deadline=None, derandomize=True, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.sampled_from(SETTINGS), min_size=1, max_size=4))
def test_a_chain_of_files_composes_to_the_applied_diffs(tmp_path_factory, steps):
    files = CampaignFiles(tmp_path_factory.mktemp("campaign"))
    write_campaign(files, Config())
    write_unchanged(files, "v001", None, "a start")
    config, parent, number = Config(), "v001", 2
    for setting in steps:
        try:
            intervention = intervention_of(config, setting)
        except InterventionError:
            continue
        version = f"v{number:03d}"
        write_intervention(files, version, intervention, parent)
        config, parent, number = apply(config, intervention.diff), version, number + 1
        assert config_to_dict(compose_version(files, version)) == config_to_dict(config)
    assert config_to_dict(compose_version(files, "v001")) == config_to_dict(Config())


def test_composition_in_many_threads_does_not_mix(tmp_path):
    files = CampaignFiles(tmp_path)
    write_campaign(files, Config())
    write_intervention(files, "v002", intervention_of(Config(), {"algorithm.learning_rate": 1e-3}), None)

    def rate(index: int) -> float:
        if index % 2:
            return compose_version(files, "v002").algorithm.learning_rate
        return compose_campaign([f"algorithm.learning_rate={index + 1}e-5"]).algorithm.learning_rate

    with ThreadPoolExecutor(8) as threads:
        seen = list(threads.map(rate, range(8)))
    assert seen == [1e-5, 1e-3, 3e-5, 1e-3, 5e-5, 1e-3, 7e-5, 1e-3]


def test_the_known_choices_are_those_of_the_registries():
    assert set(CHOICES["trainer.name"]) == set(AGENTS)
    assert set(CHOICES["search.name"]) == set(SEARCHES)
    assert groups()["domain"] == sorted(DOMAINS)
    assert CHOICES["algorithm.loss"] == tuple(LOSSES)
    assert set(CHOICES["algorithm.advantage"]) == set(NORMALISATIONS)
    assert set(CHOICES["algorithm.kl_estimator"]) == set(KL_ESTIMATORS)
    assert set(CHOICES["filter.group"]) == set(FILTERS)
    assert set(CHOICES["data.curriculum"]) == set(CURRICULA)
    assert set(CHOICES["data.mixture"]) == set(MIXTURES)
