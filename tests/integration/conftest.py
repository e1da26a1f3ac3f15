"""A scratch repository with this tree's code and small stages; commands run in it as a person would type them."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import ClassVar

import pytest
import yaml

from evotrainer.campaign.layout import CampaignFiles
from flows.serving.database import create_database
from flows.serving.server import free_port, own_server
from flows.workspace.data import build_data, copy_built

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
    "warm_start",
)
WRITTEN = ["trainer=written", "trainer.interventions=[brief_answers]"]
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
            env=self._environment(),
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
        done = subprocess.run(command, cwd=folder, text=True, capture_output=True, env=self._environment())
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout + done.stderr

    def campaign(self, name: str = "c") -> Path:
        return self.root / "campaigns" / name

    def tell_stages(self, **knobs: object) -> None:
        """Tell small stages what to do, see small_stages.py; nothing for none."""
        path = self.root.parent / "stages.json"
        path.write_text(json.dumps(knobs))
        self.environment["SMALL_STAGES"] = str(path)

    def _environment(self) -> dict[str, str]:
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PREFECT", "PYTEST", "DVC"))}
        return {
            **kept,
            "HOME": str(self.root.parent),
            "PYTHONPATH": str(self.root),
            "PYTHONDONTWRITEBYTECODE": "1",
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
        (root / "tasks" / stage / "stage.py").write_text(f"from tasks.small_stages import {stage} as run\n")
    if not copy_built(ROOT, CampaignFiles(root)):
        build_data(root, root / ".dvc" / "cache")
    stages = {
        "warm_start": {
            "foreach": ["tiny_math"],
            "do": {
                "cmd": "sh tasks/stage.sh warm_start ${item}",
                "deps": ["tasks/warm_start"],
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


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The scratch repository, made once, its Prefect server's tables with it."""
    root = tmp_path_factory.mktemp("template") / "main"
    root.mkdir()
    make_repository(root)
    create_database(root, root / "scratch" / "prefect" / "serve.db")
    return root


@pytest.fixture(scope="session", autouse=True)
def shared_server(template: Path) -> Iterator[None]:
    """A Prefect server for the campaigns of all tests: one start, seven seconds of work, in place of thirty."""
    before = dict(os.environ)
    with own_server(template, free_port(), template / "scratch" / "prefect" / "shared.db") as Repository.server:
        os.environ.clear()
        os.environ.update(before)
        yield
        os.environ["PREFECT_API_URL"] = Repository.server


@pytest.fixture
def repository(template: Path, tmp_path: Path) -> Repository:
    """A scratch repository of one's own."""
    shutil.copytree(template, tmp_path / "main")
    return Repository(tmp_path / "main")


@pytest.fixture(scope="session")
def finished(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Repository:
    """A scratch repository with the finished campaign `c`: read it, change nothing."""
    root = tmp_path_factory.mktemp("finished") / "main"
    shutil.copytree(template, root)
    shutil.rmtree(root / "scratch")  # as a person's first campaign finds it
    repository = Repository(root, has_own_server=True)
    repository.run("campaign", "run", "c", *SETTINGS)
    repository.has_own_server = False
    return repository
