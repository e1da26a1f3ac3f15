"""Compiled rollouts draw what torch's decoder draws, and a row's bits depend on nothing but its prompt and seed."""

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
import torch

from benchmarks.model_steps.untrained import MAX_POSITIONS, EmbeddedPolicyConfig, create_policy
from evotrainer.engines.base import Completion, SamplingParams
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine

SHAPES = {
    "panels are full": EmbeddedPolicyConfig(hidden_size=64, num_heads=4, num_layers=2),
    "panels are not": EmbeddedPolicyConfig(hidden_size=24, num_heads=3, num_layers=3, tie_embeddings=True),
}
GROUP = 4


@pytest.fixture(params=SHAPES)
def policy(request: pytest.FixtureRequest, tmp_path: Path) -> EmbeddedPolicy:
    prepare_torch(1)
    create_policy(tmp_path, SHAPES[request.param], "abcdefgh01234567", 1)
    policy = EmbeddedPolicy.load(tmp_path)
    with torch.no_grad():
        policy.model.lm_head.weight[2] *= 2.0  # rows end at different lengths
    return policy


def _prompts(count: int, longest: int = 40) -> list[list[int]]:
    """Return prompts in groups of GROUP, the groups in turn."""
    rng = random.Random(3)
    own = [[7 + rng.randrange(16) for _ in range(rng.randrange(1, longest))] for _ in range(count // GROUP)]
    return own * GROUP


def _compiled(policy: EmbeddedPolicy, batch: int = 512) -> TorchRolloutEngine:
    return TorchRolloutEngine(policy, batch, is_compiled=True)


def _assert_close(ours: Completion, plain: Completion) -> None:
    assert (ours.token_ids, ours.stop_reason) == (plain.token_ids, plain.stop_reason)
    assert ours.logprobs == pytest.approx(plain.logprobs, abs=1e-5)


@pytest.mark.parametrize("temperature", [0.0, 1.0, 0.6])
def test_drawn_tokens_are_those_of_torch(policy: EmbeddedPolicy, temperature: float):
    prompts, sampling = _prompts(400), SamplingParams(40, temperature)
    plain = TorchRolloutEngine(policy).generate(prompts, sampling, range(400))
    ours = _compiled(policy).generate(prompts, sampling, range(400))
    equal = [pair for pair in zip(ours, plain, strict=True) if pair[0].token_ids == pair[1].token_ids]
    assert len(equal) >= 398  # a uniform number that falls on a boundary may go either way
    for pair in equal:
        _assert_close(*pair)


def test_a_row_does_not_depend_on_the_others(policy: EmbeddedPolicy):
    prompts, sampling = _prompts(120), SamplingParams(30)
    whole = _compiled(policy).generate(prompts, sampling, range(120))
    assert _compiled(policy, batch=7).generate(prompts, sampling, range(120)) == whole
    assert _compiled(policy).generate(prompts[::-1], sampling, range(119, -1, -1)) == whole[::-1]
    assert [_compiled(policy).generate([prompts[i]], sampling, [i])[0] for i in range(5)] == whole[:5]


def _play(engine: TorchRolloutEngine) -> list[Completion]:
    """Play episodes of several turns; all rows go on with answers of different lengths, also those that were cut."""
    rng = random.Random(5)
    prompts, played = _prompts(48, longest=70), []
    for turn in range(4):
        drawn = engine.generate(prompts, SamplingParams(12), [1000 * turn + row for row in range(48)])
        played += drawn
        answers = [[7 + rng.randrange(16) for _ in range(rng.randrange(1, 40))] for _ in drawn]
        told = zip(prompts, drawn, answers, strict=True)
        prompts = [[*prompt, *one.token_ids, *answer] for prompt, one, answer in told]
    return played


def test_episodes_of_several_turns_are_those_of_torch(policy: EmbeddedPolicy):
    for ours, reference in zip(_play(_compiled(policy)), _play(TorchRolloutEngine(policy)), strict=True):
        _assert_close(ours, reference)


def test_rows_end_with_the_context(policy: EmbeddedPolicy):
    lengths = [MAX_POSITIONS - 3, MAX_POSITIONS, 5, MAX_POSITIONS + 2]
    prompts, sampling = [[7 + place % 16 for place in range(length)] for length in lengths], SamplingParams(20)
    ours = _compiled(policy).generate(prompts, sampling, range(4))
    for one, plain in zip(ours, TorchRolloutEngine(policy).generate(prompts, sampling, range(4)), strict=True):
        _assert_close(one, plain)
    assert ours[1].token_ids == ours[3].token_ids == ()
    assert _compiled(policy).generate([], sampling, []) == []


def test_trained_weights_are_in_force_at_once(policy: EmbeddedPolicy):
    engine, prompts = _compiled(policy), _prompts(16)
    before = engine.generate(prompts, SamplingParams(10, 0.0), range(16))
    optimiser = torch.optim.AdamW(policy.model.parameters(), lr=1e-2)
    policy.logits(torch.tensor([[8, 9, 10]]))[..., 9].sum().backward()
    optimiser.step()
    after = engine.generate(prompts, SamplingParams(10, 0.0), range(16))
    assert after != before
    plain = TorchRolloutEngine(policy).generate(prompts, SamplingParams(10, 0.0), range(16))
    for ours, reference in zip(after, plain, strict=True):
        _assert_close(ours, reference)


def test_what_is_not_compiled_is_left_to_torch(policy: EmbeddedPolicy):
    prompts, sampling = _prompts(8), SamplingParams(10, 1.0, 0.8)
    assert _compiled(policy).generate(prompts, sampling, range(8)) == TorchRolloutEngine(policy).generate(
        prompts, sampling, range(8)
    )
    assert policy.sampler() is policy.sampler() is not None
    policy.model.bfloat16()
    assert policy.sampler() is None


def test_an_id_outside_the_vocabulary_is_refused(policy: EmbeddedPolicy):
    with pytest.raises(IndexError, match="outside the vocabulary"):
        _compiled(policy).generate([[8, policy.model.shape.vocab_size]], SamplingParams(2), [0])


def test_the_first_process_of_a_machine_draws_what_later_ones_draw(tmp_path: Path):
    create_policy(tmp_path / "policy", SHAPES["panels are full"], "abcdefgh01234567", 1)
    draw = (
        "import sys; from pathlib import Path; from evotrainer.engines.base import SamplingParams;"
        "from evotrainer.engines.tiny.policy import EmbeddedPolicy;"
        "from evotrainer.engines.torch_engine import TorchRolloutEngine;"
        "engine = TorchRolloutEngine(EmbeddedPolicy.load(Path(sys.argv[1])), 64, is_compiled=True);"
        "prompts = [[7 + n % 16, 9, 11] for n in range(64)];"
        "print(engine.generate(prompts, SamplingParams(40), list(range(64))))"
    )
    env = os.environ | {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    command = [sys.executable, "-c", draw, str(tmp_path / "policy")]
    first, second = (subprocess.run(command, env=env, capture_output=True, check=True).stdout for _ in range(2))
    assert first == second and first
