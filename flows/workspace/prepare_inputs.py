"""What versions share: problem sets, base policy, a person's own files, and stages that one runs for several.

Problem sets and base policy are unpacked by the campaign's own code. Problem sets are then compared with the hash in
data.dvc, which is the same on every machine.

A tag promises that its version can be reproduced elsewhere. A stage that a version takes from another one is therefore
pushed and committed before the two run side by side, whichever of them is closed first.
"""

from collections.abc import Sequence
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from conf.compose import load_campaign
from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.layout import CAMPAIGN, CampaignFiles, Subject, SubjectKind
from evotrainer.domains.problem_sets.check import directory_hash, is_as_recorded, recorded_hash
from evotrainer.errors import DataError
from flows.workspace.git import commit, succeeds
from flows.workspace.own_files import IMPORTED
from flows.workspace.worktree import Workspace
from tasks.running.dvc import run_dvc, run_stage
from tasks.running.prefect_task import stage_task
from tasks.running.stage_process import run_code

POLICY_STAGE = "base_policy"
SHARED = {"rollout": (("rollout",), "dvc.lock"), "propose": (("rollout", "diagnose", "propose"), "proposal.json")}
"""{stage that versions share: (stages up to it, the file of a version that is committed with it)}."""


@task(
    name="prepare_inputs", task_run_name="prepare_inputs", tags=["prepare"], cache_policy=NO_CACHE, persist_result=False
)
async def prepare_inputs(workspace: Workspace) -> None:
    """Put data and base policy in place and commit what identifies them."""
    config = load_campaign(workspace.files)
    await ensure_data(workspace.root)
    await run_dvc(workspace.root, CAMPAIGN, "commit", "-f", "data.dvc")
    if not config.policy.path:
        await run_stage(workspace.root, Subject.policy(config.policy.name), POLICY_STAGE)
    await _track_imported(workspace)
    commit(workspace.root, "Data and base policy", _present(workspace, "dvc.lock", IMPORTED))


async def run_shared_stages(workspace: Workspace, subjects: Sequence[Subject]) -> None:
    """Bring the stages up to date that these subjects take from another version; nothing for those committed."""
    versions = [subject.name for subject in subjects if subject.kind is SubjectKind.VERSION]
    specs = [workspace.files.version(version).spec.read() for version in versions]
    for shared, (stages, kept) in SHARED.items():
        for source in dict.fromkeys(spec.shares[shared] for spec in specs if shared in spec.shares):
            folder = f"versions/{source}"
            if succeeds(workspace.root, "cat-file", "-e", f"HEAD:{folder}/{kept}"):
                continue
            for stage in stages:
                await stage_task(stage)(workspace.root, Subject.version(source))
            await run_dvc(workspace.root, Subject.version(source), "push", f"{folder}/dvc.yaml:rollout")
            paths = _present(workspace, folder, f"conf/intervention/{source}.yaml")
            commit(workspace.root, f"{source} ran {shared} for its generation", paths)


async def ensure_data(root: Path) -> None:
    """Put the problem sets in place; raises DataError if those of the code are not as recorded."""
    files = CampaignFiles(root)
    if is_as_recorded(files):
        return
    await run_code(root, "data", CAMPAIGN)
    if not is_as_recorded(files):
        raise DataError(
            f"{files.data} has the hash {directory_hash(files.data)}, and data.dvc records {recorded_hash(files)}: the "
            "files that come with the code were edited: restore them, or run `evotrainer data build`, commit data.dvc "
            "and start a new campaign"
        )


async def _track_imported(workspace: Workspace) -> None:
    folder = workspace.root / IMPORTED
    given = sorted(path for path in folder.glob("*") if path.suffix != ".dvc" and path.name != ".gitignore")
    if given:  # by DVC a line comes after its file: killed in between, the file itself would be committed
        write_atomic(folder / ".gitignore", "".join(f"/{path.name}\n" for path in given))
    for path in given:
        if not path.with_name(f"{path.name}.dvc").exists():
            await run_dvc(workspace.root, CAMPAIGN, "add", str(path))


def _present(workspace: Workspace, *paths: str) -> list[str]:
    return [path for path in paths if (workspace.root / path).exists()]
