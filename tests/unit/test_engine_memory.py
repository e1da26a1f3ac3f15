"""The estimate of memory follows from the files of a model, is sane, and its refusal names settings that fit."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
import torch

from evotrainer.config import Config
from evotrainer.config.validation import validated
from evotrainer.engines.adapters import adapter_weights
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.memory import GB, check_memory, estimate_memory, suggest
from evotrainer.engines.model_files import ModelShape, read_shape
from evotrainer.errors import PolicyError, is_shortage
from evotrainer.training.torch.sync import open_pair
from tests.model_directories import FAMILIES

LAYER = {"q": (4096, 4096), "k": (1024, 4096), "v": (1024, 4096), "o": (4096, 4096)}
LAYER |= {"gate": (12288, 4096), "up": (12288, 4096), "down": (4096, 12288)}
EIGHT = ModelShape(
    hidden=4096,
    layers=36,
    heads=32,
    key_value_heads=8,
    head_size=128,
    intermediate=12_288,
    vocabulary=151_936,
    weights={
        "model.embed_tokens.weight": (151_936, 4096),
        "lm_head.weight": (151_936, 4096),
        **{f"model.layers.{i}.{name}_proj.weight": shape for i in range(36) for name, shape in LAYER.items()},
    },
)
"""Qwen3-8B."""


@pytest.fixture(scope="module", params=["qwen3", "gemma", "gpt_neox"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("memory") / request.param
    FAMILIES[request.param](out)
    return out


def _config(**engine: object) -> Config:
    config = Config()
    config.policy.path, config.engine = "model", replace(config.engine, device="cpu", **engine)
    config.sampling.max_response_tokens = 1024
    return config


def test_the_shape_is_that_of_the_loaded_model(path: Path):
    shape, policy = read_shape(path), TransformersPolicy.load(path)
    assert shape.num_weights == sum(value.numel() for value in policy.model.parameters())
    assert shape.largest == max(value.numel() for value in policy.model.parameters())
    assert (shape.hidden, shape.layers, shape.vocabulary) == (32, 2, policy.config["vocab_size"])


def test_the_weights_of_an_adapter_are_counted(path: Path):
    config = _config()
    config.policy.path, config.engine.lora.rank = str(path), 4
    policy, _ = open_pair(config, path, 0)
    trained = sum(value.numel() for value in adapter_weights(policy.model).values())
    needed = estimate_memory(config, read_shape(path), 10, "cpu", 0)
    assert needed.moments == 8 * trained and needed.reference == 0


def test_a_known_model_takes_what_its_parts_say():
    whole = estimate_memory(_config(precision="bfloat16"), EIGHT, 200, "cuda", 0)
    assert EIGHT.num_weights == pytest.approx(8.19e9, rel=0.01)
    assert whole.weights + whole.reference == 4 * EIGHT.num_weights
    assert whole.copies + whole.moments == 12 * EIGHT.num_weights  # float32 copies and two moments
    assert whole.cache == 128 * 1224 * 2 * 36 * 8 * 128 * 2
    assert whole.total > 16 * EIGHT.num_weights


@pytest.mark.parametrize(
    ("setting", "part"),
    [
        ({"gradient_checkpointing": True}, "activations"),
        ({"micro_batch_tokens": 2048}, "logits"),
        ({"optimiser": "adamw_8bit"}, "moments"),
        ({"optimiser": "adamw_cpu"}, "copies"),
        ({"batch_trajectories": 16}, "cache"),
        ({"precision": "float32"}, "copies"),
    ],
)
def test_each_setting_takes_less_of_its_part(setting: dict, part: str):
    wide = {"precision": "bfloat16", "micro_batch_tokens": 8192}
    plain = estimate_memory(_config(**wide), EIGHT, 200, "cuda", 0)
    other = estimate_memory(_config(**(wide | setting)), EIGHT, 200, "cuda", 0)
    assert getattr(other, part) < 0.6 * getattr(plain, part)


@pytest.mark.parametrize("free", [24, 48, 80, 140])
def test_what_is_suggested_fits(free: int):
    config = _config()
    advice = suggest(config, EIGHT, 200, "cuda", 0, int(free * GB))
    assert "smaller policy" not in advice
    for key, text in re.findall(r"engine\.([\w.]+)=(\w+)", advice):
        owner, name = (config.engine.lora, "rank") if key == "lora.rank" else (config.engine, key)
        kind = type(getattr(owner, name))
        setattr(owner, name, text == "true" if kind is bool else kind(text))
    assert estimate_memory(validated(config), EIGHT, 200, "cuda", 0).total <= free * GB


def test_what_can_never_fit_is_said():
    assert suggest(_config(), EIGHT, 200, "cuda", 0, int(2 * GB)).endswith("a smaller policy")


def test_a_run_without_room_is_refused_before_it_loads(tmp_path: Path):
    FAMILIES["qwen3"](tmp_path / "model")
    (tmp_path / "model" / "model.safetensors").rename(tmp_path / "weights")
    config = _config()
    config.policy.path = str(tmp_path / "model")
    with pytest.raises(PolicyError, match="holds no weights, neither model.safetensors nor"):
        check_memory(config, tmp_path / "model", [])
    (tmp_path / "weights").rename(tmp_path / "model" / "model.safetensors")
    check_memory(config, tmp_path / "model", ["short"])
    config.sampling.max_response_tokens, config.sampling.max_turns = 1_000_000, 100
    with pytest.raises(PolicyError, match=r"needs about \d+\.\d GB of cpu memory, \d+\.\d are free: try engine\."):
        check_memory(config, tmp_path / "model", ["short"])
    config.engine.check_memory = False
    check_memory(config, tmp_path / "model", ["short"])


def test_the_embedded_policy_is_never_asked():
    config = Config()
    config.sampling.max_response_tokens = 1_000_000
    check_memory(config, Path("nowhere"), [])


def test_running_out_of_memory_is_told_from_other_faults_of_torch():
    with pytest.raises(RuntimeError) as caught:
        torch.empty(2**50)
    assert is_shortage(RuntimeError("unable to mmap 538 bytes from file <x>: Cannot allocate memory (12)"))
    assert is_shortage(caught.value) and is_shortage(torch.OutOfMemoryError()) and is_shortage(MemoryError())
    with pytest.raises(RuntimeError) as caught:
        torch.ones(2) + torch.ones(3)
    assert not is_shortage(caught.value)
