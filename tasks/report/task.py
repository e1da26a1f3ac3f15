"""The Prefect task of the report: policy only."""

from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.running.stage_process import run_code


@task(name="report", task_run_name="report", tags=["report"], cache_policy=NO_CACHE, persist_result=False)
async def report(root: Path) -> None:
    """Write the report of the campaign as it stands."""
    await run_code(root, "report", "campaign")
