"""What all versions of a campaign stand on: the problem sets, the base policy, and a person's own files.

Data and base policy come from the shared cache where they are in it, else they are built; data is then compared with
the hash in data.dvc, which is the same on every machine.
"""

from prefect import task
from prefect.cache_policies import NO_CACHE

from conf.compose import load_campaign
from flows.data import ensure_data
from flows.git import commit
from flows.opening import IMPORTED
from flows.workspace import Workspace
from tasks.dvc import run_action, run_stage

POLICY_STAGE = "warm_start"


@task(name="prepare", task_run_name="prepare", tags=["prepare"], cache_policy=NO_CACHE, persist_result=False)
async def prepare(workspace: Workspace) -> None:
    """Put data and base policy in place and commit what identifies them."""
    config = load_campaign(workspace.files)
    ensure_data(workspace.files)
    await run_action(workspace.root, "data", "commit", target="data.dvc")
    if not config.policy.path:
        await run_stage(workspace.root, "base", f"{POLICY_STAGE}@{config.policy.name}")
    await _track_imported(workspace)
    commit(workspace.root, "Data and base policy", _present(workspace, "dvc.lock", IMPORTED))


async def _track_imported(workspace: Workspace) -> None:
    for path in sorted((workspace.root / IMPORTED).glob("*")):
        is_tracked = path.suffix == ".dvc" or path.with_name(f"{path.name}.dvc").exists()
        if not is_tracked and path.name != ".gitignore":
            await run_action(workspace.root, "imported", "add", target=str(path))


def _present(workspace: Workspace, *paths: str) -> list[str]:
    return [path for path in paths if (workspace.root / path).exists()]
