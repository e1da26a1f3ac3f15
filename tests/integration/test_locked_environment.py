"""What `make setup` installs suffices: all modules import, and a person's own model is checked and trained."""

import json
from pathlib import Path

import pytest

from evotrainer.records import Problem
from tests.locked_environment import installed, make_locked_environment, run_locked
from tests.model_directories import FAMILIES

pytestmark = pytest.mark.slow

IMPORT_ALL = """
import importlib, pkgutil, sys
optional, failed = {"openrlhf"}, []
for root in ("cli", "conf", "evotrainer", "flows", "harness_plugins", "tasks"):
    for module in pkgutil.walk_packages([root], f"{root}."):
        if module.name.endswith(("_inside", "__main__")):
            continue  # run by another interpreter, or as a program
        try:
            importlib.import_module(module.name)
        except ImportError as error:
            if error.name not in optional:
                failed.append(f"{module.name}: {error}")
sys.exit("\\n".join(failed) or None)
"""
CHECK = """
import sys
from pathlib import Path
from flows.workspace.checks import examine
found = examine(Path.cwd(), sys.argv[1:], embedded=None)
print(*(f"{check.state} {check.name}: {check.message}" for check in found.checks), sep="\\n")
sys.exit(len(found.errors))
"""
TRAIN = """
import sys
from pathlib import Path
from evotrainer.config import Config
from evotrainer.records import Problem
from evotrainer.training import train
from evotrainer.training.base import TrainingRun
policy, out, rows = Path(sys.argv[1]), Path(sys.argv[2]), Path(sys.argv[3]).read_text().splitlines()
problems = [Problem.model_validate_json(row) for row in rows]
config = Config()
config.policy.path, config.engine.device, config.budget.max_steps = str(policy), "cpu", 1
config.sampling.max_response_tokens, config.sampling.group_size, config.sampling.problems_per_step = 8, 4, 2
config.reward.length_penalty = 1.0  # a random policy never answers right: length gives its groups some spread
run = TrainingRun(config, policy, problems, out / "model", "c", "v001", 1, out / "scratch")
print(train(run).num_steps)
"""


@pytest.fixture(scope="module")
def python(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_locked_environment(tmp_path_factory.mktemp("locked"))


def test_the_environment_holds_the_packages_of_the_lock_and_no_other(python: Path) -> None:
    found = installed(python)
    assert "torch" in found and not found & {"datasets", "peft", "trl", "hypothesis"}


def test_every_module_of_the_product_imports(python: Path) -> None:
    done = run_locked(python, "-c", IMPORT_ALL)
    assert done.returncode == 0, done.stderr


def test_a_model_of_ones_own_is_checked_and_trained(
    python: Path, tmp_path: Path, digit_problems: list[Problem]
) -> None:
    FAMILIES["qwen3"](model := tmp_path / "model")
    rows = [{"id": p.problem_id, "problem": p.prompt, "answer": p.answer} for p in digit_problems]
    (data := tmp_path / "own.jsonl").write_text("".join(f"{json.dumps(row)}\n" for row in rows))
    settings = [f"policy.path={model}", f"domain.data_path={data}", "engine.device=cpu"]
    checked = run_locked(python, "-c", CHECK, *settings)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "answers" in checked.stdout and "error" not in checked.stdout
    (pool := tmp_path / "pool.jsonl").write_text("\n".join(p.model_dump_json() for p in digit_problems))
    trained = run_locked(python, "-c", TRAIN, str(model), str(tmp_path), str(pool))
    assert trained.returncode == 0, trained.stderr
    assert trained.stdout.split()[-1] == "1"
