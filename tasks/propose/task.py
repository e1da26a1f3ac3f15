"""The Prefect task of the propose stage (the ranked pool and this slot's choice): policy only."""

from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.dvc import run_stage
from tasks.policy import RETRY_DELAY_SECONDS, is_machine_failure


@task(
    name="propose",
    task_run_name="propose-{version}",
    tags=["stage", "propose"],
    retries=1,
    retry_delay_seconds=RETRY_DELAY_SECONDS,
    retry_condition_fn=is_machine_failure,
    cache_policy=NO_CACHE,
    persist_result=False,
)
async def propose(root: Path, version: str, force: bool = False) -> bool:
    """Bring the stage up to date; return whether it had to run."""
    return await run_stage(root, version, "propose", force)
