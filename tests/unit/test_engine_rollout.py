"""Rollout: what is drawn, with what logprob, and that nothing depends on the company a trajectory keeps."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest
import torch

from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy
from evotrainer.engines import policy as policy_module
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine, sample

pytestmark = pytest.mark.parts

PROMPTS = [list(range(8, 12 + index % 7)) for index in range(40)]
SEEDS = [1000 + index for index in range(40)]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("rollout") / "policy"
    create_policy(out, EmbeddedPolicyConfig(hidden_size=32, num_heads=4, num_layers=2), "abcdefgh0123456789", 1)
    return out


@pytest.fixture(scope="module")
def engine(path: Path) -> TorchRolloutEngine:
    prepare_torch(1)
    return TorchRolloutEngine(EmbeddedPolicy.load(path))


def test_logprobs_are_those_of_the_untempered_policy(engine):
    drawn = engine.generate(PROMPTS, SamplingParams(12, temperature=1.7, top_p=0.9), SEEDS)
    for prompt, completion in zip(PROMPTS, drawn, strict=True):
        ids = torch.tensor([[*prompt, *completion.token_ids]])
        logprobs = engine.policy.logits(ids)[0, len(prompt) - 1 : -1].log_softmax(-1)
        expected = logprobs.gather(-1, ids[0, len(prompt) :, None])[:, 0]
        torch.testing.assert_close(torch.tensor(completion.logprobs), expected, atol=1e-5, rtol=0)


@pytest.mark.parametrize("batch", [1, 7, 40])
def test_tokens_depend_on_the_seed_alone(engine, batch):
    whole = engine.generate(PROMPTS, SamplingParams(20), SEEDS)
    order = list(reversed(range(40)))
    other = TorchRolloutEngine(engine.policy, batch).generate(
        [PROMPTS[i] for i in order], SamplingParams(20), [SEEDS[i] for i in order]
    )
    for index, completion in zip(order, other, strict=True):
        assert completion.token_ids == whole[index].token_ids
        assert completion.stop_reason == whole[index].stop_reason
        assert completion.logprobs == pytest.approx(whole[index].logprobs, abs=1e-5)


def test_the_same_call_gives_the_same_bits(engine):
    assert engine.generate(PROMPTS, SamplingParams(20), SEEDS) == engine.generate(PROMPTS, SamplingParams(20), SEEDS)


def test_stop_and_length_are_told_apart(engine):
    drawn = engine.generate(PROMPTS, SamplingParams(20), SEEDS)
    reasons = Counter(completion.stop_reason for completion in drawn)
    assert set(reasons) == {"stop", "max_tokens"}
    for completion in drawn:
        ended = completion.token_ids[-1] in engine.policy.codec.stop_ids
        assert (completion.stop_reason == "stop") == ended
        assert ended or len(completion.token_ids) == 20
        assert not any(token in engine.policy.codec.stop_ids for token in completion.token_ids[:-1])


def test_a_full_context_is_data_not_an_error(engine):
    room = engine.policy.max_positions
    drawn = engine.generate([[9] * room, [9] * (room - 2)], SamplingParams(5), [1, 2])
    assert drawn[0].token_ids == () and drawn[0].stop_reason == "max_tokens"
    assert len(drawn[1].token_ids) <= 2


def test_sampling_follows_the_distribution():
    logits = torch.tensor([0.5, 2.0, -1.0, 1.0]).repeat(20_000, 1)
    uniform = torch.rand(20_000, generator=torch.Generator().manual_seed(0), dtype=torch.float64)
    tokens, _ = sample(logits, 0.5, 1.0, uniform)
    shares = torch.bincount(tokens, minlength=4) / 20_000
    torch.testing.assert_close(shares, (logits[0] / 0.5).softmax(-1), atol=0.01, rtol=0)


def test_top_p_keeps_the_tokens_that_reach_the_mass():
    logits = torch.tensor([[0.5, 0.3, 0.15, 0.05]]).log().repeat(5_000, 1)
    uniform = torch.linspace(0, 1 - 1e-9, 5_000, dtype=torch.float64)
    tokens, logprobs = sample(logits, 1.0, 0.7, uniform)
    assert set(tokens.tolist()) == {0, 1}
    assert (tokens == 0).float().mean() == pytest.approx(0.5 / 0.8, abs=1e-3)
    assert logprobs[0].exp() == pytest.approx(0.5)  # of the whole distribution, not of the nucleus


@pytest.mark.slow
def test_nothing_heavy_is_imported_before_it_is_needed(path: Path):
    script = (
        "import sys, tasks.rollout, tasks.train\n"
        "from pathlib import Path\n"
        "from evotrainer.config import Config\n"
        "from evotrainer.engines import create_rollout_engine\n"
        "assert not {'torch', 'transformers', 'prefect'} & set(sys.modules)\n"
        f"create_rollout_engine(Config(), Path({str(path)!r}))\n"
        "assert 'torch' in sys.modules and 'transformers' not in sys.modules\n"
    )
    environment = os.environ | {"PYTHONPATH": str(Path(__file__).resolve().parents[2])}
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_cuda_is_kept_from_attention_that_plans_anew_for_each_length(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(policy_module, "pick_device", lambda _: torch.device("cuda"))
    torch.backends.cuda.enable_cudnn_sdp(True)
    try:
        prepare_torch(1, "cuda")
        assert not torch.backends.cuda.cudnn_sdp_enabled()
        assert torch.get_deterministic_debug_mode() == 1, "it warns where CUDA has no deterministic kernel"
        assert not torch.utils.deterministic.fill_uninitialized_memory
    finally:
        torch.backends.cuda.enable_cudnn_sdp(True)
        monkeypatch.undo()
        prepare_torch(1, "cpu")
