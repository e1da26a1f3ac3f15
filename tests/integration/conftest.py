"""A scratch repository with this tree's code and small stages; commands run in it as a person would type them."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import psutil
import pytest
import yaml

from evotrainer.campaign.locks import wait_for_lock
from evotrainer.domains.problem_sets.check import build_data
from evotrainer.sandbox.processes import OWNER_VARIABLE, owner_token
from flows.workspace.worktree import Workspace, check_startable, lay_out, name_branch
from tests.reader_rows import ROWS
from tests.waiting import wait_for

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("cli", "conf", "evotrainer", "flows", "harness_plugins", "tasks")
STAGES = (
    "rollout",
    "diagnose",
    "propose",
    "backtest",
    "train",
    "evaluate",
    "confirm",
    "certify",
    "report",
    "base_policy",
)
WRITTEN = ["trainer=written", "trainer.interventions=[brief_answers]"]
SECRETS = ("ANTHROPIC_API_KEY", "VLLM_API_KEY", "WANDB_API_KEY", "HF_TOKEN", "AWS_SECRET_ACCESS_KEY")
"""Set where the finished campaign runs; its stages leave the names that they see in the folder `seen` beside it."""
SETTINGS = ["num_versions=3", "search.merge=false", *WRITTEN]


@dataclass
class Repository:
    """A checkout and what it takes to run commands in it."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    has_own_server: bool = False
    """Whether campaigns start a Prefect server, as they do for a person who has none; else they use the tests' own."""
    server: ClassVar[str] = ""
    """API of the Prefect server that all tests of this process share."""

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        """Start `evotrainer ARGUMENTS` with this checkout's code."""
        return subprocess.Popen(
            [sys.executable, "-m", "cli.main", *arguments],
            cwd=self.root,
            text=True,
            env=self.shell(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def run(self, *arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
        """Run `evotrainer ARGUMENTS` to its end and check its exit status."""
        process = self.start(*arguments)
        out, error = process.communicate(timeout=900)
        assert process.returncode == status, f"status {process.returncode}\n{out}\n{error}"
        return subprocess.CompletedProcess(arguments, process.returncode, out, error)

    def json(self, *arguments: str) -> object:
        """Return what `evotrainer ARGUMENTS --json` prints."""
        return json.loads(self.run(*arguments, "--json").stdout)

    def git(self, *arguments: str) -> str:
        return subprocess.run(["git", *arguments], cwd=self.root, text=True, check=True, capture_output=True).stdout

    def dvc(self, folder: Path, *arguments: str) -> str:
        """Run DVC by hand, as in a shell without activated environment."""
        command = [str(Path(sys.executable).parent / "dvc"), *arguments]
        done = subprocess.run(command, cwd=folder, text=True, capture_output=True, env=self.shell())
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def campaign(self, name: str = "c") -> Path:
        return self.root / "campaigns" / name

    def tell_stages(self, **knobs: object) -> None:
        """Tell small stages what to do, see small_stages.py; nothing for none."""
        path = self.root.parent / "stages.json"
        path.write_text(json.dumps(knobs))
        self.environment["SMALL_STAGES"] = str(path)

    def shell(self) -> dict[str, str]:
        """Return the environment of a shell in which a person types."""
        dropped = ("PREFECT", "PYTEST", "DVC", "COLUMNS")  # pytest-xdist sets the last
        kept = {key: value for key, value in os.environ.items() if not key.startswith(dropped)}
        return {
            **kept,
            "HOME": str(self.root.parent),
            "PYTHONPATH": str(self.root),
            "EVOTRAINER_PYTHON": sys.executable,
            **({} if self.has_own_server else {"PREFECT_API_URL": self.server}),
            **self.environment,
        }


def make_repository(root: Path) -> Repository:
    """Write and commit the scratch repository."""
    for package in PACKAGES:
        shutil.copytree(ROOT / package, root / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in (".gitignore", ".dvcignore", "data.dvc"):
        shutil.copy(ROOT / name, root / name)
    (root / ".dvc").mkdir()
    for name in ("config", ".gitignore"):
        shutil.copy(ROOT / ".dvc" / name, root / ".dvc" / name)
    shutil.copy(Path(__file__).with_name("small_stages.py"), root / "tasks" / "small_stages.py")
    for stage in STAGES:
        module_of(root, stage).write_text(f"from tasks.small_stages import {stage} as run\n")
    build_data(root)
    stages = {
        "base_policy": {
            "foreach": ["tiny_math", "tiny_code"],  # as in the product, of which a campaign makes one
            "do": {
                "cmd": "sh tasks/stage.sh base_policy ${item}",
                "deps": ["tasks/base_policy.py"],
                "outs": ["policies/${item}"],
            },
        }
    }
    (root / "dvc.yaml").write_text(yaml.safe_dump({"stages": stages}))
    repository = Repository(root)
    repository.git("init", "--quiet", "--initial-branch", "main")
    repository.git("add", ".")
    repository.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "--quiet", "-m", "start")
    return repository


def module_of(root: Path, stage: str) -> Path:
    """Return the file that holds a stage's function `run`."""
    package = root / "tasks" / stage
    return package / "__init__.py" if package.is_dir() else package.with_suffix(".py")


def copy_tree(source: Path, target: Path) -> None:
    """Copy a folder as it is, times included; a fifth of what shutil.copytree costs for a repository."""
    subprocess.run(["cp", "-a", "--reflink=auto", str(source), str(target)], check=True)


def create(main: Path, name: str) -> Workspace:
    """Make a campaign's worktree and branch, as they are before any setting is written."""
    check_startable(main, name)
    workspace = Workspace(main, name)
    lay_out(workspace)
    name_branch(workspace)
    return workspace


@pytest.fixture
def rows(tmp_path: Path) -> Path:
    """A file of another system's rows, in which one worker is unpaid."""
    path = tmp_path / "rows.jsonl"
    path.write_text("".join(f"{one.model_dump_json()}\n" for one in ROWS))
    return path


@pytest.fixture(scope="session")
def template(shared_folder: Path) -> Path:
    """The scratch repository, made once for all workers."""
    root, done = shared_folder / "template" / "main", shared_folder / "template" / "done"
    with wait_for_lock(shared_folder / "template.lock"):
        if not done.is_file():
            root.mkdir(parents=True)
            make_repository(root)
            done.touch()
    return root


@pytest.fixture(scope="session", autouse=True)
def shared_server(template: Path, shared_folder: Path) -> None:
    """A Prefect server for the campaigns of all tests: one start in place of thirty."""
    url = shared_folder / "server.url"
    with wait_for_lock(shared_folder / "server.lock"):
        if not url.is_file():
            is_worker = "PYTEST_XDIST_WORKER" in os.environ
            owner = owner_token(psutil.Process().parent() if is_worker else None)
            command = [sys.executable, "-m", "tests.integration.shared_server", str(template), str(url), owner]
            environment = {**os.environ, OWNER_VARIABLE: owner}
            server = subprocess.Popen(command, cwd=ROOT, env=environment, start_new_session=True)
            wait_for(lambda: url.is_file() or server.poll() is not None)
            assert server.poll() is None, "the Prefect server ended"
    Repository.server = url.read_text()


@pytest.fixture
def repository(template: Path, tmp_path: Path) -> Repository:
    """A scratch repository of one's own."""
    copy_tree(template, tmp_path / "main")
    return Repository(tmp_path / "main")


@pytest.fixture(scope="session")
def finished(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A scratch repository with the finished campaign `c`: read it, change nothing."""
    root = tmp_path_factory.mktemp("finished") / "main"
    copy_tree(template, root)
    seen = root.parent / "seen"
    seen.mkdir()
    repository = Repository(root, dict.fromkeys(SECRETS, "a secret"), has_own_server=True)
    repository.tell_stages(**{stage: {"sees": str(seen)} for stage in STAGES})
    repository.run("campaign", "run", "c", *SETTINGS)
    repository.environment.clear()
    repository.has_own_server = False
    return repository
