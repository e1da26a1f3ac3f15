"""The checks of `evotrainer doctor`, each with what to do about a failure."""

import os
import shutil
from pathlib import Path

import psutil

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.domains.problem_sets.check import recorded_hash
from evotrainer.errors import SandboxError
from evotrainer.sandbox import Program, Sandbox
from flows.workspace.checks import Check, looked_at
from flows.workspace.storage import MIN_FREE_BYTES, default_remote

MIN_MEMORY_BYTES = 2_000_000_000


def examine(main: Path) -> list[Check]:
    """Return all checks of this machine and checkout; a check that fails never hides the others."""
    looks = (look_at_machine, look_at_sandbox, look_at_data, look_at_remote)
    return looked_at(main, looks)[0]


def look_at_machine(main: Path) -> list[Check]:
    """Compare disk and memory with what a campaign takes."""
    free, memory = shutil.disk_usage(main).free, psutil.virtual_memory().available
    return [
        Check("disk", "ok" if free > MIN_FREE_BYTES else "error", f"{free / 1e9:.1f} GB free at {main}"),
        Check("memory", "ok" if memory > MIN_MEMORY_BYTES else "warning", f"{memory / 1e9:.1f} GB available"),
        Check("cores", "ok", f"{os.cpu_count()}; versions of one generation take one each"),
    ]


def look_at_sandbox(main: Path) -> list[Check]:
    """Say where foreign code runs."""
    try:
        with Sandbox() as sandbox:
            found = sandbox.run(Program("print(42)"))
    except SandboxError as error:
        return [Check("sandbox", "warning", f"none, so nothing a policy wrote can run ({error})")]
    state = "ok" if found.stdout == "42\n" else "error"
    return [
        Check("sandbox", state, f"{sandbox.backend}; a program ended as {found.outcome}; Linux {os.uname().release}")
    ]


def look_at_data(main: Path) -> list[Check]:
    """Tell whether the problem sets are built."""
    recorded_hash(CampaignFiles(main))
    built = (main / "data").is_dir()
    return [Check("data", "ok" if built else "warning", "built" if built else "run `evotrainer data build`")]


def look_at_remote(main: Path) -> list[Check]:
    """Name the remote that versions are pushed to."""
    url = default_remote(main)
    note = "made when the first version is pushed" if "://" not in url and not Path(url).is_dir() else "default remote"
    return [Check("remote", "ok", f"{url} ({note})")]
