"""The Prefect tasks of all stages: names, tags, no result cache, and when trying again makes sense.

DVC is the only cache. Only a failure of the machine is worth a retry, and a training run then resumes from its scratch
state. Everything else would fail again, and is shown at once.
"""

from functools import cache
from pathlib import Path
from typing import Any

from prefect import Task, task
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State

from evotrainer.campaign.layout import Subject
from evotrainer.errors import InfrastructureError
from tasks.running.dvc import run_stage
from tasks.running.progress import progress
from tasks.running.stage_process import MachineFailedError, run_code

RETRY_DELAY_SECONDS = 2


@cache
def stage_task(stage: str) -> Task[..., Any]:
    """Return the task that brings the DVC stage `stage` of a subject up to date and tells whether it had to run."""

    @task(
        name=stage,
        task_run_name=f"{stage}-{{subject}}",
        tags=["stage", stage],
        retries=1,
        retry_delay_seconds=RETRY_DELAY_SECONDS,
        retry_condition_fn=is_machine_failure,
        cache_policy=NO_CACHE,
        persist_result=False,
    )
    async def run(root: Path, subject: Subject, force: bool = False) -> bool:
        return await run_stage(root, subject, stage, force)

    return run


@cache
def code_task(stage: str) -> Task[..., Any]:
    """Return the task that runs `stage`, which is no DVC stage, with the campaign's code."""

    @task(name=stage, task_run_name=f"{stage}-{{subject}}", tags=[stage], cache_policy=NO_CACHE, persist_result=False)
    async def run(root: Path, subject: Subject) -> None:
        await run_code(root, stage, subject)

    return run


async def is_machine_failure(_task: Any, _run: Any, state: State[Any]) -> bool:
    """Tell whether a failed task run may be tried again, and the person why: its progress is about to start anew."""
    error = await state.aresult(raise_on_failure=False)
    if not isinstance(error, InfrastructureError):
        return False
    reason = error.reason if isinstance(error, MachineFailedError) else error
    progress().line(f"{reason}; running it again")
    return True
