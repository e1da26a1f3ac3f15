"""A whole run by OpenRLHF's files, processes and agent function, with a stand-in that trains nothing.

Real are the job's processes, the agent function, its worker, episodes, grading, evidence, checkpoints, stop and resume.
"""

import json
import os
import signal
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psutil
import pytest

from evotrainer.config import Config, config_to_dict
from evotrainer.engines.checkpoint import policy_hash
from evotrainer.errors import ConfigError, PolicyError
from evotrainer.evidence.rows import Rows
from evotrainer.evidence.store import read_signals, read_tokens
from evotrainer.training import train
from evotrainer.training.base import OVERRUN, FitResult, TrainingRun
from tests.judge_server import serving
from tests.model_directories import qwen
from tests.openrlhf_environment import stand_in_python
from tests.plain_records import plain_problem
from tests.waiting import wait_for

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
PROBLEMS = [plain_problem(f"p{i}", f"abc{i}", str(i)) for i in range(8)]


@dataclass
class Place:
    """A policy, an environment and the folders of one run."""

    folder: Path
    model: Path

    def config(self, **control: Any) -> Config:
        config = Config()
        config.engine.train, config.policy.path = "openrlhf", str(self.model)
        engine = config.engine.openrlhf
        engine.python = stand_in_python(self.folder, **control)
        engine.gpus_per_node, engine.save_steps, engine.poll_seconds = 1, 2, 0.05
        config.sampling.group_size, config.sampling.problems_per_step = 4, 2
        config.sampling.max_response_tokens = 40
        config.budget.max_steps, config.budget.train_tokens = 6, 10**6
        return config

    def train(self, config: Config) -> FitResult:
        out, scratch = self.folder / "out", self.folder / "scratch"
        return train(TrainingRun(config, self.model, PROBLEMS, out, "c", "v001", seed=3, scratch=scratch))


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("qwen") / "model"
    qwen(path)
    return path


@pytest.fixture
def place(tmp_path: Path, model: Path) -> Place:
    return Place(tmp_path, model)


def test_a_run_comes_back_as_evidence_signals_and_policy(place: Place, capfd: pytest.CaptureFixture[str]):
    result = place.train(place.config(lose=0))
    out = place.folder / "out"
    rows, signals = list(Rows.read(out / "training")), read_signals(out / "training")
    assert (result.num_steps, result.label, len(rows), len(signals)) == (6, "", 6 * 8, 6)
    assert result.num_tokens == sum(row.num_tokens for row in rows) == sum(row.num_tokens for row in signals)
    lost = [row for row in rows if row.error]
    assert {row.error for row in lost} == {"RolloutError"}
    assert all(row.reward is None and row.in_loss is False for row in lost)
    assert {row.correct for row in rows if not row.error} == {0.0, 1.0}
    assert sum(row.extra["num_errors"] for row in signals) == len(lost)
    assert [row.loss for row in signals] == pytest.approx([0.1 * step for step in range(1, 7)])
    assert signals[0].kl == pytest.approx(0.01) and signals[0].extra["openrlhf/train/rollout/num_samples"] == 8
    played = {turn.trajectory_id: turn for turn in read_tokens(out / "training")}
    whole = next(row for row in rows if row.correct)
    turn = played[whole.trajectory_id]
    assert len(turn.token_ids) == len(turn.logprobs) == whole.num_tokens
    assert turn.token_ids[-1] not in turn.token_ids[:-1], "sampled ids end with the stop token"
    assert result.policy_hash == policy_hash(out / "model") == policy_hash(place.model)
    assert [path.name for path in (place.folder / "scratch").iterdir()] == ["tracking"]
    assert len((place.folder / "scratch" / "tracking" / "signals.jsonl").read_text().splitlines()) == 6
    assert "reward 0." in capfd.readouterr().err


def test_a_judge_is_asked_by_the_workers_and_its_answers_come_home(place: Place):
    with serving() as endpoint:
        config = place.config()
        config.domain.judge_url, config.reward.judge, config.budget.max_steps = endpoint.url, 0.5, 2
        place.train(config)
    rows = list(Rows.read(place.folder / "out" / "training"))
    assert all(row.reward == pytest.approx(row.correct + 0.25) for row in rows if row.correct is not None)
    answers = (place.folder / "out" / "judge" / "train.jsonl").read_text().splitlines()
    assert len(answers) > len({row.problem_id for row in rows})


def test_a_run_ends_with_the_first_checkpoint_at_its_token_budget(place: Place):
    config = place.config(pause=0.4)
    config.budget.train_tokens, config.budget.max_steps = 100, 40
    result = place.train(config)
    signals = read_signals(place.folder / "out" / "training")
    spent = [sum(row.num_tokens for row in signals[:count]) for count in range(len(signals) + 1)]
    needed = next(count for count, tokens in enumerate(spent) if tokens >= 100)
    assert result.num_steps == len(signals) == needed + needed % 2
    assert result.num_tokens == spent[-1]


def test_a_failed_job_is_named_by_its_own_error_and_goes_on_from_its_checkpoint(place: Place):
    with pytest.raises(PolicyError, match="^RuntimeError: CUDA out of memory.*goes on from the last checkpoint"):
        place.train(place.config(die_at=3))
    assert not (place.folder / "out" / "model").exists() and not (place.folder / "out" / "training").exists()
    result = place.train(place.config())
    rows = list(Rows.read(place.folder / "out" / "training"))
    assert (result.num_steps, len(rows), len({row.trajectory_id for row in rows})) == (6, 48, 48)
    assert [sum(row.step == step for row in rows) for step in range(6)] == [8] * 6


def test_the_wall_clock_ends_a_run_without_a_policy(place: Place):
    config = place.config(pause=0.3)
    config.budget.max_train_seconds, config.budget.max_steps = 1.0, 50
    result = place.train(config)
    assert (result.label, result.policy_hash) == (OVERRUN, "")
    assert not (place.folder / "out" / "model").exists()
    assert len(read_signals(place.folder / "out" / "training")) == result.num_steps < 50


KILLED = """
import json, sys
from pathlib import Path
from evotrainer.config import config_from_dict
from tests.fault.test_openrlhf_job import Place
Place(Path(sys.argv[1]), Path(sys.argv[2])).train(config_from_dict(json.load(sys.stdin)))
"""


def test_a_killed_stage_takes_its_job_with_it_and_goes_on(place: Place):
    config = place.config(pause=0.2, pids=str(place.folder / "pid"))
    stage = subprocess.Popen(
        [sys.executable, "-c", KILLED, str(place.folder), str(place.model)], stdin=subprocess.PIPE, text=True, cwd=ROOT
    )
    assert stage.stdin is not None
    json.dump(config_to_dict(config), stage.stdin)
    stage.stdin.close()
    wait_for(lambda: list((place.folder / "scratch").glob("*/checkpoints/_actor/latest")))
    os.kill(stage.pid, signal.SIGKILL)
    stage.wait()
    job = int((place.folder / "pid").read_text())
    wait_for(lambda: not psutil.pid_exists(job))
    result = place.train(config)
    rows = list(Rows.read(place.folder / "out" / "training"))
    assert (result.num_steps, len({row.trajectory_id for row in rows}), len(rows)) == (6, 48, 48)


@pytest.mark.parametrize(
    ("python", "said"), [("/no/such/python", "is no interpreter that runs here"), (sys.executable, "has no openrlhf")]
)
def test_without_an_environment_nothing_starts(place: Place, python: str, said: str):
    config = place.config()
    config.engine.openrlhf.python = python
    with pytest.raises(ConfigError, match=said):
        place.train(config)
    assert not (place.folder / "scratch").exists() and not (place.folder / "out").exists()


def test_another_release_is_named(place: Place):
    config = place.config(version="0.10.0")
    with pytest.raises(ConfigError, match=r"openrlhf 0\.10\.0, this program knows 0\.11\.2"):
        place.train(config)
