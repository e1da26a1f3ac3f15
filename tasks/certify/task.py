"""The Prefect task of the certify stage (the sealed test split, once): policy only."""

from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.dvc import run_stage
from tasks.policy import RETRY_DELAY_SECONDS, is_machine_failure


@task(
    name="certify",
    task_run_name="certify",
    tags=["stage", "certify"],
    retries=1,
    retry_delay_seconds=RETRY_DELAY_SECONDS,
    retry_condition_fn=is_machine_failure,
    cache_policy=NO_CACHE,
    persist_result=False,
)
async def certify(root: Path, force: bool = False) -> bool:
    """Bring the certificate up to date; return whether it had to run."""
    return await run_stage(root, "certificate", "certify", force)
