"""The Prefect task of planning (the next generation's folders): policy only."""

from pathlib import Path

from prefect import task
from prefect.cache_policies import NO_CACHE

from tasks.running.stage_process import run_code


@task(name="plan", task_run_name="plan-{subject}", tags=["plan"], cache_policy=NO_CACHE, persist_result=False)
async def plan(root: Path, subject: str) -> None:
    """Write the folders of the generation that starts with version `subject`, or of the certificate."""
    await run_code(root, "plan", subject)
