"""A policy that writes programs learns from hidden tests alone: reward rises, and the gate's failures fall."""

from pathlib import Path

import numpy as np
import pytest
import torch

from benchmarks.model_steps.untrained import EmbeddedPolicyConfig, create_policy
from evotrainer.config import Config, DomainConfig
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_signals
from evotrainer.records import Message, Problem
from evotrainer.training import train
from evotrainer.training.base import TrainingRun
from tests.plain_records import plain_problem

OPEN, CLOSE = "```python\ndef f(x): return x+", "\n```"
DIGITS = "0123456789"


@pytest.fixture(scope="module")
def program_policy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tiny policy that closes its block, and adds the right digit, about half of the time each."""
    prepare_torch(1)
    root = tmp_path_factory.mktemp("policy")
    shape = EmbeddedPolicyConfig(hidden_size=32, num_heads=2, num_layers=1)
    create_policy(root / "blank", shape, "ad " + DIGITS, 0, (OPEN, CLOSE))
    policy, rng = EmbeddedPolicy.load(root / "blank"), np.random.default_rng(0)
    optimiser = torch.optim.AdamW(policy.model.parameters(), lr=1e-2)
    for _ in range(120):
        asked = rng.integers(0, 10, 64)
        said = np.where(rng.random(64) < 0.5, asked, rng.integers(0, 10, 64))
        ends = rng.choice([CLOSE, "d"], 64)
        rows = [
            policy.codec.encode([Message(role="user", content=f"add {right}")])
            + policy.codec.response_ids(f"{OPEN}{given}{end}")
            for right, given, end in zip(asked, said, ends, strict=True)
        ]
        ids = torch.tensor(rows)
        logits = policy.logits(ids[:, :-1])[:, -4:].flatten(0, 1)
        loss = torch.nn.functional.cross_entropy(logits, ids[:, -4:].flatten())
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    policy.save(root / "programs")
    return root / "programs"


def problem(digit: int) -> Problem:
    tests = [{"input": [given], "outputs": [given + digit]} for given in (0, 5, -3, 40)]
    return plain_problem(
        f"add{digit}",
        f"add {digit}",
        f"def f(x): return x + {digit}",
        "code",
        family="add",
        data={"function": "f", "visible": tests[:1], "hidden": tests[1:]},
    )


def test_reward_rises(program_policy: Path, tmp_path: Path) -> None:
    config = Config(domain=DomainConfig(name="code", data_path="data/code"))
    config.algorithm.learning_rate, config.sampling.max_response_tokens = 3e-3, 6
    config.engine.device, config.budget.max_steps = "cpu", 14
    config.sampling.problems_per_step = 10
    result = train(
        TrainingRun(
            config,
            program_policy,
            [problem(digit) for digit in range(10)],
            tmp_path,
            campaign="c",
            version="v001",
            seed=7,
            pass_rates={},
            scratch=tmp_path / "scratch",
        )
    )
    rewards = [signal.extra["reward"] for signal in read_signals(tmp_path / "training")]
    rows = list(Rows.read(tmp_path / "training"))
    assert result.num_steps == 14 and not any(row.error for row in rows)
    assert np.mean(rewards[:3]) < 0.5
    assert np.mean(rewards[-3:]) > np.mean(rewards[:3]) + 0.3
    results = [{row.extra["result"] for row in rows if row.step == step} for step in (0, 13)]
    assert results[0] >= {"passed", "wrong", "no_program"}
    early, late = ([row.format_ok for row in rows if row.step in steps] for steps in ((0, 1, 2), (11, 12, 13)))
    assert np.mean(late) > np.mean(early) + 0.2
