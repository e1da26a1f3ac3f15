import shutil

import pytest
import yaml

from conf.compose import CONF, compose_campaign, groups, load_campaign, write_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config, config_to_dict, flatten, load_config
from evotrainer.errors import ConfigError
from evotrainer.training.openrlhf.options import refusals
from tests.composed_version import compose_version


def test_the_default_composition_is_the_default_config():
    assert config_to_dict(compose_campaign([])) == config_to_dict(Config())


@pytest.mark.parts
@pytest.mark.parametrize("option", [f"{group}={name}" for group, names in groups().items() for name in names])
def test_every_option_composes(option):
    own = ["policy.path=models/mine"] if option.startswith("preset=size_") else []  # chosen by the size of a policy
    compose_campaign([option, *own])


@pytest.mark.parametrize("text", ["End with <answer>NUMBER</answer>.", 'Say "so": (', "a, b = c; {"])
def test_a_text_may_hold_any_signs(text):
    assert compose_campaign([f"domain.system_prompt={text}"]).domain.system_prompt == text
    with pytest.raises(ConfigError, match="is not an override"):
        compose_campaign([f"num_versions={text}"])


@pytest.mark.parametrize(
    ("override", "message"),
    [
        ("search=hillclimbing", r"search=hillclimbing is unknown: choose from evotrainer, gear_evolve"),
        ("algoritm.loss=grpo", r"unknown key 'algoritm.loss'; did you mean algorithm.loss"),
        ("algorithm.lr=1", r"unknown key 'algorithm.lr'.*algorithm has .*learning_rate"),
        ("learning_rate=1", r"unknown key 'learning_rate'; did you mean .*algorithm.learning_rate"),
        ("algorithm.learning_rate=fast", r"algorithm.learning_rate: .*'fast'"),
        ("algorithm.learning_rate=-1", r"algorithm.learning_rate=-1.0 is out of range"),
        ("algorithm.learning_rate=nan", r"algorithm.learning_rate=nan must be a finite number"),
        ("algorithm.loss=ppo", r"algorithm.loss='ppo' is unknown: choose from grpo"),
        ("evaluate.error_budget=0.06", r"evaluate.error_budget=0.06 is out of range: take a value from 1e-06 to 0.05"),
        ("num_versions=2.5", r"num_versions: .*2.5"),
        ("reward.correct=0", r"nothing would be rewarded"),
        ("data.band_low=0.95", r"data.band_low=0.95 must be below"),
        ("seed=1,2", r"give each key one value"),
        ("num_versions", r"write KEY=VALUE"),
    ],
)
def test_what_cannot_be_used_is_told_in_one_line(override, message):
    with pytest.raises(ConfigError, match=message) as caught:
        compose_campaign([override])
    assert "\n" not in str(caught.value)


def test_a_frozen_campaign_reads_back_with_and_without_hydra(tmp_path):
    files = CampaignFiles(tmp_path)
    config = compose_campaign(["algorithm=gspo_clip_higher", "seed=7"])
    write_campaign(files, config)
    assert config_to_dict(load_config(files.config)) == config_to_dict(config)
    assert config_to_dict(load_campaign(files)) == config_to_dict(config)


@pytest.mark.parametrize("text", ["algorithm: {lr: 1}\n", "algorithm: 3\n", "[1, 2]\n", "a: b: c\n"])
def test_a_damaged_file_is_named(tmp_path, text):
    path = tmp_path / "config.yaml"
    path.write_text(text)
    with pytest.raises(ConfigError, match="config.yaml"):
        load_config(path)


def test_the_example_intervention_composes(tmp_path):
    files = CampaignFiles(tmp_path)
    write_campaign(files, Config())
    folder = files.intervention("v002").parent
    folder.mkdir(parents=True)
    shutil.copy(CONF / "intervention" / "example.yaml", folder / "v002.yaml")
    example = yaml.safe_load((CONF / "intervention" / "example.yaml").read_text())
    assert compose_version(files, "v002").algorithm.learning_rate == example["algorithm"]["learning_rate"]


PRESETS = [name for name in groups()["preset"] if name != "none"]


@pytest.mark.parametrize(
    ("options", "loss", "group_filter", "engine"),
    [
        ([], "grpo", "none", "openrlhf"),
        (["algorithm=gspo_clip_higher"], "gspo", "none", "openrlhf"),
        (["filter=group_variance"], "grpo", "group_variance", "openrlhf"),
        (["filter=ragen_v1", "engine.train=torch"], "grpo", "ragen_v1", "torch"),
        (["filter=ragen_v2", "engine.train=torch"], "grpo", "ragen_v2", "torch"),
    ],
)
def test_the_reference_algorithms_are_options_of_a_preset(options, loss, group_filter, engine):
    config = compose_campaign(["preset=paper", "policy.path=models/own", *options])
    assert (config.algorithm.loss, config.filter.group, config.engine.train) == (loss, group_filter, engine)
    assert config.algorithm.learning_rate == 1e-6
    assert (refusals(config) == []) is (engine == "openrlhf")


@pytest.mark.parametrize("preset", [*(name for name in PRESETS if name.startswith("size_")), "single_gpu_24gb"])
def test_one_gpu_trains_one_version_at_a_time_unless_a_person_says_otherwise(preset: str):
    for settings, width in (([], 1), (["search=gear_fixed"], 1), (["search.candidates_per_generation=2"], 2)):
        config = compose_campaign([f"preset={preset}", "policy.path=models/own", *settings])
        assert (config.search.candidates_per_generation, config.init) == (width, "parent")


@pytest.mark.parametrize("preset", PRESETS)
def test_a_preset_sets_what_is_scaled_for_the_embedded_policies(preset: str):
    config = compose_campaign([f"preset={preset}", "policy.path=models/own"])
    default = flatten(config_to_dict(compose_campaign([f"domain={config.domain.name}"])))
    found = flatten(config_to_dict(config))
    scaled = ("algorithm.learning_rate", "sampling.max_response_tokens", "evaluate.max_response_tokens")
    assert all(found[key] != default[key] for key in scaled)
