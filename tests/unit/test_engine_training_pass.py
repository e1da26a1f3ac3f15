"""Packing, checkpointing and micro-batches change how a training step is computed, not what it computes."""

from pathlib import Path

import pytest
import torch
from torch import Tensor

from evotrainer.algorithm.losses import Normaliser, policy_loss, token_logprobs
from evotrainer.config import AlgorithmConfig, Config
from evotrainer.config.validation import validated
from evotrainer.engines.hf import RunSettings, TransformersPolicy
from evotrainer.engines.packing import check_packing
from evotrainer.errors import ConfigError, PolicyError
from evotrainer.training.torch.batch import MicroBatch, TokenSequence, pad, padded_batches
from tests.model_directories import FAMILIES

pytestmark = pytest.mark.parts

LENGTHS = [(3, 9), (5, 2), (1, 17), (8, 4), (2, 2)]
"""Prompt and response of each sequence; the longest is past the sliding window of the Gemma here."""


@pytest.fixture(scope="module", params=["qwen3", "gemma", "gpt_neox"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("passes") / request.param
    FAMILIES[request.param](out)
    return out


def _sequences() -> list[TokenSequence]:
    generator = torch.Generator().manual_seed(0)
    found = []
    for index, (prompt, response) in enumerate(LENGTHS):
        ids = torch.randint(3, 250, (prompt + response,), generator=generator).tolist()
        mask = [0.0] * prompt + [1.0] * response
        mask[prompt + response // 2] = 0.0  # a tool's answer in the middle of an episode
        found.append(TokenSequence(ids, [0.0] * len(ids), mask, 1.0 - index))
    return found


def _logprobs(policy: TransformersPolicy) -> Tensor:
    batch = pad(_sequences(), policy.device)
    with torch.no_grad():
        logits = policy.logits(batch.ids[:, :-1], batch.is_sampled)
    return batch.spread(token_logprobs(logits, batch.ids[:, 1:][batch.is_sampled]))


def _gradients(policy: TransformersPolicy, limit: MicroBatch) -> dict[str, Tensor]:
    """Return the gradients of the loss on all sequences, in micro-batches."""
    sequences, algorithm = _sequences(), AlgorithmConfig(kl_coefficient=0.0)
    tokens = sum(sequence.num_sampled for sequence in sequences)
    for batch in padded_batches(sequences, limit, policy.device):
        with policy.training_pass():
            logits = policy.logits(batch.ids[:, :-1], batch.is_sampled)
            new = batch.spread(token_logprobs(logits, batch.ids[:, 1:][batch.is_sampled]))
            normaliser = Normaliser(len(sequences), tokens, float(tokens), 20)
            policy_loss(new, new.detach(), None, None, batch.mask, batch.advantages, algorithm, normaliser).backward()
    found = {name: value.grad for name, value in policy.model.named_parameters() if value.grad is not None}
    policy.model.zero_grad()
    return found


def test_packed_sequences_have_the_logprobs_of_padded_ones(path: Path):
    plain = _logprobs(TransformersPolicy.load(path))
    for attention in ("sdpa", "eager"):
        packed = TransformersPolicy.load(path, settings=RunSettings(attention=attention, packing=True))
        torch.testing.assert_close(_logprobs(packed), plain, atol=1e-5, rtol=0)
        check_packing(packed.model, packed.device)


def test_gradients_do_not_depend_on_how_a_batch_is_computed(path: Path):
    expected = _gradients(TransformersPolicy.load(path), MicroBatch(len(LENGTHS)))
    kept = RunSettings(gradient_checkpointing=True)
    ways = [
        (RunSettings(packing=True), MicroBatch(1, tokens=30, is_packed=True)),
        (kept, MicroBatch(2)),
        (RunSettings(gradient_checkpointing=True, packing=True), MicroBatch(1, tokens=1000, is_packed=True)),
    ]
    for settings, limit in ways:
        found = _gradients(TransformersPolicy.load(path, settings=settings), limit)
        assert found.keys() == expected.keys()
        for name, value in expected.items():
            torch.testing.assert_close(found[name], value, atol=1e-5, rtol=1e-4)


def test_checkpointing_keeps_less_and_leaves_rollouts_alone(path: Path):
    kept = {}
    for is_on in (False, True):
        policy = TransformersPolicy.load(path, settings=RunSettings(gradient_checkpointing=is_on))
        kept[is_on] = _kept_bytes(policy)
        assert not any(module.training for module in policy.model.modules())
    assert kept[True] < 0.75 * kept[False]
    decoder = policy.decoder(8)
    decoder.start(torch.tensor([[5, 6, 7]]), torch.zeros(1, dtype=torch.long))
    assert decoder.past is not None and decoder.past.get_seq_length() == 3


def _kept_bytes(policy: TransformersPolicy) -> int:
    """Return the bytes that the forward pass keeps for the backward pass, weights left out."""
    own, sizes = {value.data_ptr() for value in policy.model.parameters()}, {}

    def note(value: Tensor) -> Tensor:
        if value.data_ptr() not in own:
            sizes[value.data_ptr()] = value.untyped_storage().nbytes()
        return value

    batch = pad(_sequences(), policy.device)
    with policy.training_pass(), torch.autograd.graph.saved_tensors_hooks(note, lambda value: value):
        logits = policy.logits(batch.ids[:, :-1], batch.is_sampled)
        logits.sum().backward()
    return sum(sizes.values())


def test_micro_batches_hold_so_many_tokens():
    sequences, cpu = _sequences(), torch.device("cpu")

    def shapes(limit: MicroBatch) -> list[tuple[int, int]]:
        return [tuple(batch.ids.shape) for batch in padded_batches(sequences, limit, cpu)]

    assert shapes(MicroBatch(2)) == [(2, 7), (2, 12), (1, 18)]
    assert shapes(MicroBatch(2, tokens=36)) == [(3, 12), (2, 18)]
    assert shapes(MicroBatch(1, tokens=36)) != shapes(MicroBatch(1))
    assert shapes(MicroBatch(9, tokens=36, is_packed=True)) == [(4, 12), (1, 18)]
    assert [rows for rows, _ in shapes(MicroBatch(9, tokens=4))] == [1] * 5


def test_an_architecture_whose_sequences_see_each_other_is_refused(path: Path):
    """Attention over everything before it, as a recurrent state gives it."""
    policy = TransformersPolicy.load(path)
    inner = policy.model.forward

    def blind(ids: Tensor, position_ids: Tensor | None = None, **settings: object):
        return inner(ids, **settings)

    policy.model.forward = blind
    with pytest.raises(ConfigError, match="engine.packing=false"):
        check_packing(policy.model, policy.device)


def test_unusable_settings_are_refused(path: Path):
    config = Config()
    config.engine.packing = True
    with pytest.raises(ConfigError, match=r"needs policy\.path"):
        validated(config)
    config.policy.path = str(path)
    with pytest.raises(ConfigError, match="micro_batch_tokens"):
        validated(config)
    config.engine.micro_batch_tokens = 64
    validated(config)
    with pytest.raises(PolicyError, match="FlashAttention2"):
        TransformersPolicy.load(path, settings=RunSettings(attention="flash_attention_2"))
