"""The harness revised between generations, where the campaign asks for it and something can come of it.

    verdicts of a generation ─► plan r03 ─► evolve ─► harness/r03/ ─► inputs/plugins of the next generation's versions
                                                          └─► harness_plugins/evolved/ on the campaign's branch

tasks/plan/steps.py says when one is due.
"""

from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import StoredRevision
from evotrainer.campaign.subjects import Subject
from flows.workspace.git import commit
from flows.workspace.worktree import Workspace
from tasks.plan.steps import stages_of
from tasks.running.prefect_task import stage_task
from tasks.running.progress import progress


async def run_revision(workspace: Workspace, subject: Subject) -> None:
    """Run and commit a planned revision."""
    for stage in stages_of(workspace.files, subject):
        await stage_task(stage)(workspace.root, subject)
    finish_revision(workspace, subject.name)


def finish_revision(workspace: Workspace, revision: str) -> None:
    """Commit a finished revision, with its diagnostics in the folder where a person looks for them."""
    publish(workspace.files, revision)
    made = StoredRevision(workspace.files.revision(revision)).revision.read()
    commit(workspace.root, f"Harness {revision}: {made.summary}", [f"harness/{revision}", "harness_plugins/evolved"])
    progress().line(f"harness {revision}: {made.summary}")


def publish(files: CampaignFiles, revision: str) -> None:
    """Replace the evolved diagnostics of the campaign's checkout by those after a revision."""
    folder = files.root / "harness_plugins" / "evolved"
    folder.mkdir(parents=True, exist_ok=True)
    for path in folder.glob("*.yaml"):
        path.unlink()
    for path in files.revision(revision).plugins.glob("*.yaml"):
        write_atomic(folder / path.name, path.read_bytes())
