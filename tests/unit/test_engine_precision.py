"""Weights are trained and stored in the precision that the configuration names, and small updates survive bfloat16."""

import copy
from dataclasses import replace
from pathlib import Path

import pytest
import torch
from safetensors.torch import load_file

from evotrainer.config import AlgorithmConfig
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.policy import Policy
from evotrainer.engines.torch_engine import load_policy
from evotrainer.errors import ConfigError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_signals, read_tokens
from evotrainer.training import replay_steps
from evotrainer.training.torch.optimiser import Optimiser, trained_parameters
from evotrainer.training.torch.sync import open_pair
from tests.model_directories import FAMILIES, small_campaign, train_on_sums

pytestmark = pytest.mark.parts

IDS = torch.tensor([[5, 6, 7, 8]])


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("precision") / "qwen3"
    FAMILIES["qwen3"](out)
    return out


@pytest.fixture(scope="module")
def half(path: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a version trained in bfloat16."""
    out = tmp_path_factory.mktemp("half") / "v001"
    config = small_campaign(path, precision="bfloat16", gradient_checkpointing=True, micro_batch_tokens=256)
    assert train_on_sums(config, path, out).policy_hash
    return out


def test_a_bfloat16_version_is_stored_once_loaded_and_stored_again_without_a_change(
    path: Path, half: Path, tmp_path: Path
):
    stored, own = load_file(half / "model" / "model.safetensors"), load_file(path / "model.safetensors")
    assert {value.dtype for value in stored.values()} == {torch.bfloat16}
    assert any(not torch.equal(value, own[name].bfloat16()) for name, value in stored.items())
    size = (half / "model" / "model.safetensors").stat().st_size
    assert size < 0.6 * (path / "model.safetensors").stat().st_size
    policy = TransformersPolicy.load(half / "model")
    for name, value in policy.model.state_dict().items():
        if name in stored:
            assert value.dtype == torch.bfloat16 and torch.equal(value, stored[name])
    assert policy.save(tmp_path / "again") == policy.policy_id


def test_an_adapter_remembers_the_precision_of_its_base(path: Path, tmp_path: Path):
    config = small_campaign(path, precision="bfloat16")
    config.engine.lora.rank = 2
    adapter = train_on_sums(config, path, tmp_path / "v001").model_path
    policy = load_policy(config, adapter)
    dtypes = {name: value.dtype for name, value in policy.model.named_parameters()}
    assert {dtype for name, dtype in dtypes.items() if "lora_" in name} == {torch.float32}
    assert {dtype for name, dtype in dtypes.items() if "lora_" not in name} == {torch.bfloat16}


def _walk(policy: Policy, optimiser: Optimiser, steps: int) -> None:
    for _ in range(steps):
        optimiser.zero_grad()
        (policy.logits(IDS).float().log_softmax(-1)[..., 7].sum()).backward()
        optimiser.step()


def test_small_updates_are_not_lost_in_bfloat16(path: Path):
    """One step rounds to nothing for nearly all weights; a hundred of them are there."""
    config = small_campaign(path, precision="bfloat16")
    policy, start = open_pair(config, path, 0)
    optimiser = Optimiser(policy, AlgorithmConfig(learning_rate=1e-5), config.engine.optimiser)
    before = [value.detach().clone() for value in trained_parameters(policy)]
    _walk(policy, optimiser, 1)
    moved = [(new != old).float().mean() for new, old in zip(trained_parameters(policy), before, strict=True)]
    assert torch.stack(moved).mean() < 0.2
    _walk(policy, optimiser, 99)
    for new, exact, old in zip(trained_parameters(policy), optimiser.parameters, before, strict=True):
        assert exact.dtype == torch.float32 and torch.equal(new, exact.bfloat16())
        reached = (exact - old.float()).abs()
        assert reached.max() > 5e-4 and reached.max() < 2e-3  # a hundred steps of 1e-5
    assert next(start.model.parameters()).dtype == torch.bfloat16


def test_micro_batches_add_up_in_float32(path: Path):
    config = small_campaign(path, precision="bfloat16")
    policy, _ = open_pair(config, path, 0)
    optimiser = Optimiser(policy, AlgorithmConfig(), config.engine.optimiser)
    policy.logits(IDS).float().sum().backward()
    once = [value.grad.clone() for value in optimiser.parameters if value.grad is not None]
    for _ in range(300):
        (policy.logits(IDS).float().sum() / 1024).backward()  # in bfloat16 each of them would be lost
    assert all(value.grad is None for value in trained_parameters(policy))
    for first, value in zip(once, [value for value in optimiser.parameters if value.grad is not None], strict=True):
        assert value.dtype == torch.float32
        torch.testing.assert_close(value.grad, first * (1 + 300 / 1024), rtol=1e-4, atol=1e-9)


def test_the_state_of_a_bfloat16_run_holds_what_the_policy_does_not(path: Path):
    config = small_campaign(path, precision="bfloat16")
    pairs = [open_pair(config, path, 0)[0] for _ in range(2)]
    first, second = (
        Optimiser(policy, AlgorithmConfig(learning_rate=1e-5), config.engine.optimiser) for policy in pairs
    )
    _walk(pairs[0], first, 3)
    second.load_state_dict(copy.deepcopy(first.state_dict()))
    for policy, optimiser in zip(pairs, (first, second), strict=True):
        _walk(policy, optimiser, 2)
    for one, other in zip(first.parameters, second.parameters, strict=True):
        assert torch.equal(one, other)
    for one, other in zip(trained_parameters(pairs[0]), trained_parameters(pairs[1]), strict=True):
        assert torch.equal(one, other)


@pytest.mark.parametrize("precision", ["float32", "bfloat16"])
def test_moments_in_main_memory_give_the_same_policy(path: Path, precision: str):
    policies = {
        kind: open_pair(small_campaign(path, precision=precision), path, 0)[0] for kind in ("adamw", "adamw_cpu")
    }
    for kind, policy in policies.items():
        _walk(policy, Optimiser(policy, AlgorithmConfig(learning_rate=1e-3), kind), 3)
    one, other = (policy.model.state_dict() for policy in policies.values())
    assert all(torch.equal(value, other[name]) for name, value in one.items())


def test_eight_bit_moments_are_refused_where_they_cannot_be_had(path: Path):
    policy, _ = open_pair(small_campaign(path), path, 0)
    with pytest.raises(ConfigError, match="adamw_8bit needs"):
        Optimiser(policy, AlgorithmConfig(), "adamw_8bit")


@pytest.mark.parametrize("settings", [{"precision": "bfloat16"}, {"lora": 4}], ids=["bfloat16", "lora"])
def test_backtests_replay_steps_of_what_is_trained(path: Path, tmp_path: Path, settings: dict):
    rank = settings.pop("lora", 0)
    config = small_campaign(path, **settings)
    config.engine.lora.rank, config.algorithm.learning_rate = rank, 1e-3
    result = train_on_sums(config, path, tmp_path / "v001")
    rows, tokens = list(Rows.read(tmp_path / "v001" / "training")), read_tokens(tmp_path / "v001" / "training")
    rows = [row.model_copy(update={"correct": float(index % 2)}) for index, row in enumerate(rows)]
    faster = replace(config, algorithm=replace(config.algorithm, learning_rate=1e-2))
    plain, fast, again = replay_steps([config, faster, config], path, rows, tokens)
    assert result.policy_hash and plain.grad_norm > 0
    assert again == plain and fast.update_norm > 2 * plain.update_norm
    assert fast.grad_norm == pytest.approx(plain.grad_norm) and fast.cosine == pytest.approx(1.0, abs=1e-4)
    signals = read_signals(tmp_path / "v001" / "training")
    assert all(row.extra["mismatch_max_ratio"] >= 1 for row in signals)
    largest = max(row.extra["mismatch_mean_abs"] for row in signals)
    assert largest < (0.1 if config.engine.precision == "bfloat16" else 1e-4)
