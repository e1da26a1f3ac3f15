"""The Prefect tasks of all stages: names, tags, no result cache, when trying again makes sense, and a progress bar.

DVC is the only cache. Only a failure of the machine is worth a retry, and a training run then resumes from its scratch
state. Everything else would fail again, and is shown at once. The bar follows `12/24` in the last line of a stage's
log; what goes wrong with it never stops a stage.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import cache
from pathlib import Path
from typing import Any
from uuid import UUID

import httpx
from prefect import Task, task
from prefect.artifacts import acreate_progress_artifact, aupdate_progress_artifact
from prefect.cache_policies import NO_CACHE
from prefect.client.schemas.objects import State
from prefect.exceptions import PrefectException

from evotrainer.campaign.layout import Subject
from evotrainer.campaign.stage_progress import last_line
from evotrainer.errors import InfrastructureError
from evotrainer.report.escape import escape
from tasks.running.dvc import run_stage
from tasks.running.progress import progress
from tasks.running.stage_process import MachineFailedError, log_path, run_code

RETRY_DELAY_SECONDS = 2
FOLLOWED = ("rollout", "train")
INTERVAL_SECONDS = 5.0
STEP = re.compile(r"\b(\d+)/(\d+)\b")


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
        async with followed(root, subject, stage):
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


@asynccontextmanager
async def followed(root: Path, subject: Subject, stage: str) -> AsyncIterator[None]:
    """Show the progress of a stage that prints it during the block."""
    if stage not in FOLLOWED:
        yield
        return
    follower = asyncio.create_task(_follow(root, subject, stage))
    try:
        yield
    finally:
        follower.cancel()
        with suppress(asyncio.CancelledError, PrefectException, httpx.HTTPError):
            await follower


async def _follow(root: Path, subject: Subject, stage: str) -> None:
    shown: UUID | None = None
    key = f"{root.name.replace('_', '-')}-{subject.name}-{stage}-progress"
    while True:
        await asyncio.sleep(INTERVAL_SECONDS)
        line = escape(last_line(log_path(root, subject, stage)))
        percent = percent_of(line)
        if percent is None:
            continue
        if shown is None:
            shown = await acreate_progress_artifact(percent, key=key, description=line)
        else:
            await aupdate_progress_artifact(shown, percent, description=line)


def percent_of(line: str) -> float | None:
    """Return the progress that a line of a log tells, in percent; None where it tells none."""
    found = STEP.search(line)
    if found is None or not int(found[2]):
        return None
    return min(100.0, 100.0 * int(found[1]) / int(found[2]))
