"""Rollouts ahead of training: a fixed lag, the same bytes, also resumed; the lag is recorded and corrected for."""

import threading
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from evotrainer.algorithm.credit import Credit
from evotrainer.algorithm.filters import GroupFilter
from evotrainer.config import BudgetConfig, Config, FilterConfig, content_hash
from evotrainer.config.factors import FACTORS, effective_recipe, recipe_hash
from evotrainer.config.validation import validated
from evotrainer.domains import factors_in
from evotrainer.errors import CodeError, ConfigError
from evotrainer.evidence.store import read_rows, read_signals
from evotrainer.records import Problem
from evotrainer.training import TRAIN_ENGINES, train
from evotrainer.training.base import OVERRUN, FitResult, TrainingRun
from evotrainer.training.torch.overlap import RolloutsAhead
from evotrainer.training.torch.rollout import Asked, Rollout
from tests.examination import base_harness, examine, modes

pytestmark = pytest.mark.parts

FILTER = GroupFilter(FilterConfig())


def _config(steps_ahead: int, **algorithm: object) -> Config:
    config = Config()
    config.algorithm = replace(config.algorithm, learning_rate=3e-3, **algorithm)
    config.sampling = replace(
        config.sampling, steps_ahead=steps_ahead, max_response_tokens=6, group_size=4, problems_per_step=8
    )
    config.engine.device, config.budget.max_steps = "cpu", 6
    return config


def _fit(config: Config, policy: Path, problems: Sequence[Problem], out: Path) -> FitResult:
    return train(TrainingRun(config, policy, problems, out, "c", "v001", 7, out.parent / f"{out.name}-scratch"))


def _bytes(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): content_hash(path.read_bytes().hex())
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


@pytest.fixture(scope="module")
def out(digit_policy: Path, digit_problems: list[Problem], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folders of a run that takes turns, one that is two steps ahead, and the same with a correction."""
    root = tmp_path_factory.mktemp("overlap")
    for name, config in {
        "turns": _config(0),
        "ahead": _config(2),
        "corrected": _config(2, correction="token_tis"),
    }.items():
        assert not _fit(config, digit_policy, digit_problems, root / name).label
    return root


def test_a_batch_is_sampled_by_the_policy_of_so_many_steps_before(out: Path):
    rows, signals = read_rows(out / "ahead" / "training"), read_signals(out / "ahead" / "training")
    named = {row.step: row.policy_id.rpartition(".")[2] for row in rows}
    assert named == {0: "0", 1: "0", 2: "0", 3: "1", 4: "2", 5: "3"}
    assert [row.extra["staleness"] for row in signals] == [0, 1, 2, 2, 2, 2]
    apart = [row.extra["mismatch_mean_abs"] for row in signals]
    assert apart[0] < 1e-5 < 1e-3 < min(apart[1:])
    assert all("staleness" not in row.extra for row in read_signals(out / "turns" / "training"))
    attempts = [
        [(row.problem_id, row.messages) for row in read_rows(out / name / "training") if row.step == 0]
        for name in ("turns", "ahead")
    ]
    assert attempts[0] == attempts[1], "draws belong to the step, whoever samples when"


def test_the_same_run_gives_the_same_bytes_also_where_it_was_broken_off(
    out: Path, digit_policy: Path, digit_problems: list[Problem], tmp_path: Path
):
    broken = _config(2)
    broken.budget.max_train_seconds = 1e-9
    assert _fit(broken, digit_policy, digit_problems, tmp_path / "a").label == OVERRUN
    assert len(read_signals(tmp_path / "a" / "training")) == 1
    assert not _fit(_config(2), digit_policy, digit_problems, tmp_path / "a").label
    assert _bytes(tmp_path / "a") == _bytes(out / "ahead")


def test_off_policy_batches_meet_the_clip_or_the_correction(out: Path):
    clipped = {
        name: [row.clip_fraction for row in read_signals(out / name / "training")]
        for name in ("turns", "ahead", "corrected")
    }
    assert clipped["ahead"][0] == 0 and max(clipped["ahead"]) > 0
    assert max(clipped["turns"]) == max(clipped["corrected"]) == 0, "their ratios are to the policy itself"
    assert (out / "ahead" / "model" / "model.safetensors").read_bytes() != (
        out / "corrected" / "model" / "model.safetensors"
    ).read_bytes()


def test_rows_as_old_as_the_recipe_says_are_no_finding(out: Path):
    rows, signals = read_rows(out / "ahead" / "training"), read_signals(out / "ahead" / "training")
    declared, tighter = (examine(base_harness(), rows, rows, signals, recipe=_config(lag)) for lag in (2, 1))
    assert "staleness" not in modes(declared) and declared.metrics["stale_rows"] == 0
    assert "staleness" in modes(tighter) and declared.metrics["mean_row_age"] == tighter.metrics["mean_row_age"] > 0


def _rollout(asked: Asked, policy_step: int, num_tokens: int = 10) -> Rollout:
    return Rollout(Credit([], 0, 0, 0, asked.group_filter), [], num_tokens, policy_step)


def test_a_batch_is_sampled_while_an_earlier_one_is_trained_on():
    is_training = threading.Event()

    def sample(asked: Asked, policy_step: int) -> Rollout:
        assert asked.step == 0 or is_training.wait(20), "nothing runs beside training"
        return _rollout(asked, policy_step)

    with RolloutsAhead(sample, 1, BudgetConfig(max_steps=3)) as ahead:
        assert ahead.take(0, lambda: None, FILTER) is not None
        is_training.set()  # the main thread is at the optimiser step of batch 0
        sampled = ahead.sampled()
    assert sampled is not None and [rollout.policy_step for rollout in sampled] == [0]


def test_what_is_sampled_is_trained_on_and_the_budget_ends_both():
    loads: list[int] = []
    with RolloutsAhead(_rollout, 2, BudgetConfig(train_tokens=35, max_steps=99)) as ahead:
        found = [ahead.take(step, lambda step=step: loads.append(step), FILTER) for step in range(5)]
    assert [rollout.policy_step if rollout else None for rollout in found] == [0, 0, 0, 1, None]
    assert loads == [0, 1], "weights that no batch is sampled with are not put into force"


def test_a_failure_is_met_at_its_step_and_not_kept():
    def sample(asked: Asked, policy_step: int) -> Rollout:
        if asked.step == 1:
            raise CodeError("reward.code failed")
        return _rollout(asked, policy_step)

    with RolloutsAhead(sample, 1, BudgetConfig()) as ahead:
        assert ahead.take(0, lambda: None, FILTER) is not None
        assert ahead.sampled() is None
        with pytest.raises(CodeError, match="reward.code"):
            ahead.take(1, lambda: None, FILTER)


def test_overlap_is_a_factor_of_own_policies_and_part_of_a_recipe_where_it_is_on():
    own, plain, lagged = Config(), Config(), _config(1)
    own.policy.path = "model"
    assert "overlap" in factors_in(own) and "overlap" not in factors_in(plain) and "overlap" not in FACTORS
    assert "sampling.steps_ahead" not in effective_recipe(plain)
    lagged.algorithm.clip_high = 0.28
    assert effective_recipe(lagged)["sampling.steps_ahead"] == 1
    assert effective_recipe(lagged)["algorithm.clip_high"] == 0.28, "clips bind off-policy, at one step a batch too"
    assert recipe_hash(lagged) != recipe_hash(_config(1, correction="token_tis"))


def test_engines_that_cannot_keep_the_lag_say_so():
    config = _config(1)
    assert any("engine.openrlhf.async_queue" in line for line in TRAIN_ENGINES["openrlhf"]().refusals(config))
    config.engine.vllm.sleep = True
    with pytest.raises(ConfigError, match=r"engine\.vllm\.sleep"):
        validated(config)
