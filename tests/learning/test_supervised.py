from itertools import islice
from pathlib import Path

import torch

from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy
from evotrainer.domains.frozen import ALPHABET
from evotrainer.domains.math.grader import extract_answer
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.records import Message
from evotrainer.training.torch.supervised import SupervisedSettings, fit_supervised
from tests.frozen_problems import built_in


def blank(folder: Path) -> EmbeddedPolicy:
    prepare_torch(1)
    create_policy(folder, EmbeddedPolicyConfig(hidden_size=32, num_layers=1), ALPHABET, 0, ("<answer>", "</answer>"))
    return EmbeddedPolicy.load(folder)


def pairs(count: int):
    return [
        ((Message(role="user", content=problem.prompt),), f"<answer>{problem.answer}</answer>")
        for problem in islice(built_in("math", "train"), count)
    ]


def test_the_loss_falls_and_the_policy_learns_to_answer_in_the_format(tmp_path):
    policy, losses = blank(tmp_path / "policy"), []
    settings = SupervisedSettings(steps=100, batch=24, learning_rate=1e-2)
    fit_supervised(policy, pairs(200), settings, lambda step, loss: losses.append(loss))
    assert len(losses) == 100 and sum(losses[-20:]) / 20 < 0.5 * losses[0]
    engine = TorchRolloutEngine(policy)
    prompts = [engine.codec.encode(prompt) for prompt, _ in pairs(20)]
    completions = engine.generate(prompts, SamplingParams(max_tokens=16, temperature=0.0), [0] * len(prompts))
    answers = [extract_answer(engine.codec.decode(completion.token_ids).content) for completion in completions]
    assert sum(answer is not None for answer in answers) >= 18


def test_equal_settings_give_equal_weights_and_another_seed_others(tmp_path):
    found = []
    for number, seed in enumerate((0, 0, 1)):
        policy = blank(tmp_path / str(number))
        fit_supervised(policy, pairs(60), SupervisedSettings(steps=3, batch=24, seed=seed))
        found.append(policy.save(tmp_path / f"saved-{number}"))
    assert found[0] == found[1] != found[2]


def test_a_policy_in_bfloat16_learns_by_small_steps_and_stays_in_it(tmp_path):
    policy = blank(tmp_path / "policy")
    policy.model.to(torch.bfloat16)
    before = [value.detach().clone() for value in policy.model.parameters()]
    fit_supervised(policy, pairs(24), SupervisedSettings(steps=40, batch=8, learning_rate=3e-5))
    after = list(policy.model.parameters())
    assert {value.dtype for value in after} == {torch.bfloat16}
    moved = [(old != new).float().mean() for old, new in zip(before, after, strict=True) if old.ndim == 2]
    assert max(moved) > 0.05, "steps that bfloat16 cannot hold add up"


def test_a_batch_in_parts_has_the_gradient_of_the_whole(tmp_path):
    weights = []
    for name, tokens in (("whole", 0), ("parts", 64)):
        policy = blank(tmp_path / name)
        fit_supervised(policy, pairs(24), SupervisedSettings(steps=2, batch=24, pass_tokens=tokens))
        weights.append([value.detach() for value in policy.model.parameters()])
    for one, other in zip(*weights, strict=True):
        assert torch.allclose(one, other, atol=1e-4)
