"""Servers that are started: ready, restarted for new weights, ended with their owner, and refused in one line."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from evotrainer.config import Config
from evotrainer.engines import create_rollout_engine, end_all
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.errors import PolicyError, ServerLostError

pytestmark = pytest.mark.parts

ROOT = Path(__file__).resolve().parents[2]
PROMPTS, SEEDS, GREEDY = [[9, 10, 11], [12, 13]], [1, 2], SamplingParams(4, 0.0)


@pytest.fixture(autouse=True)
def ended() -> Iterator[None]:
    yield
    end_all()


def interpreter(path: Path, line: str) -> Path:
    """Write a program that takes the place of the interpreter of vLLM's environment."""
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)
    return path


def config_with(python: Path, *arguments: str, start_seconds: float = 60) -> Config:
    config = Config()
    config.engine.rollout, config.engine.device = "vllm", "cpu"
    config.engine.vllm.python, config.engine.vllm.arguments = str(python), list(arguments)
    config.engine.vllm.start_seconds = start_seconds
    return config


@pytest.fixture
def python(tmp_path: Path) -> Path:
    """A server of tests/policy_server.py in the place of vLLM."""
    line = f'shift 2; cd {ROOT}; PYTHONPATH={ROOT} exec {sys.executable} -m tests.policy_server "$@"'
    return interpreter(tmp_path / "python", line)


def keepers() -> list[psutil.Process]:
    running = [child for child in psutil.Process().children() if child.status() != psutil.STATUS_ZOMBIE]
    return [child for child in running if any("processes.py" in part for part in child.cmdline())]


def test_a_server_is_started_when_it_is_needed_and_ends_with_all_engines(python: Path, digit_policy: Path) -> None:
    engine = create_rollout_engine(config_with(python), digit_policy)
    assert not keepers()
    drawn = engine.generate(PROMPTS, GREEDY, SEEDS)
    own = TorchRolloutEngine(EmbeddedPolicy.load(digit_policy)).generate(PROMPTS, GREEDY, SEEDS)
    assert [found.token_ids for found in drawn] == [found.token_ids for found in own]
    [running] = keepers()
    started = [running, *running.children(recursive=True)]
    end_all()
    assert len(started) > 1 and not any(process.is_running() for process in started)


@pytest.mark.slow
def test_a_server_that_keeps_old_weights_is_started_again(
    python: Path, digit_policy: Path, sharper_policy: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    engine = create_rollout_engine(config_with(python, "--stale"), digit_policy)
    engine.generate(PROMPTS, GREEDY, SEEDS)
    engine.sync(sharper_policy)
    assert "vLLM server starts again: canary logprobs are off by" in capfd.readouterr().err
    [drawn] = engine.generate(PROMPTS[:1], SamplingParams(4), [5])
    [own] = TorchRolloutEngine(EmbeddedPolicy.load(sharper_policy)).generate(PROMPTS[:1], SamplingParams(4), [5])
    assert drawn.token_ids == own.token_ids and drawn.logprobs == pytest.approx(own.logprobs, abs=1e-5)


def test_a_server_that_dies_is_lost_at_once(python: Path, digit_policy: Path) -> None:
    engine = create_rollout_engine(config_with(python), digit_policy)
    engine.generate(PROMPTS, GREEDY, SEEDS)
    [running] = keepers()
    os.kill(running.children()[0].pid, signal.SIGKILL)
    running.wait(20)
    with pytest.raises(ServerLostError, match=r"the vLLM server ended: .* \(log: .*\); run the campaign again"):
        engine.generate(PROMPTS, GREEDY, SEEDS)


@pytest.mark.parametrize(
    ("line", "seconds", "message"),
    [
        (
            "echo starting; echo 'ValueError: Head size 16 is not supported'; exit 1",
            60,
            "Head size 16 is not supported",
        ),
        (
            "echo 'ImportError: no flashinfer'; echo 'RuntimeError: failed. See root cause above. Core: {}'; exit 1",
            60,
            "no flashinfer",
        ),
        ("sleep 60", 0.2, "raise engine.vllm.start_seconds"),
    ],
)
def test_a_server_that_does_not_start_is_one_line(
    tmp_path: Path, digit_policy: Path, line: str, seconds: float, message: str
) -> None:
    config = config_with(interpreter(tmp_path / "python", line), start_seconds=seconds)
    with pytest.raises(PolicyError, match=message):
        create_rollout_engine(config, digit_policy).generate(PROMPTS, GREEDY, SEEDS)
    assert not keepers()
