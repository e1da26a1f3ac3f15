"""An adapter is a policy like any other: trained, stored alone, named by its content, continued, synced and merged."""

import json
import shutil
from pathlib import Path

import pytest
import torch
from transformers import AutoModelForCausalLM

from evotrainer.config import Config
from evotrainer.config.validation import validated
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.adapters import adapter_weights
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.checkpoint import export_policy, is_adapter, policy_hash
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.errors import ConfigError, PolicyError
from tests.model_directories import FAMILIES, small_campaign, train_on_sums

pytestmark = pytest.mark.parts

IDS = torch.tensor([[5, 6, 7, 8, 9, 10, 11]])
BASE = "imported/policy"


def _config() -> Config:
    config = small_campaign(BASE)
    config.engine.lora.rank, config.algorithm.learning_rate = 4, 1e-2
    return config


@pytest.fixture(scope="module", params=["qwen3", "gpt_neox"])
def root(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign's folder: the base policy, and v001, an adapter that was trained on it."""
    root = tmp_path_factory.mktemp("adapters")
    FAMILIES[request.param](root / BASE)
    result = train_on_sums(_config(), root / BASE, root / "versions" / "v001")
    assert result.policy_hash == policy_hash(root / "versions" / "v001" / "model")
    return root


@pytest.fixture
def adapter(root: Path) -> Path:
    return root / "versions" / "v001" / "model"


def _logprobs(policy: TransformersPolicy) -> torch.Tensor:
    with torch.no_grad():
        return policy.logits(IDS).log_softmax(-1)


def test_a_version_stores_its_adapter_alone(root: Path, adapter: Path):
    assert is_adapter(adapter) and not is_adapter(root / BASE)
    assert {file.name for file in adapter.iterdir()} == {
        "adapter_config.json",
        "adapter_model.safetensors",
        "base.json",
    }
    record = json.loads((adapter / "base.json").read_text())
    assert record == {"policy_hash": policy_hash(root / BASE), "dtype": "float32"}
    assert str(root) not in (adapter / "adapter_config.json").read_text()


def test_the_adapter_was_trained_and_its_base_was_not(root: Path, adapter: Path):
    policy, base = TransformersPolicy.load(adapter, base=BASE), TransformersPolicy.load(root / BASE)
    assert (_logprobs(policy) - _logprobs(base)).abs().max() > 0.01
    below = {name.replace(".base_layer", ""): value for name, value in policy.model.named_parameters()}
    for name, value in base.model.named_parameters():
        torch.testing.assert_close(below[f"base_model.model.{name}"], value, atol=0, rtol=0)


def test_equal_training_gives_equal_bytes(root: Path, adapter: Path, tmp_path: Path):
    shutil.copytree(root / BASE, tmp_path / BASE)
    again = train_on_sums(_config(), tmp_path / BASE, tmp_path / "elsewhere" / "v001")
    assert again.policy_hash == policy_hash(adapter)


def test_the_merged_model_is_a_plain_directory_with_the_same_logprobs(root: Path, adapter: Path, tmp_path: Path):
    found = export_policy(adapter, BASE, tmp_path / "merged")
    assert found == policy_hash(tmp_path / "merged")
    plain = AutoModelForCausalLM.from_pretrained(tmp_path / "merged")
    assert not hasattr(plain, "peft_config")
    expected = _logprobs(TransformersPolicy.load(adapter, base=BASE))
    with torch.no_grad():
        torch.testing.assert_close(plain(IDS).logits.log_softmax(-1), expected, atol=1e-5, rtol=0)
    torch.testing.assert_close(_logprobs(TransformersPolicy.load(tmp_path / "merged")), expected, atol=1e-5, rtol=0)


def test_a_rollout_engine_runs_the_adapter(root: Path, adapter: Path):
    config, sampling, prompts = _config(), SamplingParams(8), [[5, 6, 7], [8, 9]]
    engine = create_rollout_engine(config, adapter)
    assert engine.policy_id == policy_hash(adapter)
    drawn = engine.generate(prompts, sampling, [1, 2])
    policy = TransformersPolicy.load(adapter, base=BASE)
    for prompt, completion in zip(prompts, drawn, strict=True):
        ids = torch.tensor([[*prompt, *completion.token_ids]])
        with torch.no_grad():
            logprobs = policy.logits(ids)[0, len(prompt) - 1 : -1].log_softmax(-1)
        expected = logprobs.gather(-1, ids[0, len(prompt) :, None])[:, 0]
        torch.testing.assert_close(torch.tensor(completion.logprobs), expected, atol=1e-5, rtol=0)
    assert create_rollout_engine(config, root / BASE).generate(prompts, sampling, [1, 2]) != drawn


def test_a_child_continues_the_adapter_of_its_parent(root: Path, adapter: Path):
    config = _config()
    config.algorithm.learning_rate = 1e-9
    child = train_on_sums(config, adapter, root / "versions" / "v002").model_path
    before, after = (adapter_weights(TransformersPolicy.load(path, base=BASE).model) for path in (adapter, child))
    assert is_adapter(child) and before.keys() == after.keys()
    for name, value in before.items():
        torch.testing.assert_close(after[name], value, atol=1e-6, rtol=0)
    assert any(value.abs().max() > 0 for name, value in after.items() if "lora_B" in name)
    config.engine.lora.rank = 8
    with pytest.raises(ConfigError, match=r"has rank 4.*engine\.lora\.rank"):
        train_on_sums(config, adapter, root / "versions" / "v003")


def test_an_adapter_without_its_own_base_is_refused(root: Path, adapter: Path, tmp_path: Path):
    with pytest.raises(PolicyError, match="names no whole model"):
        TransformersPolicy.load(adapter)
    shutil.copytree(root / BASE, tmp_path / "other")
    (tmp_path / "other" / "generation_config.json").write_text("{}")
    with pytest.raises(PolicyError, match="restore the model that the adapter was trained on"):
        TransformersPolicy.load(adapter, base=str(tmp_path / "other"))


def test_layers_that_do_not_exist_are_refused(root: Path, tmp_path: Path):
    config = _config()
    config.engine.lora.targets = ["no_such_layer"]
    with pytest.raises(ConfigError, match="engine.lora.targets"):
        train_on_sums(config, root / BASE, tmp_path / "v001")


def test_the_embedded_policy_takes_no_adapter():
    config = Config()
    config.engine.lora.rank = 4
    with pytest.raises(ConfigError, match=r"policy\.path"):
        validated(config)
