"""The torch engine learns: reward rises, the same run gives the same bytes, and every recipe's signals are sane."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from evotrainer.config import Config
from evotrainer.engines import create_rollout_engine
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.errors import PolicyError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_signals, read_tokens
from evotrainer.training import create_train_engine, replay_steps, train
from evotrainer.training.base import FitResult, TrainingRun


def _config(**options) -> Config:
    config = Config()
    config.algorithm.learning_rate, config.sampling.max_response_tokens = 3e-3, 6
    config.engine.device, config.budget.train_tokens = "cpu", 8_000
    for key, value in options.items():
        group, name = key.split("__")
        setattr(getattr(config, group), name, value)
    return config


def _fit(config: Config, policy: Path, problems, out: Path, **options) -> FitResult:
    arguments = {"campaign": "c", "version": "v001", "seed": 7, "pass_rates": {}, "scratch": out / "scratch"} | options
    return train(TrainingRun(config, policy, problems, out, **arguments))


def test_reward_rises(digit_policy: Path, digit_problems, tmp_path: Path):
    result = _fit(_config(), digit_policy, digit_problems, tmp_path)
    rewards = [signal.extra["reward"] for signal in read_signals(tmp_path / "training")]
    assert np.mean(rewards[:3]) < 0.65
    assert np.mean(rewards[-3:]) > np.mean(rewards[:3]) + 0.2
    assert result.num_steps == len(rewards)
    assert 8_000 <= result.num_tokens < 8_000 + 128 * 6


def test_evidence_is_complete_and_in_step_with_the_signals(digit_policy: Path, digit_problems, tmp_path: Path):
    config = _config(budget__max_steps=3, algorithm__num_minibatches=4)
    _fit(config, digit_policy, digit_problems, tmp_path)
    rows, signals = list(Rows.read(tmp_path / "training")), read_signals(tmp_path / "training")
    turns = {turn.trajectory_id: turn for turn in read_tokens(tmp_path / "training")}
    assert len(rows) == 3 * 16 * 8 and [signal.step for signal in signals] == [0, 1, 2]
    for row in rows:
        assert row.started_at is None and row.duration_seconds is None
        assert row.num_tokens == len(turns[row.trajectory_id].token_ids)
        assert row.in_loss and row.advantage is not None
        assert row.split == "train" and row.version == "v001"
    for signal in signals:
        own = [row for row in rows if row.step == signal.step]
        assert signal.num_tokens == sum(row.num_tokens for row in own)
        assert signal.extra["reward"] == pytest.approx(np.mean([row.reward for row in own]))
        assert signal.seconds == 0.0
        assert signal.entropy > 0 and signal.grad_norm > 0 and abs(signal.mean_ratio - 1) < 0.2
    assert signals[0].kl < signals[-1].kl


@pytest.mark.parametrize(
    ("options", "check"),
    [
        ({"filter__group": "group_variance", "sampling__group_size": 2}, lambda rows, first: 0 < first.kept_groups < 1),
        (
            {"filter__group": "group_variance", "filter__refill": True, "sampling__group_size": 2},
            lambda rows, first: (
                first.extra["num_groups"] > 16 >= round(first.kept_groups * first.extra["num_groups"]) > 12
            ),
        ),
        (
            {"filter__mask_truncated": True, "sampling__max_response_tokens": 3},
            lambda rows, first: all(row.in_loss != row.is_truncated for row in rows),
        ),
        (
            {"algorithm__kl_coefficient": 0.0, "algorithm__entropy_coefficient": 0.01},
            lambda rows, first: first.loss < 0,
        ),
        (
            {
                "algorithm__num_minibatches": 4,
                "algorithm__learning_rate": 0.03,
                "algorithm__clip_low": 0.01,
                "algorithm__clip_high": 0.01,
            },
            lambda rows, first: first.clip_fraction > 0.05,
        ),
    ],
)
def test_recipes_do_what_they_say(digit_policy: Path, digit_problems, tmp_path: Path, options, check):
    _fit(_config(budget__max_steps=1, **options), digit_policy, digit_problems, tmp_path)
    assert check(list(Rows.read(tmp_path / "training")), read_signals(tmp_path / "training")[0])


def test_a_replayed_step_ranks_recipes(digit_policy: Path, digit_problems, tmp_path: Path):
    config = _config(budget__max_steps=1, algorithm__learning_rate=1e-9, sampling__problems_per_step=60)
    _fit(config, digit_policy, digit_problems, tmp_path)
    rows, tokens = list(Rows.read(tmp_path / "training")), read_tokens(tmp_path / "training")
    recipes = [
        _config(algorithm__learning_rate=1e-3),
        _config(algorithm__learning_rate=2e-3),
        _config(algorithm__learning_rate=1e-3, reward__correct=-1.0),
        _config(algorithm__learning_rate=1e-3, filter__group="group_variance"),
        _config(algorithm__learning_rate=1e-3, algorithm__num_minibatches=4),
    ]
    plain, faster, reversed_, filtered, more = replay_steps(recipes, digit_policy, rows, tokens)
    assert plain.cosine == pytest.approx(1.0) and plain.margin_change > 0
    assert faster.update_norm == pytest.approx(2 * plain.update_norm, rel=1e-3)
    assert faster.margin_change > plain.margin_change and faster.kl > plain.kl > 0
    assert reversed_.cosine == pytest.approx(-1.0, abs=1e-3) and reversed_.margin_change < 0
    assert filtered.cosine > 0.99 and filtered.grad_norm > plain.grad_norm
    assert more.update_norm > plain.update_norm
    assert replay_steps(recipes[:1], digit_policy, rows, tokens) == [plain]


class _Remote:
    """An engine that shares no memory with training: what it knows of the weights came through `sync`."""

    def __init__(self, policy: Path) -> None:
        self._engine = TorchRolloutEngine(EmbeddedPolicy.load(policy))
        self.codec, self.policy_id, self.num_synced = self._engine.codec, self._engine.policy_id, 0

    def generate(self, prompts, sampling, seeds):
        return self._engine.generate(prompts, sampling, seeds)

    def sync(self, path: Path, canary: Any) -> None:
        self._engine = TorchRolloutEngine(EmbeddedPolicy.load(path))
        self.policy_id, self.num_synced = self._engine.policy_id, self.num_synced + 1

    def rest(self) -> None:
        pass


def test_a_remote_engine_that_is_synced_gives_the_policy_of_one_that_shares_weights(
    digit_policy: Path, digit_problems, tmp_path: Path
):
    config, remote = _config(), _Remote(digit_policy)
    config.budget.max_steps, config.budget.train_tokens = 3, 10**6
    names = {"campaign": "c", "version": "v001", "seed": 7, "pass_rates": {}}
    runs = [
        TrainingRun(config, digit_policy, digit_problems, tmp_path / name, scratch=tmp_path / name / "s", **names)
        for name in ("a", "b")
    ]
    shared = train(runs[0])
    synced = create_train_engine(config).fit(runs[1], remote)
    assert remote.num_synced == shared.num_steps == 3
    assert synced.policy_hash == shared.policy_hash != ""


def test_an_engine_that_runs_another_policy_is_refused(digit_policy: Path, digit_problems, tmp_path: Path):
    config, other = _config(), tmp_path / "other"
    EmbeddedPolicy.load(digit_policy).save(other)
    engine = create_rollout_engine(config, other)
    run = TrainingRun(config, digit_policy, digit_problems, tmp_path / "out", "c", "v001", 7, tmp_path / "s")
    with pytest.raises(PolicyError, match="give training one that runs"):
        create_train_engine(config).fit(run, engine)
