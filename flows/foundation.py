"""What all versions of a campaign stand on: the problem sets, the base policy, and a person's own files.

Data and base policy come from the shared cache where they are in it, else they are built; data is then compared with
the hash in data.dvc, which is the same on every machine.
"""

import shutil

import yaml
from prefect import task
from prefect.cache_policies import NO_CACHE

from conf.compose import load_campaign
from evotrainer.errors import DataError
from evotrainer.layout import CampaignFiles
from evotrainer.problem_sets.build import build, directory_hash
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
    commit(workspace.root, "Data and base policy", ["dvc.lock", *_imported_files(workspace)])


def ensure_data(files: CampaignFiles) -> None:
    """Build the problem sets unless they are there, bit for bit; raises DataError if they cannot be."""
    recorded = recorded_hash(files)
    if files.data.is_dir() and directory_hash(files.data) == recorded:
        return
    shutil.rmtree(files.data, ignore_errors=True)
    if (found := build(files.data)) != recorded:
        raise DataError(f"the problem sets built here have hash {found}, data.dvc records {recorded}: the generators "
                        "were edited; run `evotrainer data build`, which records the new hash")


def recorded_hash(files: CampaignFiles) -> str:
    """Return the hash of the problem sets that data.dvc records."""
    path = files.root / "data.dvc"
    if not path.is_file():
        raise DataError(f"{path} does not exist: run `evotrainer data build` and commit data.dvc")
    return yaml.safe_load(path.read_text())["outs"][0]["md5"]


async def _track_imported(workspace: Workspace) -> None:
    for path in sorted((workspace.root / IMPORTED).glob("*")):
        is_tracked = path.suffix == ".dvc" or path.with_name(f"{path.name}.dvc").exists()
        if not is_tracked and path.name != ".gitignore":
            await run_action(workspace.root, "imported", "add", target=str(path))


def _imported_files(workspace: Workspace) -> list[str]:
    return [IMPORTED] if (workspace.root / IMPORTED).is_dir() else []
