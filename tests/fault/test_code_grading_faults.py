"""Grading that fails is an error row: masked and counted, never a reward of 0, and the next answer is graded."""

from pathlib import Path

import psutil
import pytest

from evotrainer.config import DomainConfig, RewardConfig
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.policy import load_policy, prepare_torch
from evotrainer.engines.torch_rollout import TorchRolloutEngine
from evotrainer.episodes import EpisodeIdentity, EpisodeRules, run_episodes
from evotrainer.errors import GraderError, InfrastructureError, SandboxError
from evotrainer.graders import create_grader
from evotrainer.records import Message, Problem
from evotrainer.sandbox.shared import NUM_WORKERS, shared_sandbox

CODE = DomainConfig(name="code", data_path="data/code")


def problem(number: int) -> Problem:
    hidden = [{"input": [number], "outputs": [number]}]
    return Problem(
        problem_id=f"p{number}", domain="code", family="own", split="train", prompt="5", answer="",
        data={"function": "f", "visible": [], "hidden": hidden},
    )  # fmt: skip


def grade(number: int):
    said = Message(role="assistant", content=f"```python\ndef f(x): return {number}\n```")
    return create_grader(CODE).grade(problem(number), [said], "stop")


def kill_zygote() -> None:
    """Kill the zygote that takes the next execution."""
    sandbox = shared_sandbox()
    zygotes = sorted((sandbox._idle.get() for _ in range(NUM_WORKERS)), key=lambda zygote: not zygote.is_running)
    for zygote in zygotes:
        sandbox._idle.put(zygote)
    process = psutil.Process(zygotes[0]._process.pid)
    process.kill()
    process.wait()


def test_a_dead_sandbox_raises_and_the_next_answer_is_graded() -> None:
    assert grade(101).correct == 1.0
    kill_zygote()
    with pytest.raises(SandboxError) as caught:
        grade(102)
    assert isinstance(caught.value, InfrastructureError)
    assert grade(102).correct == 1.0


def test_a_failure_is_not_remembered_as_a_grade() -> None:
    kill_zygote()
    with pytest.raises(SandboxError):
        grade(103)
    assert grade(103).terms["correct"] == 1.0


def test_the_row_of_a_failed_grading_has_an_error_and_no_reward(digit_policy: Path) -> None:
    prepare_torch(1)
    engine = TorchRolloutEngine(load_policy(digit_policy))
    graded = [problem(201), problem(202).model_copy(update={"data": {"function": "f", "hidden": []}}), problem(203)]
    rules = EpisodeRules(CODE, SamplingParams(6), 1, RewardConfig())
    rows, _ = run_episodes(engine, graded, 1, rules, EpisodeIdentity("c", "v001", "train", 0))
    assert [row.error for row in rows] == [None, "GraderError", None]
    assert (rows[1].reward, rows[1].correct, rows[1].reward_terms) == (None, None, {})
    assert [row.reward for row in rows if row.error is None] == [0.0, 0.0]
    assert rows[0].extra["result"] == "no_program"


def test_a_problem_of_another_making_is_a_failure_of_the_grader() -> None:
    with pytest.raises(GraderError, match="load it by its domain's rows"):
        create_grader(CODE).grade(problem(1).model_copy(update={"data": {}}), [], "stop")
