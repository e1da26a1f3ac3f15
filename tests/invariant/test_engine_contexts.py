"""Turns that continue a remembered context are drawn as if everything were read again."""

import random
from pathlib import Path

import pytest
import torch

from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy
from evotrainer.engines import contexts
from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.engines.contexts import CachedContext, ContextStore
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine

ROWS, TURNS = 24, 5


@pytest.fixture
def path(tmp_path: Path) -> Path:
    create_policy(tmp_path, EmbeddedPolicyConfig(hidden_size=32, num_heads=4, num_layers=2), "abcdefgh01234567", 1)
    return tmp_path


class Reader(TorchRolloutEngine):
    """Counts the positions that the network reads."""

    def __init__(self, path: Path, batch: int = 512) -> None:
        super().__init__(EmbeddedPolicy.load(path), batch)
        self.num_read = 0
        self.policy.model.register_forward_pre_hook(self._count)

    def _count(self, _module, inputs) -> None:
        self.num_read += inputs[0].numel()


def _play(engine: Reader, *, forget: bool) -> list[list[Completion]]:
    """Play episodes whose answers have different lengths; rows that are cut, and every fifth at turn 2, end."""
    prepare_torch(1)
    rng = random.Random(3)
    prompts = {row: [7 + rng.randrange(16) for _ in range(rng.randrange(3, 30))] for row in range(ROWS)}
    played = []
    for turn in range(TURNS):
        if forget:
            engine._contexts = ContextStore()
        seeds = [1000 * turn + row for row in prompts]
        drawn = engine.generate(list(prompts.values()), SamplingParams(9), seeds)
        played.append(drawn)
        answers = [[7 + rng.randrange(16) for _ in range(rng.randrange(1, 12))] for _ in drawn]
        prompts = {
            row: [*prompt, *completion.token_ids, *answer]
            for (row, prompt), completion, answer in zip(prompts.items(), drawn, answers, strict=True)
            if completion.stop_reason == "stop" and not (turn == 2 and row % 5 == 0)
        }
    return played


@pytest.fixture
def eager_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make turns end soon: the drawing itself stays as it is."""
    from evotrainer.engines import torch_engine as torch_rollout

    draw = torch_rollout.sample

    def sample(logits: torch.Tensor, *rest):
        logits = logits.clone()
        logits[:, 2] = logits.logsumexp(-1) - 1.0
        return draw(logits, *rest)

    monkeypatch.setattr(torch_rollout, "sample", sample)


@pytest.mark.parametrize("batch", [5, 512])
def test_remembered_contexts_change_no_token(path: Path, eager_stop: None, batch: int):
    remembering, forgetting = Reader(path, batch), Reader(path, batch)
    for ours, plain in zip(_play(remembering, forget=False), _play(forgetting, forget=True), strict=True):
        assert len(ours) == len(plain) > 3
        for one, other in zip(ours, plain, strict=True):
            assert (one.token_ids, one.stop_reason) == (other.token_ids, other.stop_reason)
            assert one.logprobs == pytest.approx(other.logprobs, abs=1e-5)
    assert remembering.num_read < 0.7 * forgetting.num_read


def test_the_same_episodes_give_the_same_bits(path: Path, eager_stop: None):
    engine = Reader(path)
    assert _play(engine, forget=False) == _play(engine, forget=False) == _play(Reader(path), forget=False)


def test_no_context_of_other_weights_is_used(path: Path):
    engine = Reader(path)
    engine.generate([[8, 9, 10]], SamplingParams(4, 0.0), [0])
    engine._contexts.put([8, 9, 10], CachedContext(torch.full((2, 4, 3, 8), 9.0), torch.full((2, 4, 3, 8), 9.0)))
    prompt = [8, 9, 10, 11]
    poisoned = engine.generate([prompt], SamplingParams(4, 0.0), [0])[0]
    engine._contexts.put([8, 9, 10], CachedContext(torch.full((2, 4, 3, 8), 9.0), torch.full((2, 4, 3, 8), 9.0)))
    optimiser = torch.optim.AdamW(engine.policy.model.parameters(), lr=0.0)
    engine.policy.logits(torch.tensor([prompt])).sum().backward()
    optimiser.step()
    fresh = Reader(path).generate([prompt], SamplingParams(4, 0.0), [0])[0]
    assert poisoned.logprobs != pytest.approx(fresh.logprobs, abs=1e-3)  # the memory would have been used
    assert engine.generate([prompt], SamplingParams(4, 0.0), [0])[0] == fresh


def _memory(count: int) -> CachedContext:
    return CachedContext(torch.zeros(1, 1, count, 1), torch.zeros(1, 1, count, 1))


def test_only_a_whole_context_is_found(monkeypatch: pytest.MonkeyPatch):
    store = ContextStore()
    for ids in ([5, 6], [5, 6, 7], [5, 9], [4]):
        store.put(ids, _memory(len(ids)))
    lengths = {
        tuple(prompt): found.num_ids if (found := store.find(prompt)) else 0
        for prompt in ([5, 6, 8], [5, 6, 7, 1], [5, 9], [5], [3, 1], [5, 8, 1], [])
    }
    assert lengths == {(5, 6, 8): 2, (5, 6, 7, 1): 3, (5, 9): 2, (5,): 0, (3, 1): 0, (5, 8, 1): 0, (): 0}
    monkeypatch.setattr(contexts, "MAX_BYTES", store.num_bytes)
    store.put([7], _memory(1))
    assert store.find([7, 1]) is None
