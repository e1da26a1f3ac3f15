"""The harness revised between generations, where the campaign asks for it and something can come of it.

    verdicts of a generation ─► plan r03 ─► evolve ─► harness/r03/ ─► inputs/plugins of the next generation's versions
                                                          └─► harness_plugins/evolved/ on the campaign's branch

A campaign that was cut short in between goes on with the revision; one that is committed is never made again.
"""

import shutil

from conf.compose import load_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import StoredRevision, read_records
from evotrainer.diagnosis.evolved.cards import SOURCES
from evotrainer.diagnosis.evolved.revision_trigger import revision_trigger
from flows.workspace.git import commit, succeeds
from flows.workspace.worktree import Workspace
from tasks.evolve.task import evolve
from tasks.plan.task import plan
from tasks.running.progress import progress


async def evolve_harness(workspace: Workspace) -> None:
    """Make and commit the revision that the last closed generation calls for, if there is one."""
    files = workspace.files
    revision = revision_trigger(files, load_campaign(files), read_records(files))
    if revision is None or succeeds(workspace.root, "cat-file", "-e", f"HEAD:harness/{revision}/revision.json"):
        return
    await plan(workspace.root, revision)
    await evolve(workspace.root, revision)
    close_revision(workspace, revision)


def close_revision(workspace: Workspace, revision: str) -> None:
    """Commit a finished revision, with its diagnostics in the folder where a person looks for them."""
    publish(workspace.files, revision)
    made = StoredRevision(workspace.files.revision(revision)).revision.read()
    commit(workspace.root, f"Harness {revision}: {made.summary}", [f"harness/{revision}", "harness_plugins/evolved"])
    progress().line(f"harness {revision}: {made.summary}")


def publish(files: CampaignFiles, revision: str) -> None:
    """Replace the evolved diagnostics of the campaign's checkout by those after a revision."""
    folder = files.root / "harness_plugins" / "evolved"
    folder.mkdir(parents=True, exist_ok=True)
    suffixes = {".yaml", *SOURCES.values()}
    for path in folder.glob("[!_]*"):
        if path.suffix in suffixes:
            path.unlink()
    for path in files.revision(revision).plugins.iterdir():
        if path.suffix in suffixes:
            shutil.copy(path, folder / path.name)
