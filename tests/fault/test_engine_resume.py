"""A training run that is killed by the machine goes on from its scratch state and ends with the same bytes.

The undisturbed run is made without trackers, the killed one with the default ones: they change no byte either.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from evotrainer.evidence.store import read_signals
from evotrainer.training.openrlhf.evidence import logged_numbers
from tests.version_files import contents

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[2]

SCRIPT = """
import json, os, signal, sys
from pathlib import Path
from evotrainer.config import Config
from evotrainer.engines import create_rollout_engine
from evotrainer.training.base import TrainingRun
from evotrainer.training.torch import fit as torch_train
from evotrainer.training import TorchTrainEngine
from evotrainer.records import Problem

policy, out, scratch, kill_at = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]), int(sys.argv[4])
trackers = sys.argv[5].split()
problems = [Problem(**values) for values in json.loads(sys.stdin.read())]
config = Config()
config.engine.device, config.algorithm.learning_rate, config.sampling.max_response_tokens = "cpu", 3e-3, 6
config.tracking.trackers = trackers
config.budget.max_steps, config.algorithm.num_minibatches, config.filter.group = 6, 2, "std"
write_rows = torch_train.write_rows

def write_and_die(directory, step, *rest):
    write_rows(directory, step, *rest)
    if step == kill_at:
        os.kill(os.getpid(), signal.SIGKILL)

torch_train.write_rows = write_and_die
engine = TorchTrainEngine(checkpoint_seconds=0.0)
sampler = create_rollout_engine(config, policy)
engine.fit(TrainingRun(config, policy, problems, out, "c", "v001", seed=3, scratch=scratch), sampler)
"""


def _run(policy: Path, problems, out: Path, scratch: Path, kill_at: int, trackers: str = "jsonl tensorboard") -> int:
    text = json.dumps([problem.model_dump() for problem in problems])
    arguments = [sys.executable, "-c", SCRIPT, str(policy), str(out), str(scratch), str(kill_at), trackers]
    environment = os.environ | {"PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1"}
    done = subprocess.run(arguments, input=text, text=True, env=environment, capture_output=True, check=False)
    assert done.returncode in (0, -9), done.stderr
    return done.returncode


def test_a_killed_run_ends_as_an_undisturbed_one(digit_policy: Path, digit_problems, tmp_path: Path):
    assert _run(digit_policy, digit_problems, tmp_path / "calm", tmp_path / "one", -1, trackers="") == 0
    # The evidence of the step is written when the process dies, its state is not.
    assert _run(digit_policy, digit_problems, tmp_path / "killed", tmp_path / "two", 3) == -9
    assert not (tmp_path / "killed").exists()
    assert _run(digit_policy, digit_problems, tmp_path / "killed", tmp_path / "two", -1) == 0
    assert contents(tmp_path / "killed") == contents(tmp_path / "calm")
    assert len(contents(tmp_path / "calm" / "training")) == 6 * 3 + 2
    assert list((tmp_path / "one").iterdir()) == []
    (tracking,) = (tmp_path / "two").iterdir()
    rows = [json.loads(line) for line in (tracking / "signals.jsonl").read_text().splitlines()]
    assert [row["step"] for row in rows] == list(range(6)), "steps after the last saved state are not shown twice"
    signals = read_signals(tmp_path / "killed" / "training")
    assert [row["reward"] for row in rows] == [row.extra["reward"] for row in signals]
    shown = {step + 1: values["train/entropy"] for step, values in logged_numbers(tracking).items()}
    assert shown == pytest.approx({row.step: row.entropy for row in signals}, rel=1e-6)
