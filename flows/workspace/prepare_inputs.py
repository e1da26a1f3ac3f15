"""What versions share: problem sets, base policy, a person's own files, and stages that one runs for several.

Data and base policy come from the shared cache where they are in it; else data is copied from the main checkout, where
set-up has built it, or unpacked, as the policy is. Data is then compared with the hash in data.dvc, which is the
same on every machine.

A tag promises that its version can be reproduced elsewhere. A stage that a version takes from another one is therefore
pushed and committed before the two run side by side, whichever of them is closed first.
"""

from collections.abc import Sequence
from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from conf.compose import load_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import StoredVersion
from evotrainer.campaign.subjects import CAMPAIGN, Subject, SubjectKind
from evotrainer.errors import DataError
from flows.workspace.data import copy_built, describe_difference, is_as_recorded
from flows.workspace.git import commit, main_checkout, succeeds
from flows.workspace.own_files import IMPORTED
from flows.workspace.storage import cache_folder
from flows.workspace.worktree import Workspace
from tasks.running.dvc import run_action, run_stage
from tasks.running.prefect_task import stage_task
from tasks.running.stage_process import StageFailedError, run_code

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
    await run_action(workspace.root, CAMPAIGN, "commit", target="data.dvc")
    if not config.policy.path:
        await run_stage(workspace.root, Subject.policy(config.policy.name), POLICY_STAGE)
    await _track_imported(workspace)
    commit(workspace.root, "Data and base policy", _present(workspace, "dvc.lock", IMPORTED))


async def run_shared_stages(workspace: Workspace, subjects: Sequence[Subject]) -> None:
    """Bring the stages up to date that these subjects take from another version; nothing for those committed."""
    versions = [subject.name for subject in subjects if subject.kind is SubjectKind.VERSION]
    specs = [StoredVersion(workspace.files.version(version)).spec.read() for version in versions]
    for shared, (stages, kept) in SHARED.items():
        for source in dict.fromkeys(spec.shares[shared] for spec in specs if shared in spec.shares):
            folder = f"versions/{source}"
            if succeeds(workspace.root, "cat-file", "-e", f"HEAD:{folder}/{kept}"):
                continue
            for stage in stages:
                await stage_task(stage)(workspace.root, Subject.version(source))
            await run_action(workspace.root, Subject.version(source), "push", targets=[f"{folder}/dvc.yaml:rollout"])
            paths = _present(workspace, folder, f"conf/intervention/{source}.yaml")
            commit(workspace.root, f"{source} ran {shared} for its generation", paths)


async def ensure_data(root: Path) -> None:
    """Put the problem sets in place: from cache or remote, else those of the main checkout, else built.

    Raises DataError if they are not as recorded.
    """
    files = CampaignFiles(root)
    if is_as_recorded(files):
        return
    try:
        await run_action(root, CAMPAIGN, "pull", targets=["data.dvc"])
    except StageFailedError:  # neither cache nor remote has them, as on a new machine
        if not copy_built(main_checkout(root) or root, files):
            await run_code(root, "data", CAMPAIGN)
    if not is_as_recorded(files):
        raise DataError(describe_difference(files, cache_folder(root)))


async def _track_imported(workspace: Workspace) -> None:
    for path in sorted((workspace.root / IMPORTED).glob("*")):
        is_tracked = path.suffix == ".dvc" or path.with_name(f"{path.name}.dvc").exists()
        if not is_tracked and path.name != ".gitignore":
            await run_action(workspace.root, CAMPAIGN, "add", target=str(path))


def _present(workspace: Workspace, *paths: str) -> list[str]:
    return [path for path in paths if (workspace.root / path).exists()]
