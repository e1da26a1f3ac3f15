"""The product needs no benchmarks: a copy of the tree without them starts, loads its stages and passes the linters."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = ("cli", "conf", "evotrainer", "flows", "harness_plugins", "tasks")
STAGES = sorted(path.parent.name for path in (ROOT / "tasks").glob("*/stage.py"))


@pytest.fixture(scope="module")
def product(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("product")
    for name in PACKAGES:
        shutil.copytree(ROOT / name, root / name, ignore=shutil.ignore_patterns("__pycache__"))
    lines = [line for line in (ROOT / "pyproject.toml").read_text().splitlines() if '"benchmarks.' not in line]
    (root / "pyproject.toml").write_text("\n".join(lines).replace('"benchmarks", ', ""))
    return root


def _run(product: Path, *words: str) -> subprocess.CompletedProcess[str]:
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    # -P leaves the working folder out of sys.path; PYTHONPATH goes before what an editable installation adds.
    environment["PYTHONPATH"] = str(product)
    command = [sys.executable, "-P", *words]
    done = subprocess.run(command, cwd=product, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done


def test_the_command_line_starts(product: Path) -> None:
    assert "campaign" in _run(product, "-m", "cli.main", "--help").stdout


@pytest.mark.slow
def test_stages_and_flows_load_without_the_benchmarks(product: Path) -> None:
    script = (
        "import importlib, sys\n"
        "sys.modules['benchmarks'] = None  # an import of it is an error, wherever it is installed\n"
        f"for stage in {STAGES!r}: importlib.import_module(f'tasks.{{stage}}.stage')\n"
        "import flows.campaign, evotrainer.report\n"
        f"assert sys.modules['tasks.train.stage'].__file__.startswith({str(product)!r})\n"
    )
    _run(product, "-c", script)


def test_it_is_clean_by_itself(product: Path) -> None:
    _run(product, "-m", "ruff", "check", ".")
    _run(product, "-c", "from importlinter.cli import lint_imports_command; lint_imports_command(['--no-cache'])")
