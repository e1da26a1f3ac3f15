"""The inputs that all versions of a campaign share: problem sets, base policy, and a person's own files.

Data and base policy come from the shared cache where they are in it; else data is copied from the main checkout, where
set-up has built it, or built, and the policy is trained. Data is then compared with the hash in data.dvc, which is the
same on every machine.
"""

from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from conf.compose import load_campaign
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.subjects import CAMPAIGN, Subject
from evotrainer.errors import DataError
from flows.workspace.data import copy_built, describe_difference, is_as_recorded
from flows.workspace.git import commit, main_checkout
from flows.workspace.own_files import IMPORTED
from flows.workspace.storage import cache_folder
from flows.workspace.worktree import Workspace
from tasks.running.dvc import run_action, run_stage
from tasks.running.stage_process import StageFailedError, run_code

POLICY_STAGE = "warm_start"


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
