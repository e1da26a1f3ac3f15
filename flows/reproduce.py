"""Reproducing a version from its tag, or the certificate, here or in a fresh clone that has only the DVC remote.

The flow is for the Prefect UI: a difference fails its run, and an artifact shows what was found.

    tag version/<campaign>/v003 ─► worktree ─► pull what it stands on ─► dvc repro, stage by stage ─► compare
    certificate, without force: its commit ─► pull its rows ─► hash them ─► the certificate again from these rows
    certificate, with force: the commit before it ─► pull policies ─► plan and run the certify stage ─► compare

What was pulled is hashed again first: DVC believes its cache (stored_outputs.py). Without force DVC finds every stage
up to date, or runs those that are not. With force each stage of the version is computed again from what it stands on.
dvc.lock holds the hash of every input and output, so comparing it line by line with the tagged one compares all
bytes; `dvc status` would only compare the workspace with the new dvc.lock. Packages and hardware that differ from the
tagged receipt's are named.

With force the sealed split is read again, by policies that are fixed, in a worktree whose history has no certificate.
What comes of it is compared with what is recorded and thrown away with the worktree.
"""

import re
import shutil
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from prefect import State, flow
from prefect.states import Completed, Failed

from evotrainer.campaign.layout import BASE_VERSION, CERTIFICATE, CampaignFiles, Subject, parse_version
from evotrainer.campaign.untrusted import escape
from evotrainer.errors import EvidenceError, LineageError
from evotrainer.rollouts.certification import check_certificate
from evotrainer.rollouts.certification import first_difference as first_field
from flows.serving.ui import CampaignName, RecordedName, publish_text
from flows.workspace.closed_versions import CERTIFICATE_FILE, certificate_commit, check_recorded
from flows.workspace.finish_version import changed_since
from flows.workspace.git import git
from flows.workspace.prepare_inputs import ensure_data
from flows.workspace.storage import connect
from flows.workspace.stored_outputs import altered_of, altered_outputs, describe, pull_intact
from flows.workspace.worktree import Workspace, campaign_names, check_name, is_in_place, no_campaign, project_root
from tasks.plan.steps import stages_of
from tasks.running.dvc import pull, run_stage
from tasks.running.stage_process import let_cool, run_code

COMPARED = ("dvc.lock", "verdict.json")
PIPELINE = "certificate/dvc.yaml"
MAX_SHOWN = 12


@dataclass(frozen=True)
class Reproduction:
    """What came of it: the stages that had to run, the first difference or None, and what its machine is not."""

    version: str
    stages_run: list[str]
    difference: str | None
    changed: dict[str, str] | None
    """Hardware and packages of another value than the receipt's; None where the version was closed without one."""

    @property
    def is_reproduced(self) -> bool:
        """Whether all that must agree does."""
        return self.difference is None

    @property
    def words(self) -> str:
        """The first difference, or what is identical and how that was found, in one line."""
        if self.difference:
            return self.difference
        if self.version == CERTIFICATE.name:
            how = "scored again" if self.stages_run else "computed again from its stored rows; --force scores again"
            return f"identical: certificate.json, {how}"
        how = "as pulled, hashed again; nothing was computed, --force does that"
        return f"identical: dvc.lock and verdict.json, {'computed again' if self.stages_run else how}"

    @property
    def surroundings(self) -> str:
        """How packages and machine differ from those on which the version was closed, in one line."""
        if self.changed is None:
            return "no receipt was recorded: certificates, and versions closed before there were any, have none"
        lines = [f"{name} {change}" for name, change in self.changed.items()]
        shown = [*lines[:MAX_SHOWN], *([f"and {more} more"] if (more := len(lines) - MAX_SHOWN) > 0 else [])]
        return f"packages and machine: {', '.join(shown) or 'as when it was closed'}"


@flow(name="reproduce", flow_run_name="{campaign}-{version}", persist_result=False)
async def reproduce(campaign: CampaignName, version: RecordedName, force: bool = True, remote: str = "") -> State[Any]:
    """Reproduce a closed version, or the certificate, in a worktree of its own, and compare with what was recorded.

    Args:
        campaign: the campaign's name
        version: the version's name, like v003, or certificate
        force: compute every stage again; without it, what was pulled is hashed again and nothing is computed
        remote: folder or URL of the DVC remote to pull from; empty: the default one
    """
    found = await reproduce_recorded(project_root(), campaign, version, force, remote or None)
    await publish_comparison(Workspace(project_root(), campaign), found)
    state = Completed if found.is_reproduced else Failed
    return state(message=f"{found.version} of {campaign}: {found.words}")


async def publish_comparison(workspace: Workspace, found: Reproduction) -> None:
    """Show in the Prefect UI what a reproduction gave, and in what packages and machine differ."""
    title = f"{found.version}: {found.words}"
    text = f"### {title}\n\n{escape(found.surroundings)}"
    await publish_text(workspace, (found.version, "reproduced"), title, text)


async def reproduce_version(main: Path, name: str, version: str, force: bool, remote: str | None) -> Reproduction:
    """Reproduce one closed version; raises LineageError for one that has no tag or cannot be pulled."""
    workspace = Workspace(main, check_name(name))
    tag = _find_tag(workspace, version)
    with temporary_worktree(main, tag) as root:
        connect(root, main, remote)
        await ensure_data(root)
        target, altered = f"versions/{version}/dvc.yaml", partial(altered_of, root, version, not force)
        # of a cache that is shared and damaged, what the named remote has takes the place
        if bad := await pull_intact(root, Subject.version(version), target, altered, is_mended=bool(remote)):
            told = describe(root, f"versions/{version}/dvc.lock", bad[0], remote)
            return Reproduction(version, [], told, changed_since(workspace, version))
        subject = Subject.version(version)
        stages = stages_of(CampaignFiles(root), subject)
        ran = [stage for stage in stages if await run_stage(root, subject, stage, force)]
        difference = first_difference(main, root, tag, version)
    return Reproduction(version, ran, difference, changed_since(workspace, version))


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


async def reproduce_recorded(main: Path, name: str, subject: str, force: bool, remote: str | None) -> Reproduction:
    """Reproduce a version like v003, or the certificate."""
    if subject == CERTIFICATE.name:
        return await reproduce_certificate(main, name, force, remote)
    return await reproduce_version(main, name, parse_version(subject), force, remote)


async def reproduce_certificate(main: Path, name: str, force: bool, remote: str | None) -> Reproduction:
    """Compute a campaign's certificate again, from its rows or with `force` from its policies, and compare."""
    workspace = Workspace(main, check_name(name))
    if not workspace.exists():
        raise no_campaign(main, name)
    made = certificate_commit(workspace)
    if made is None:
        raise LineageError(f"campaign '{name}' has no certificate: `evotrainer campaign run {name}` ends with it")
    with temporary_worktree(main, f"{made}^" if force else made) as root:
        connect(root, main, remote)
        found = await (_score_again(workspace, root, made) if force else _from_rows(root, remote))
    if is_in_place(workspace):
        check_recorded(workspace)
    return Reproduction(CERTIFICATE.name, ["certify"] if force else [], found, None)


async def _from_rows(root: Path, remote: str | None) -> str | None:
    """Return the first difference between the certificate and its rows, or None."""
    altered = partial(altered_outputs, root, PIPELINE)
    if bad := await pull_intact(root, CERTIFICATE, PIPELINE, altered, is_mended=bool(remote)):
        return describe(root, "certificate/dvc.lock", bad[0], remote)
    try:
        check_certificate(CampaignFiles(root))
    except EvidenceError as error:
        return str(error)
    return None


async def _score_again(workspace: Workspace, root: Path, made: str) -> str | None:
    """Run the certify stage as it ran first; return the first difference to the recorded certificate, or None."""
    document = CampaignFiles(root).certified
    recorded = document.parse(git(workspace.main, "show", f"{made}:{CERTIFICATE_FILE}"), CERTIFICATE_FILE)
    await ensure_data(root)
    await run_code(root, "plan", CERTIFICATE)
    scored = re.findall(r"versions/(v\d+)/training\.json", (root / PIPELINE).read_text(encoding="utf-8"))
    targets = [f"versions/{version}/dvc.yaml" for version in (BASE_VERSION, *scored)]
    await pull(root, CERTIFICATE, targets)
    await run_stage(root, CERTIFICATE, "certify", force=True)
    again = document.read()
    return first_field(recorded.model_dump(mode="json"), again.model_dump(mode="json"))


def _find_tag(workspace: Workspace, version: str) -> str:
    if not workspace.is_closed(version):
        closed = ", ".join(workspace.closed_versions())
        if not closed and not workspace.exists():
            known = ", ".join(campaign_names(workspace.main)) or "none"
            hint = f"there are: {known}; in a clone, `git fetch --tags` brings what is closed"
            raise LineageError(f"there is no campaign '{workspace.name}': {hint}")
        raise LineageError(
            f"{version} of campaign '{workspace.name}' is not closed; closed versions: {closed or 'none'}"
        )
    return workspace.tag(version)


@contextmanager
def temporary_worktree(main: Path, revision: str) -> Iterator[Path]:
    """Check a commit or tag out in a worktree that is removed at the end."""
    root = main / "scratch" / "reproduce" / uuid.uuid4().hex[:8]
    git(main, "worktree", "add", "--quiet", "--detach", str(root), revision)
    try:
        yield root
    finally:
        let_cool(root)
        shutil.rmtree(root, ignore_errors=True)
        git(main, "worktree", "prune")


def _section(lines: list[str], number: int) -> str:
    """Name the output or input that a line of dvc.lock is about: the last `path:` before it."""
    above = [line.strip() for line in lines[: number + 1] if line.strip().startswith("- path:")]
    return f" ({above[-1].removeprefix('- path: ')})" if above else ""
