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
from evotrainer.campaign.memory import Memory, save_memory
from evotrainer.campaign.memory.distil import remember
from evotrainer.campaign.repository import StoredRevision, StoredVersion, read_records
from evotrainer.config import Config
from evotrainer.diagnosis.evolved.cards import load_plugins
from evotrainer.diagnosis.evolved.left_cards import left_by, refused_of
from evotrainer.records import HarnessReport, RememberedCard, SearchTrace
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
    records, searches = read_records(workspace.files), _searches(workspace)
    with wait_for_lock(workspace.main / "scratch" / "locks" / "memory.lock"):  # another campaign may append now
        start = tip(workspace.main)
        with tempfile.TemporaryDirectory() as folder:
            memory = read_memory(workspace.main, Path(folder))
            cards = _cards(workspace, memory, config)
            grown = remember(memory, workspace.name, config.domain.name, records, _observed(workspace), searches, cards)
            if grown == memory:
                return False
            save_memory(Path(folder), grown)
            message = f"{workspace.name}: {len(records)} versions, {len(grown.skills) - len(memory.skills)} new skills"
            made = commit_folder(workspace.main, Path(folder), message, start)
        git(workspace.main, "update-ref", LOCAL, made, commit_of(workspace.main, LOCAL) or "")
    return True


def _observed(workspace: Workspace) -> dict[str, HarnessReport]:
    """Return the report that each version was proposed on, by version; the base version was proposed on none."""
    found = {name: stored.findings.find() for name, stored in _versions(workspace).items()}
    return {name: report for name, report in found.items() if report is not None}


def _cards(workspace: Workspace, memory: Memory, config: Config) -> list[RememberedCard]:
    """Return the cards that the campaign's harness leaves; none of a campaign that revised nothing."""
    names = workspace.files.revision_names()
    if not names:
        return []
    revisions = [StoredRevision(workspace.files.revision(name)).revision.read() for name in names]
    who = (workspace.name, config.domain.name, config.seed)
    plugins = load_plugins(workspace.files.revision(names[-1]).plugins)
    return [*left_by(plugins, revisions, *who), *refused_of(memory.cards, revisions, *who)]


def _searches(workspace: Workspace) -> list[SearchTrace]:
    proposals = [stored.proposal.find() for stored in _versions(workspace).values()]
    return [search for proposal in proposals if proposal is not None for search in proposal.searches]


def _versions(workspace: Workspace) -> dict[str, StoredVersion]:
    files = workspace.files
    return {name: StoredVersion(files.version(name)) for name in files.version_names()}
