"""`make setup` names each step before it runs, and shows what a step that fails says."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """#!/bin/sh
case "$*" in *"$FAIL"*) [ -z "$FAIL" ] || { echo "ERROR: no such package" >&2; exit 1; } ;; esac
echo "ran: $*"
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    """A clone whose Python and command only print how they were called."""
    for name in ("Makefile", "pyproject.toml", "requirements.lock", "requirements-dev.lock"):
        shutil.copy(ROOT / name, tmp_path / name)
    (tmp_path / ".venv" / "bin").mkdir(parents=True)
    for name in ("python", "evotrainer"):
        path = tmp_path / ".venv" / "bin" / name
        path.write_text(PROGRAM)
        path.chmod(0o755)
    return tmp_path


def _make(clone: Path, fail: str = "") -> subprocess.CompletedProcess[str]:
    outer = {"MAKEFLAGS", "MAKELEVEL", "MFLAGS"}  # of the make that runs the tests
    environment = {key: value for key, value in os.environ.items() if key not in outer} | {"FAIL": fail}
    return subprocess.run(["make", "setup"], cwd=clone, env=environment, text=True, capture_output=True, check=False)


def test_each_step_is_named_before_it_runs_and_a_log_stays_short(clone: Path) -> None:
    done = _make(clone)
    assert done.returncode == 0, done.stderr
    lines = [line for line in done.stdout.splitlines() if not line.startswith("make")]
    named = [number for number, line in enumerate(lines) if not line.startswith("ran: ")]
    assert [lines[number][:5] for number in named] == [f"[{number}/5]" for number in range(1, 6)]
    packages = (clone / "requirements.lock").read_text().count("==")
    assert lines[named[1]] == f"[2/5] {packages} packages of requirements.lock" and packages > 100
    installs = [line for line in lines if "-m pip install" in line]
    assert len(installs) == 3 and all("--quiet --quiet" in line for line in installs), "pip writes errors only"
    assert [line.removeprefix("ran: ") for line in lines[named[2] + 2 :] if line.startswith("ran: ")][:-1] == [
        "-m flows.workspace.byte_code",
        "data build",
        "-m evotrainer.engines.tiny.compiled",
        "-m flows.serving.database",
        "-m flows.workspace.plots",
    ]
    assert _make(clone).stdout == "make: Nothing to be done for 'setup'.\n"


def test_a_step_that_fails_shows_its_error_and_ends_the_setup(clone: Path) -> None:
    done = _make(clone, fail="-r requirements.lock")
    assert done.returncode != 0 and "ERROR: no such package" in done.stderr
    assert re.findall(r"\[\d/5\]", done.stdout) == ["[1/5]", "[2/5]"]
    assert not (clone / ".venv" / ".setup").exists()
