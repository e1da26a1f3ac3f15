"""The branch `memory`: read once when a campaign starts, appended to once when it ends.

    branch memory ──snapshot──► campaigns/<name>/memory/ ──frozen──► versions/vNNN/inputs/memory/
          ▲                                                              │
          └────────── one commit, under a lock ◄── lineage ◄─────────────┘

The branch is changed by plumbing alone: no checkout moves. A clone that has only the remote's branch starts from that:
its first append makes the branch, with the remote's commit as parent.
"""

import fcntl
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from conf.compose import load_campaign
from evotrainer.campaign.lineage import read_records
from evotrainer.campaign.memory import Memory, load_memory, save_memory
from evotrainer.campaign.memory.distil import remember
from evotrainer.records import HarnessReport, SearchTrace
from flows.workspace.git import commit, commit_folder, extract, git, succeeds
from flows.workspace.worktree import Workspace

_LOCAL = "refs/heads/memory"
_REMOTE = "refs/remotes/origin/memory"


def take_snapshot(workspace: Workspace) -> None:
    """Write the memory as it stands into a campaign that starts; nothing where it is empty or turned off."""
    start = _tip(workspace.main)
    if start is None or load_campaign(workspace.files).memory.name == "none":
        return
    extract(workspace.main, start, workspace.files.memory)
    commit(workspace.root, f"Memory at the start: {start[:12]}", ["memory"])


def append(workspace: Workspace) -> bool:
    """Append a finished campaign to the memory; return whether that was news."""
    config = load_campaign(workspace.files)
    if config.memory.name == "none":
        return False
    records, searches = read_records(workspace.files), _searches(workspace)
    with _lock(workspace.main):
        start = _tip(workspace.main)
        with tempfile.TemporaryDirectory() as folder:
            memory = read_memory(workspace.main, Path(folder))
            grown = remember(memory, workspace.name, config.domain.name, records, _observed(workspace), searches)
            if grown == memory:
                return False
            save_memory(Path(folder), grown)
            message = f"{workspace.name}: {len(records)} versions, {len(grown.skills) - len(memory.skills)} new skills"
            made = commit_folder(workspace.main, Path(folder), message, start)
        git(workspace.main, "update-ref", _LOCAL, made, _commit(workspace.main, _LOCAL) or "")
    return True


def read_memory(main: Path, folder: Path) -> Memory:
    """Return the memory as it stands, extracted into an empty `folder`."""
    start = _tip(main)
    if start is not None:
        extract(main, start, folder)
    return load_memory(folder)


def _tip(main: Path) -> str | None:
    """Return the commit that holds the memory: of the branch, or of the remote's where this clone has none."""
    return _commit(main, _LOCAL) or _commit(main, _REMOTE)


def _commit(main: Path, reference: str) -> str | None:
    if not succeeds(main, "rev-parse", "--verify", "--quiet", reference):
        return None
    return git(main, "rev-parse", "--verify", reference)


def _observed(workspace: Workspace) -> dict[str, HarnessReport]:
    """Return the report that each version was proposed on, by version; the base version was proposed on none."""
    versions = [workspace.files.version(name) for name in workspace.files.version_names()]
    return {
        own.root.name: HarnessReport.model_validate_json(own.findings.read_bytes())
        for own in versions
        if own.findings.is_file()
    }


def _searches(workspace: Workspace) -> list[SearchTrace]:
    found: list[SearchTrace] = []
    for version in workspace.files.version_names():
        path = workspace.files.version(version).proposal
        if path.is_file():
            found += [SearchTrace.model_validate(one) for one in json.loads(path.read_bytes()).get("searches", [])]
    return found


@contextmanager
def _lock(main: Path) -> Iterator[None]:
    """Hold the memory's lock, waiting for campaigns that append at this moment."""
    path = main / "scratch" / "locks" / "memory.lock"
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a+") as stream:
        fcntl.flock(stream, fcntl.LOCK_EX)
        yield
