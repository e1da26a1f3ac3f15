"""Reproducing a version from its tag, here or in a fresh clone that has only the DVC remote.

    tag version/<campaign>/v003 ─► worktree ─► pull what it stands on ─► dvc repro, stage by stage ─► compare

What was pulled is hashed again first: DVC believes its cache (stored_outputs.py). Without force DVC finds every stage
up to date, or runs those that are not. With force each stage of the version is computed again from what it stands on.
dvc.lock holds the hash of every input and output, so comparing it line by line with the tagged one compares all
bytes; `dvc status` would only compare the workspace with the new dvc.lock. The version's receipt is gathered anew in
that worktree and compared with the tagged one, line by line.
"""

import shutil
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.receipts import compare_receipts
from evotrainer.campaign.subjects import Subject
from evotrainer.errors import LineageError
from evotrainer.records import ReceiptLine
from flows.workspace.git import git, succeeds
from flows.workspace.prepare_inputs import ensure_data
from flows.workspace.receipts import gather_receipt, recorded_receipt
from flows.workspace.storage import connect
from flows.workspace.stored_outputs import altered_of, describe, drop
from flows.workspace.worktree import Workspace, campaign_names, check_name
from tasks.plan.steps import stages_of
from tasks.running.dvc import close_workers, run_action, run_stage

COMPARED = ("dvc.lock", "verdict.json")


@dataclass(frozen=True)
class Reproduction:
    """What came of it: the stages that had to run, the first difference or None, and the receipt's lines."""

    version: str
    stages_run: list[str]
    difference: str | None
    receipt: list[ReceiptLine] | None
    """None where the version was closed without a receipt."""

    @property
    def is_reproduced(self) -> bool:
        """Whether all that must agree does."""
        return self.difference is None and not any(line.is_broken for line in self.receipt or [])


async def reproduce_version(
    main: Path, name: str, version: str, force: bool, remote: str | None, only: Sequence[str] = ()
) -> Reproduction:
    """Reproduce one closed version, or `only` these of its stages.

    Raises LineageError for a version that has no tag or cannot be pulled.
    """
    workspace = Workspace(main, check_name(name))
    tag = _find_tag(workspace, version)
    with temporary_worktree(main, tag) as root:
        connect(root, main, remote)
        await _pull(root, version)
        reads_outputs = not force or bool(only)
        bad = altered_of(root, version, outputs=reads_outputs)
        if bad and remote:  # the cache is shared and damaged: what the named remote has takes its place
            drop(root, bad)
            await _pull(root, version)
            bad = altered_of(root, version, outputs=reads_outputs)
        if bad:
            told = describe(root, f"versions/{version}/dvc.lock", bad[0], remote)
            return Reproduction(version, [], told, verify_receipt(workspace, root, version))
        subject = Subject.version(version)
        stages = [stage for stage in stages_of(CampaignFiles(root), subject) if not only or stage in only]
        ran = [stage for stage in stages if await run_stage(root, subject, stage, force)]
        difference = first_difference(main, root, tag, version)
        receipt = verify_receipt(workspace, root, version)
    return Reproduction(version, ran, difference, receipt)


def verify_receipt(workspace: Workspace, root: Path, version: str) -> list[ReceiptLine] | None:
    """Compare the tagged receipt with one gathered in the worktree `root`; None where none was recorded."""
    recorded = recorded_receipt(workspace, version)
    return compare_receipts(recorded, gather_receipt(root, version)) if recorded else None


def first_difference(main: Path, root: Path, tag: str, version: str) -> str | None:
    """Return the first line in which dvc.lock or verdict.json differs from the tagged one, or None."""
    for name in COMPARED:
        path = f"versions/{version}/{name}"
        recorded = git(main, "show", f"{tag}:{path}").splitlines()
        found = (root / path).read_text().strip().splitlines()
        for number in range(max(len(recorded), len(found))):
            old, new = [lines[number].strip() if number < len(lines) else "(no line)" for lines in (recorded, found)]
            if old != new:
                what = f"recorded `{old}`, reproduced `{new}`"
                return f"{path}, line {number + 1} differs: {what}{_section(found, number)}"
    return None


async def _pull(root: Path, version: str) -> None:
    """Fetch the version with all that it stands on; problem sets that the remote lacks are built."""
    await ensure_data(root)
    await run_action(root, Subject.version(version), "pull", targets=[f"versions/{version}/dvc.yaml"])


def _find_tag(workspace: Workspace, version: str) -> str:
    tag = workspace.tag(version)
    if not succeeds(workspace.main, "rev-parse", "--verify", "--quiet", f"refs/tags/{tag}"):
        closed = ", ".join(workspace.closed_versions())
        if not closed and not workspace.exists():
            known = ", ".join(campaign_names(workspace.main)) or "none"
            hint = f"there are: {known}; in a clone, `git fetch --tags` brings what is closed"
            raise LineageError(f"there is no campaign '{workspace.name}': {hint}")
        raise LineageError(
            f"{version} of campaign '{workspace.name}' is not closed; closed versions: {closed or 'none'}"
        )
    return tag


@contextmanager
def temporary_worktree(main: Path, revision: str) -> Iterator[Path]:
    """Check a commit or tag out in a worktree that is removed at the end."""
    root = main / "scratch" / "reproduce" / uuid.uuid4().hex[:8]
    git(main, "worktree", "add", "--quiet", "--detach", str(root), revision)
    try:
        yield root
    finally:
        close_workers(root)
        shutil.rmtree(root, ignore_errors=True)
        git(main, "worktree", "prune")


def _section(lines: list[str], number: int) -> str:
    """Name the output or input that a line of dvc.lock is about: the last `path:` before it."""
    above = [line.strip() for line in lines[: number + 1] if line.strip().startswith("- path:")]
    return f" ({above[-1].removeprefix('- path: ')})" if above else ""
