"""The branch `memory`: read once when a campaign starts, appended to once when it ends.

    branch memory ──snapshot──► campaigns/<name>/memory/ ──frozen──► versions/vNNN/inputs/memory/
          ▲                                                              │
          └────────── one commit, under a lock ◄── lineage ◄─────────────┘

The branch is changed by plumbing alone: no checkout moves. A clone that has only the remote's branch starts from that:
its first append makes the branch, with the remote's commit as parent.
"""

import tempfile
from pathlib import Path

from evotrainer.campaign.locks import wait_for_lock
from evotrainer.campaign.memory import Memory, load_memory, remember, save_memory
from evotrainer.campaign.repository import read_records
from evotrainer.config import load_config
from evotrainer.records import HarnessReport
from flows.workspace.git import commit, commit_folder, commit_of, extract, git
from flows.workspace.worktree import Workspace

LOCAL = "refs/heads/memory"
REMOTE = "refs/remotes/origin/memory"


def take_snapshot(workspace: Workspace) -> None:
    """Write the memory as it stands into a campaign that starts; nothing where it is empty or turned off."""
    start = tip(workspace.main)
    if start is None or load_config(workspace.files.config).memory.name == "none":
        return
    extract(workspace.main, start, workspace.files.memory)
    commit(workspace.root, f"Memory at the start: {start[:12]}", ["memory"])


def append(workspace: Workspace) -> bool:
    """Append a finished campaign to the memory; return whether the memory changed."""
    config = load_config(workspace.files.config)
    if config.memory.name == "none":
        return False
    records = read_records(workspace.files)
    with wait_for_lock(workspace.main / "scratch" / "locks" / "memory.lock"):  # another campaign may append now
        start = tip(workspace.main)
        with tempfile.TemporaryDirectory() as folder:
            memory = read_memory(workspace.main, Path(folder))
            grown = remember(memory, workspace.name, config.domain.name, records, _observed(workspace))
            if grown == memory:
                return False
            save_memory(Path(folder), grown)
            message = f"{workspace.name}: {len(records)} versions, {len(grown.skills) - len(memory.skills)} new skills"
            made = commit_folder(workspace.main, Path(folder), message, start)
        git(workspace.main, "update-ref", LOCAL, made, commit_of(workspace.main, LOCAL) or "")
    return True


def _observed(workspace: Workspace) -> dict[str, HarnessReport]:
    """Return the report that each version was proposed on, by version; the base version was proposed on none."""
    files = workspace.files
    found = {name: files.version(name).findings.find() for name in files.version_names()}
    return {name: report for name, report in found.items() if report is not None}


def read_memory(main: Path, folder: Path) -> Memory:
    """Return the memory as it stands, extracted into an empty `folder`."""
    start = tip(main)
    if start is not None:
        extract(main, start, folder)
    return load_memory(folder)


def tip(main: Path) -> str | None:
    """Return the commit that holds the memory: of the branch, or of the remote's where this clone has none."""
    return commit_of(main, LOCAL) or commit_of(main, REMOTE)
