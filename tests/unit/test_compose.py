import shutil
from pathlib import Path

import pytest
import yaml
from omegaconf import OmegaConf
from omegaconf.errors import OmegaConfBaseException

from conf.compose import CONF, compose_campaign, groups, load_campaign, write_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import Config, config_to_dict, load_config
from evotrainer.config.validation import CHOICES, RANGES, validated
from evotrainer.errors import ConfigError


def test_the_default_composition_is_the_default_config():
    assert config_to_dict(compose_campaign([])) == config_to_dict(Config())


def test_every_number_and_name_of_the_default_lies_in_its_declared_limits():
    assert validated(Config()) == Config()
    assert RANGES["algorithm.learning_rate"] == (1e-9, 1) and RANGES["budget.max_steps"] == (1, float("inf"))
    assert CHOICES["algorithm.kl_estimator"][0] == Config().algorithm.kl_estimator


def test_hydra_ignores_declared_limits_and_keeps_types():
    schema = OmegaConf.structured(Config)
    assert OmegaConf.to_object(schema) == Config()
    with pytest.raises(OmegaConfBaseException, match="ten"):
        schema.sampling.group_size = "ten"


@pytest.mark.parts
@pytest.mark.parametrize("option", [f"{group}={name}" for group, names in groups().items() for name in names])
def test_every_option_composes(option):
    own = ["policy.path=models/mine"] if option.startswith("preset=size_") else []  # chosen by the size of a policy
    compose_campaign([option, *own])


def test_overrides_reach_their_keys():
    config = compose_campaign(
        [
            "domain=math",
            "search=hillclimb",
            "trainer=random",
            "num_versions=3",
            "budget.train_tokens=100000",
            "algorithm=dapo",
            "algorithm.learning_rate=1e-4",
        ]
    )
    assert (config.search.name, config.trainer.name, config.num_versions) == ("hillclimb", "random", 3)
    assert (config.algorithm.loss, config.algorithm.learning_rate) == ("dapo", 1e-4)
    assert config.budget.train_tokens == 100_000


def test_the_hillclimb_baseline_brings_its_own_rules():
    config = compose_campaign(["search=hillclimb"])
    assert config.evaluate.gate == "greedy"
    assert not config.search.use_findings
    assert not config.search.use_backtests
    assert not config.search.merge
    assert config.search.candidates_per_generation == 1


@pytest.mark.parametrize("text", ["End with <answer>NUMBER</answer>.", 'Say "so": (', "a, b = c; {"])
def test_a_text_may_hold_any_signs(text):
    assert compose_campaign([f"domain.system_prompt={text}"]).domain.system_prompt == text
    with pytest.raises(ConfigError, match="is not an override"):
        compose_campaign([f"num_versions={text}"])


def test_a_key_of_a_mapping_can_be_added():
    config = compose_campaign(["harness.thresholds.dead_group_ratio=0.4"])
    assert config.harness.thresholds == {"dead_group_ratio": 0.4}


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
        ("sampling.group_size=1", r"sampling.group_size=1 is out of range: take a value from 2"),
        ("num_versions=2.5", r"num_versions: .*2.5"),
        ("reward.correct=0", r"nothing would be rewarded"),
        ("data.band_low=0.95", r"data.band_low=0.95 must be below"),
        ("seed=1,2", r"give each key one value"),
        ("~domain", r"give each key one value"),
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
    from conf.compose import compose_version

    files = CampaignFiles(tmp_path)
    write_campaign(files, Config())
    folder = files.intervention("v002").parent
    folder.mkdir(parents=True)
    shutil.copy(CONF / "intervention" / "example.yaml", folder / "v002.yaml")
    example = yaml.safe_load((CONF / "intervention" / "example.yaml").read_text())
    assert compose_version(files, "v002").algorithm.learning_rate == example["algorithm"]["learning_rate"]


def test_no_group_file_names_a_class():
    assert not [path for path in Path(CONF).rglob("*.yaml") if "_target_" in path.read_text()]
