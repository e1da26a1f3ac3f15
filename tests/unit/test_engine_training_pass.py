"""Shared prompts, checkpointing and micro-batches change how a training step is computed, not what it computes."""

from pathlib import Path
from typing import Any, cast

import pytest
import torch
from torch import Tensor

from evotrainer.algorithm.losses import Normaliser, policy_loss, token_logprobs
from evotrainer.config import AlgorithmConfig, Config
from evotrainer.config.schema import EngineConfig
from evotrainer.config.validation import validated
from evotrainer.engines.hf import TransformersPolicy
from evotrainer.engines.packing import can_pack
from evotrainer.errors import ConfigError, PolicyError
from evotrainer.training.torch import update as module
from evotrainer.training.torch.batch import MicroBatch, TokenSequence, pad, padded_batches
from evotrainer.training.torch.update import logprobs_in_parts, token_terms
from tests.model_directories import FAMILIES

pytestmark = pytest.mark.parts


GROUPS = [(3, [9, 2, 5]), (5, [2]), (1, [17, 1]), (8, [4, 4, 6])]
"""Tokens of each prompt and of its responses; the longest row is past the sliding window of the Gemma here."""
ALONE = MicroBatch(rows=1)


@pytest.fixture(scope="module", params=["qwen3", "gemma", "gpt_neox", "llama"])
def path(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("passes") / request.param
    FAMILIES[request.param](out)
    return out


def _sequences() -> list[TokenSequence]:
    generator = torch.Generator().manual_seed(0)
    found = []
    for length, responses in GROUPS:
        prompt = torch.randint(3, 250, (length,), generator=generator).tolist()
        for response in responses:
            ids = prompt + torch.randint(3, 250, (response,), generator=generator).tolist()
            mask = [0.0] * length + [1.0] * response
            if response > 3:
                mask[length + response // 2] = 0.0  # a tool's answer in the middle of an episode
            found.append(TokenSequence(ids, [0.0] * len(ids), mask, 1.0 - len(found)))
    return found


def _computed(policy: TransformersPolicy, limit: MicroBatch) -> tuple[dict[tuple[int, ...], Tensor], dict[str, Tensor]]:
    """Return the logprobs of each sequence, and the gradients of the loss on all of them, in micro-batches."""
    sequences, algorithm, logprobs = _sequences(), AlgorithmConfig(kl_coefficient=0.0), {}
    tokens = sum(sequence.num_sampled for sequence in sequences)
    for batch in padded_batches(sequences, limit, policy.device):
        with policy.training_pass():
            logits = policy.logits(batch.ids[:, :-1], batch.is_sampled, batch.rows)
            new = batch.spread(token_logprobs(logits, batch.ids[:, 1:][batch.is_sampled]))
            normaliser = Normaliser(len(sequences), tokens, float(tokens), 20)
            policy_loss(new, new.detach(), None, None, batch.mask, batch.advantages, algorithm, normaliser).backward()
        for sequence, row in zip(batch.sequences, new.detach(), strict=True):
            logprobs[tuple(sequence.ids)] = row[: len(sequence.ids) - 1]
    found = {name: value.grad for name, value in policy.model.named_parameters() if value.grad is not None}
    policy.model.zero_grad()
    return logprobs, found


@pytest.mark.parametrize("attention", ["sdpa", "eager"])
def test_logprobs_and_gradients_do_not_depend_on_how_a_batch_is_computed(path: Path, attention: str):
    expected, gradients = _computed(TransformersPolicy.load(path, settings=EngineConfig(attention=attention)), ALONE)
    ways = [
        (False, MicroBatch(tokens=36)),
        (True, MicroBatch(tokens=2)),
        (False, MicroBatch(tokens=20, shares_prompts=True)),
        (False, MicroBatch(tokens=60, shares_prompts=True)),
        (True, MicroBatch(tokens=1000, shares_prompts=True)),
    ]
    for is_recomputed, limit in ways:
        policy = TransformersPolicy.load(
            path, settings=EngineConfig(attention=attention, gradient_checkpointing=is_recomputed)
        )
        assert policy.shares_prompts
        logprobs, found = _computed(policy, limit)
        assert logprobs.keys() == expected.keys() and found.keys() == gradients.keys()
        for ids, values in expected.items():
            torch.testing.assert_close(logprobs[ids], values, atol=1e-5, rtol=0)
        for name, value in gradients.items():
            torch.testing.assert_close(found[name], value, atol=1e-5, rtol=1e-4)


def test_a_prompt_is_computed_once_and_logits_at_sampled_places_alone(path: Path):
    policy = TransformersPolicy.load(path)
    (batch,) = padded_batches(_sequences(), MicroBatch(tokens=1000, shares_prompts=True), policy.device)
    seen: list[int] = []
    cast(Any, policy.model).get_input_embeddings().register_forward_pre_hook(
        lambda layer, given: seen.append(given[0].numel())
    )
    logits = policy.logits(batch.ids[:, :-1], batch.is_sampled, batch.rows)
    assert len(logits) == sum(sequence.num_sampled for sequence in _sequences())
    longest = max(prompt + sum(responses) - len(responses) for prompt, responses in GROUPS)
    assert seen == [len(GROUPS) * longest]


def test_checkpointing_keeps_less_and_leaves_rollouts_alone(path: Path):
    kept = {}
    for is_on in (False, True):
        policy = TransformersPolicy.load(path, settings=EngineConfig(gradient_checkpointing=is_on))
        kept[is_on] = _kept_bytes(policy)
        assert not any(module.training for module in policy.model.modules())
    assert kept[True] < 0.75 * kept[False]
    decoder: Any = policy.decoder(8)
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


def test_micro_batches_hold_so_many_rows_or_tokens():
    def shapes(limit: MicroBatch) -> list[list[tuple[int, int]]]:
        """Return prompt and members of each row of each pass."""
        return [[(row[0].num_prompt, len(row)) for row in rows] for rows in limit.split(_sequences())]

    assert [len(rows) for rows in shapes(MicroBatch(2))] == [2, 2, 2, 2, 1]
    assert [len(rows) for rows in shapes(MicroBatch(tokens=36))] == [4, 3, 2]
    assert [len(rows) for rows in shapes(MicroBatch(tokens=4))] == [1] * 9
    assert shapes(MicroBatch(tokens=60, shares_prompts=True)) == [[(5, 1), (3, 3), (1, 2)], [(8, 3)]]
    assert shapes(MicroBatch(tokens=20, shares_prompts=True)) == [[(5, 1)], [(8, 1)], [(8, 2)], [(3, 3)], [(1, 2)]]


def test_an_architecture_whose_attempts_see_each_other_takes_padded_rows(path: Path):
    """Attention over everything before it, as a recurrent state gives it; and one that refuses the mask."""
    policy = TransformersPolicy.load(path)
    inner = policy.model.forward

    def blind(input_ids: Tensor, position_ids: Tensor | None = None, attention_mask: object = None, **settings: object):
        return inner(input_ids, **settings)

    def strict(input_ids: Tensor, **settings: object):
        if "attention_mask" in settings:
            raise TypeError("no mask of pairs")
        return inner(input_ids, **settings)

    for forward in (blind, strict):
        policy.model.forward = forward
        assert not can_pack(policy.model, policy.device)


def test_unusable_settings_are_refused(path: Path):
    config = Config()
    config.engine.micro_batch_tokens = 64
    with pytest.raises(ConfigError, match=r"needs policy\.path"):
        validated(config)
    config.policy.path = str(path)
    validated(config)
    with pytest.raises(PolicyError, match="FlashAttention2"):
        TransformersPolicy.load(path, settings=EngineConfig(attention="flash_attention_2"))


ROWS, VOCABULARY = 37, 50


def _drawn(dtype: torch.dtype) -> tuple[Tensor, Tensor]:
    generator = torch.Generator().manual_seed(0)
    logits = (3 * torch.randn(ROWS, VOCABULARY, generator=generator)).to(dtype).requires_grad_()
    return logits, torch.randint(VOCABULARY, (ROWS,), generator=generator)


def _terms_computed(dtype: torch.dtype, *, is_paid: bool) -> list[Tensor]:
    logits, targets = _drawn(dtype)
    logprobs, entropies = token_terms(logits, targets, is_entropy_paid=is_paid)
    weights = torch.linspace(-1, 1, ROWS)
    loss = (weights * logprobs).sum()
    if is_paid:
        loss = loss + (weights.flip(0) * entropies).sum()
    else:
        assert not entropies.requires_grad
    loss.backward()
    assert logits.grad is not None
    return [logprobs.detach(), entropies.detach(), logits.grad, logprobs_in_parts(logits, targets)]


@pytest.mark.parametrize("rows", [1, 5, 36])
@pytest.mark.parametrize("is_paid", [False, True])
@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_parts_give_the_bytes_of_the_whole(
    rows: int, is_paid: bool, dtype: torch.dtype, monkeypatch: pytest.MonkeyPatch
):
    whole = _terms_computed(dtype, is_paid=is_paid)
    monkeypatch.setattr(module, "LOGITS_AT_ONCE", rows * VOCABULARY + 1)
    parts = _terms_computed(dtype, is_paid=is_paid)
    for index, (one, other) in enumerate(zip(whole, parts, strict=True)):
        if is_paid and dtype == torch.bfloat16 and index == 2:  # the whole adds two gradients that were rounded
            torch.testing.assert_close(one, other, atol=0.02, rtol=0.02)
        else:
            torch.testing.assert_close(one, other, atol=0 if not is_paid else 1e-7, rtol=0 if not is_paid else 1e-6)


def test_no_tensor_of_all_logits_is_made_in_float32(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(module, "LOGITS_AT_ONCE", 4 * VOCABULARY)
    sizes: list[int] = []
    inner = module.token_logprobs
    monkeypatch.setattr(module, "token_logprobs", lambda x, y: sizes.append(len(x)) or inner(x, y))
    logits, targets = _drawn(torch.bfloat16)
    token_terms(logits, targets, is_entropy_paid=True)[0].sum().backward()
    assert max(sizes) == 4
    assert sum(sizes) == 2 * ROWS, "each part once forward and once backward"
