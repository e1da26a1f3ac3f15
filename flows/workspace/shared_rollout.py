"""The rollout that several versions of a generation take: sampled, pushed and committed before they run side by side.

A tag promises that its version can be reproduced elsewhere. The tag of a version that takes another one's rollout must
therefore hold that stage's lock too, whichever of the two is closed first.
"""

from collections.abc import Sequence

from evotrainer.campaign.repository import StoredVersion
from evotrainer.campaign.subjects import Subject, SubjectKind
from flows.workspace.git import commit, succeeds
from flows.workspace.worktree import Workspace
from tasks.running.dvc import run_action
from tasks.running.prefect_task import stage_task


async def sample_shared_rollouts(workspace: Workspace, subjects: Sequence[Subject]) -> None:
    """Bring the rollouts up to date that these subjects take from another version; nothing for those committed."""
    versions = [subject.name for subject in subjects if subject.kind is SubjectKind.VERSION]
    taken = [StoredVersion(workspace.files.version(version)).spec.read().rollout_from for version in versions]
    for source in dict.fromkeys(filter(None, taken)):
        folder = f"versions/{source}"
        if succeeds(workspace.root, "cat-file", "-e", f"HEAD:{folder}/dvc.lock"):
            continue
        await stage_task("rollout")(workspace.root, Subject.version(source))
        await run_action(workspace.root, Subject.version(source), "push", targets=[f"{folder}/dvc.yaml:rollout"])
        commit(workspace.root, f"{source} sampled for its generation", [folder])
