from pathlib import Path

import pytest

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config import EmbeddedPolicyConfig
from evotrainer.domains.math.grading.grader import extract_answer
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.errors import ConfigError
from evotrainer.records import Message
from evotrainer.training.torch.warm_start import warm_start
from tasks.warm_start.stage import run

PROMPTS = ["47+385=?", "832-47=?", "sort 47381", "reverse 4738", "digit sum 47381", "next 24,31,38"]


def tiny(steps):
    return EmbeddedPolicyConfig(warm_start_steps=steps, warm_start_batch=24, warm_start_learning_rate=5e-3)


def test_the_loss_falls_and_the_policy_learns_to_answer_in_the_format(tmp_path):
    losses = []
    warm_start(tiny(100), tmp_path / "policy", lambda _step, loss: losses.append(loss))
    assert sum(losses[-20:]) / 20 < 0.5 * losses[0]
    engine = TorchRolloutEngine(EmbeddedPolicy.load(tmp_path / "policy"))
    prompts = [engine.codec.encode([Message(role="user", content=prompt)]) for prompt in PROMPTS]
    completions = engine.generate(prompts, SamplingParams(max_tokens=64, temperature=0.0), [0] * len(prompts))
    answers = [extract_answer(engine.codec.decode(completion.token_ids).content) for completion in completions]
    assert sum(answer is not None for answer in answers) >= len(PROMPTS) - 1


def test_the_same_configuration_gives_the_same_bytes_and_another_seed_others(tmp_path):
    first = warm_start(tiny(3), tmp_path / "first", lambda *_: None)
    assert first == warm_start(tiny(3), tmp_path / "second", lambda *_: None) == policy_hash(tmp_path / "second")
    other = EmbeddedPolicyConfig(warm_start_steps=3, warm_start_batch=24, warm_start_seed=1)
    assert warm_start(other, tmp_path / "third", lambda *_: None) != first


def test_a_policy_that_is_not_embedded_is_refused():
    with pytest.raises(ConfigError, match="choose one of tiny_code, tiny_math, tiny_swe"):
        run(CampaignFiles(Path(__file__).parents[2]), "huge_math")
