"""The Prefect task of the train stage (training the version's policy): policy only."""

from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.dvc import run_stage
from tasks.policy import RETRY_DELAY_SECONDS, is_machine_failure


@task(
    name="train",
    task_run_name="train-{version}",
    tags=["stage", "train"],
    retries=1,
    retry_delay_seconds=RETRY_DELAY_SECONDS,
    retry_condition_fn=is_machine_failure,
    cache_policy=NO_CACHE,
    persist_result=False,
)
async def train(root: Path, version: str, force: bool = False) -> bool:
    """Bring the stage up to date; return whether it had to run."""
    return await run_stage(root, version, "train", force)
