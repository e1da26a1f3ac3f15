"""The branch `memory`: read once when a campaign starts, appended to once when it ends.

    branch memory ──snapshot──► campaigns/<name>/memory/ ──frozen──► versions/vNNN/inputs/memory/
          ▲                                                              │
          └────────── one commit, under a lock ◄── lineage ◄─────────────┘

The branch is changed by plumbing alone: no checkout moves. A clone that has only the remote's branch starts from that:
its first append makes the branch, with the remote's commit as parent.
"""

import tempfile
from pathlib import Path

from conf.compose import load_campaign
from evotrainer.campaign.locks import wait_for_lock
from evotrainer.campaign.memory import remember, save_memory
from evotrainer.campaign.repository import StoredVersion, read_records
from evotrainer.records import HarnessReport
from flows.workspace.git import commit, commit_folder, extract, git
from flows.workspace.memory_branch import LOCAL, commit_of, read_memory, tip
from flows.workspace.worktree import Workspace


def take_snapshot(workspace: Workspace) -> None:
    """Write the memory as it stands into a campaign that starts; nothing where it is empty or turned off."""
    start = tip(workspace.main)
    if start is None or load_campaign(workspace.files).memory.name == "none":
        return
    extract(workspace.main, start, workspace.files.memory)
    commit(workspace.root, f"Memory at the start: {start[:12]}", ["memory"])


def append(workspace: Workspace) -> bool:
    """Append a finished campaign to the memory; return whether the memory changed."""
    config = load_campaign(workspace.files)
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
    found = {name: StoredVersion(files.version(name)).findings.find() for name in files.version_names()}
    return {name: report for name, report in found.items() if report is not None}
