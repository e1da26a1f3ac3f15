"""The checks of `evotrainer doctor`, each with what to do about a failure."""

import importlib.metadata
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path

import psutil

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import open_versions
from evotrainer.domains.problem_sets.check import recorded_hash
from evotrainer.errors import EvoTrainerError, SandboxError
from evotrainer.sandbox import Program, Sandbox
from flows.serving.server import check_reachable, running_server
from flows.workspace.checks import Check
from flows.workspace.git import git
from flows.workspace.storage import MIN_FREE_BYTES, default_remote
from flows.workspace.worktree import Workspace, campaign_names, holder, lock_path

MIN_MEMORY_BYTES = 2_000_000_000


def examine(main: Path) -> list[Check]:
    """Return all checks of this machine and checkout; a check that fails never hides the others."""
    return [check for look in CHECKS for check in _guarded(look, main)]


def _guarded(look: Callable[[Path], list[Check]], main: Path) -> list[Check]:
    try:
        return look(main)
    except (EvoTrainerError, OSError) as error:
        return [Check(look.__name__.strip("_"), "error", " ".join(str(error).split()))]


def _programs(main: Path) -> list[Check]:
    python = sys.version.split()[0]
    state = "ok" if sys.version_info >= (3, 11) else "error"
    checks = [Check("python", state, f"{python}, {sys.executable}"), Check("git", "ok", git(main, "--version"))]
    packages = [f"{name} {importlib.metadata.version(name)}" for name in ("dvc", "prefect", "torch", "duckdb")]
    return [*checks, Check("packages", "ok", ", ".join(packages))]


def _machine(main: Path) -> list[Check]:
    free, memory = shutil.disk_usage(main).free, psutil.virtual_memory().available
    return [
        Check("disk", "ok" if free > MIN_FREE_BYTES else "error", f"{free / 1e9:.1f} GB free at {main}"),
        Check("memory", "ok" if memory > MIN_MEMORY_BYTES else "warning", f"{memory / 1e9:.1f} GB available"),
        Check("cores", "ok", f"{os.cpu_count()}; versions of one generation take one each"),
    ]


def _sandbox(main: Path) -> list[Check]:
    try:
        with Sandbox() as sandbox:
            found = sandbox.run(Program("print(42)"))
    except SandboxError as error:
        return [Check("sandbox", "warning", f"none, so nothing a policy wrote can run ({error})")]
    state = "ok" if found.stdout == "42\n" else "error"
    return [
        Check("sandbox", state, f"{sandbox.backend}; a program ended as {found.outcome}; Linux {os.uname().release}")
    ]


def _data(main: Path) -> list[Check]:
    recorded_hash(CampaignFiles(main))
    built = (main / "data").is_dir()
    return [Check("data", "ok" if built else "warning", "built" if built else "run `evotrainer data build`")]


def _remote(main: Path) -> list[Check]:
    url = default_remote(main)
    note = "made when the first version is pushed" if "://" not in url and not Path(url).is_dir() else "default remote"
    return [Check("remote", "ok", f"{url} ({note})")]


def _cache(main: Path) -> list[Check]:
    names = campaign_names(main)
    if not names:
        return [Check("cache", "ok", "no campaign yet")]
    return [
        Check(
            "cache",
            "warning",
            f"it is shared with {len(names)} campaigns: `dvc gc -w` here would delete their "
            "models; use `evotrainer campaign gc NAME`",
        )
    ]


def _server(main: Path) -> list[Check]:
    url = running_server(main)
    if url is None:
        return [Check("server", "ok", "none is running; each command starts its own")]
    check_reachable(url)
    return [Check("server", "ok", url)]


def _campaigns(main: Path) -> list[Check]:
    """Name the campaigns whose process is gone before their work was done."""
    checks = []
    for name in campaign_names(main):
        workspace = Workspace(main, name)
        if (
            holder(main, name) is None
            and lock_path(main, name).is_file()
            and (waiting := ", ".join(open_versions(workspace.files, workspace.closed_versions())))
        ):
            checks.append(
                Check(
                    "campaign",
                    "warning",
                    f"{name} was interrupted at {waiting}: evotrainer campaign run {name} goes on with it",
                )
            )
    return checks


CHECKS: tuple[Callable[[Path], list[Check]], ...] = (
    _programs,
    _machine,
    _sandbox,
    _data,
    _remote,
    _cache,
    _server,
    _campaigns,
)
