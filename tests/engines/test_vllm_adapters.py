"""Adapters on a vLLM server: training hands over one before each step, and what it stored is what is served."""

from pathlib import Path

import pytest
import torch
from transformers import AutoConfig, Qwen3ForCausalLM

from evotrainer.config import Config
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.checkpoint import is_adapter
from evotrainer.engines.torch_engine import load_policy
from evotrainer.evidence.rows import Rows
from tests.engines.conftest import vllm_config
from tests.model_directories import qwen, small_campaign, train_on_sums

BASE, STEPS = "imported/policy", 3
PROMPTS, SEEDS = [[5, 6, 7, 8, 9, 10, 11], [12] * 40], [1, 2]


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A campaign's folder with a Qwen3 of random weights, whose heads are wide enough for vLLM on a CPU."""
    root = tmp_path_factory.mktemp("adapters")
    qwen(root / BASE)
    shape = AutoConfig.from_pretrained(root / BASE)
    shape.head_dim = 32
    torch.manual_seed(0)
    Qwen3ForCausalLM(shape).save_pretrained(root / BASE)
    return root


def adapter_config() -> Config:
    config = small_campaign(BASE)
    config.engine = vllm_config().engine
    config.engine.lora.rank, config.algorithm.learning_rate, config.budget.max_steps = 4, 1e-2, STEPS
    return config


def test_each_step_and_the_result_are_served(root: Path) -> None:
    config, out = adapter_config(), root / "versions" / "v001"
    result = train_on_sums(config, root / BASE, out)
    assert is_adapter(result.model_path)
    assert len({row.policy_id for row in Rows.read(out / "training")}) == STEPS
    for path in (result.model_path, root / BASE):
        drawn = create_rollout_engine(config, path).generate(PROMPTS, SamplingParams(12), SEEDS)
        policy = load_policy(config, path)
        for prompt, completion in zip(PROMPTS, drawn, strict=True):
            with torch.inference_mode():
                logprobs = policy.logits(torch.tensor([[*prompt, *completion.token_ids]]))[0].float().log_softmax(-1)
            own = [float(logprobs[len(prompt) - 1 + i, token]) for i, token in enumerate(completion.token_ids)]
            assert completion.logprobs == pytest.approx(own, abs=1e-4)
