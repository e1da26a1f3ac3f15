"""Reproducing a campaign's certificate, in a worktree of its own.

    without force   commit of the certificate ─► pull its rows ─► hash them ─► the certificate again from these rows
    with force      the commit before it ─► pull policies and data ─► plan and run the certify stage ─► compare

With force the sealed split is read again, by policies that are fixed, in a worktree whose history has no certificate.
What comes of it is compared with what is recorded and thrown away with the worktree.
"""

import re
from pathlib import Path

from evotrainer.campaign.layout import BASE_VERSION, CampaignFiles, parse_version
from evotrainer.campaign.repository import stored_certificate
from evotrainer.campaign.subjects import CERTIFICATE
from evotrainer.errors import EvidenceError, LineageError
from evotrainer.rollouts.certification import check_certificate, first_difference
from flows.reproduce import Reproduction, reproduce_version, temporary_worktree
from flows.workspace.closed_versions import CERTIFICATE_FILE, certificate_commit, check_recorded
from flows.workspace.git import git
from flows.workspace.prepare_inputs import ensure_data
from flows.workspace.storage import connect
from flows.workspace.stored_outputs import altered_outputs, describe, drop
from flows.workspace.worktree import Workspace, check_name, is_in_place, no_campaign
from tasks.running.dvc import run_action, run_stage
from tasks.running.stage_process import run_code

FOLDER = "certificate"
PIPELINE = f"{FOLDER}/dvc.yaml"


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
    await run_action(root, CERTIFICATE, "pull", targets=[PIPELINE])
    bad = altered_outputs(root, PIPELINE)
    if bad and remote:
        drop(root, bad)
        await run_action(root, CERTIFICATE, "pull", targets=[PIPELINE])
        bad = altered_outputs(root, PIPELINE)
    if bad:
        return describe(root, "certificate/dvc.lock", bad[0], remote)
    try:
        check_certificate(CampaignFiles(root))
    except EvidenceError as error:
        return str(error)
    return None


async def _score_again(workspace: Workspace, root: Path, made: str) -> str | None:
    """Run the certify stage as it ran first; return the first difference to the recorded certificate, or None."""
    document = stored_certificate(CampaignFiles(root))
    recorded = document.parse(git(workspace.main, "show", f"{made}:{CERTIFICATE_FILE}"), CERTIFICATE_FILE)
    await ensure_data(root)
    await run_code(root, "plan", CERTIFICATE)
    scored = re.findall(r"versions/(v\d+)/training\.json", (root / PIPELINE).read_text(encoding="utf-8"))
    targets = [f"versions/{version}/dvc.yaml" for version in (BASE_VERSION, *scored)]
    await run_action(root, CERTIFICATE, "pull", targets=targets)
    await run_stage(root, CERTIFICATE, "certify", force=True)
    again = document.read()
    return first_difference(recorded.model_dump(mode="json"), again.model_dump(mode="json"))
