"""The Prefect task of the backtest stage (replay of the choice on cached evidence): policy only."""

from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.dvc import run_stage
from tasks.policy import RETRY_DELAY_SECONDS, is_machine_failure


@task(
    name="backtest",
    task_run_name="backtest-{version}",
    tags=["stage", "backtest"],
    retries=1,
    retry_delay_seconds=RETRY_DELAY_SECONDS,
    retry_condition_fn=is_machine_failure,
    cache_policy=NO_CACHE,
    persist_result=False,
)
async def backtest(root: Path, version: str, force: bool = False) -> bool:
    """Bring the stage up to date; return whether it had to run."""
    return await run_stage(root, version, "backtest", force)
