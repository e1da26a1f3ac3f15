"""Presets compose, take the reference algorithms, and stand in for defaults that a wider policy must not take over."""

import json
from pathlib import Path

import pytest

from conf.compose import compose_campaign, groups
from evotrainer.config import config_to_dict, flatten
from evotrainer.errors import ConfigError
from evotrainer.training.openrlhf.options import refusals
from flows.workspace.policy_checks import SCALED, check_defaults

PRESETS = [name for name in groups()["preset"] if name != "none"]
REFERENCE = {
    "grpo_clip_higher": ([], "grpo", "none", True),
    "gspo_clip_higher": (["algorithm=gspo_clip_higher"], "gspo", "none", True),
    "group_variance": (["filter=group_variance"], "grpo", "group_variance", True),
    "ragen_v1": (["filter=ragen_v1", "engine.train=torch"], "grpo", "ragen_v1", False),
    "ragen_v2": (["filter=ragen_v2", "engine.train=torch"], "grpo", "ragen_v2", False),
}


def test_the_default_preset_changes_nothing():
    assert compose_campaign([]) == compose_campaign(["preset=none"])


def test_the_papers_set_up_is_under_avg_at_8():
    config = compose_campaign(["preset=paper", "policy.path=models/own"])
    assert config.domain.name == "math"
    assert (config.evaluate.attempts, config.evaluate.temperature, config.sampling.temperature) == (8, 1.0, 1.0)
    assert (config.algorithm.learning_rate, config.algorithm.clip_low, config.algorithm.clip_high) == (1e-6, 0.2, 0.27)
    assert (config.engine.rollout, config.engine.train) == ("vllm", "openrlhf")
    assert refusals(config) == []


@pytest.mark.parametrize("name", REFERENCE)
def test_the_reference_algorithms_are_options_of_a_preset(name: str):
    options, loss, group_filter, is_of_openrlhf = REFERENCE[name]
    config = compose_campaign(["preset=paper", "policy.path=models/own", *options])
    assert (config.algorithm.loss, config.filter.group) == (loss, group_filter)
    assert config.algorithm.learning_rate == 1e-6
    assert (refusals(config) == []) is is_of_openrlhf
    assert config.engine.train == ("openrlhf" if is_of_openrlhf else "torch")


@pytest.mark.parametrize("preset", [*(name for name in PRESETS if name.startswith("size_")), "single_gpu_24gb"])
def test_one_gpu_trains_one_version_at_a_time_unless_a_person_says_otherwise(preset: str):
    for settings, width in (([], 1), (["search=gear_fixed"], 1), (["search.candidates_per_generation=2"], 2)):
        config = compose_campaign([f"preset={preset}", "policy.path=models/own", *settings])
        assert (config.search.candidates_per_generation, config.init) == (width, "parent")


def test_what_a_person_sets_goes_before_a_preset():
    config = compose_campaign(["preset=paper", "algorithm.learning_rate=3e-6", "domain=code"])
    assert (config.algorithm.learning_rate, config.domain.name) == (3e-6, "code")


def _policy(folder: Path, **values: object) -> Path:
    (folder / "config.json").write_text(json.dumps(values))
    return folder


@pytest.mark.parametrize("domain", ["math", "code", "swe"])
def test_a_wider_policy_does_not_take_over_embedded_defaults(tmp_path: Path, domain: str):
    overrides = [f"domain={domain}", "policy.path=models/own"]
    with pytest.raises(ConfigError, match="width 1024 .*algorithm.learning_rate=4e-06.*paper") as caught:
        check_defaults(_policy(tmp_path, hidden_size=1024), compose_campaign(overrides), overrides)
    assert all(key in str(caught.value) for key in SCALED)
    assert "\n" not in str(caught.value)


def test_only_the_keys_that_were_not_set_are_named(tmp_path: Path):
    overrides = ["policy.path=models/own", "algorithm.learning_rate=6.4e-5", "sampling.max_response_tokens=512"]
    with pytest.raises(ConfigError, match="would take over evaluate.max_response_tokens=48,"):
        check_defaults(_policy(tmp_path, text_config={"hidden_size": 2048}), compose_campaign(overrides), overrides)


@pytest.mark.parametrize("values", [{"hidden_size": 64}, {"hidden_size": 128}, {}])
def test_a_policy_like_the_embedded_ones_or_of_unknown_width_is_let_through(tmp_path: Path, values: dict[str, int]):
    overrides = ["policy.path=models/own"]
    check_defaults(_policy(tmp_path, **values), compose_campaign(overrides), overrides)


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_stands_in_for_all_of_them(tmp_path: Path, preset: str):
    overrides = [f"preset={preset}", "policy.path=models/own"]
    config = compose_campaign(overrides)
    check_defaults(_policy(tmp_path, hidden_size=2560), config, overrides)
    default = flatten(config_to_dict(compose_campaign([f"domain={config.domain.name}"])))
    found = flatten(config_to_dict(config))
    assert all(found[key] != default[key] for key in SCALED)
