"""The pool that several versions of a generation take, because a model was asked for it once.

The first slot's stages run up to its proposal and are committed before the slots run side by side, so that the tag of
every slot holds the proposal that it stands on, whichever is closed first.
"""

from collections.abc import Sequence

from evotrainer.campaign.repository import StoredVersion
from evotrainer.campaign.subjects import Subject, SubjectKind
from flows.workspace.git import commit, succeeds
from flows.workspace.worktree import Workspace
from tasks.running.dvc import run_action
from tasks.running.prefect_task import stage_task

STAGES = ("rollout", "diagnose", "propose")


async def propose_shared_pools(workspace: Workspace, subjects: Sequence[Subject]) -> None:
    """Bring the proposals up to date that these subjects take from another version; nothing for those committed."""
    versions = [subject.name for subject in subjects if subject.kind is SubjectKind.VERSION]
    taken = [StoredVersion(workspace.files.version(version)).spec.read().pool_from for version in versions]
    for source in dict.fromkeys(filter(None, taken)):
        folder = f"versions/{source}"
        if succeeds(workspace.root, "cat-file", "-e", f"HEAD:{folder}/proposal.json"):
            continue
        for stage in STAGES:
            await stage_task(stage)(workspace.root, Subject.version(source))
        await run_action(workspace.root, Subject.version(source), "push", targets=[f"{folder}/dvc.yaml:rollout"])
        commit(workspace.root, f"{source} proposed for its generation", [folder, f"conf/intervention/{source}.yaml"])
