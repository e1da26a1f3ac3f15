"""Progress of a running stage in the Prefect UI: a bar that follows `12/24` in the last line of the stage's log.

Rollout and training print such lines. The bar is for looking at: what goes wrong with it never stops a stage.
"""

import asyncio
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from uuid import UUID

import httpx
from prefect.artifacts import acreate_progress_artifact, aupdate_progress_artifact
from prefect.exceptions import PrefectException

from evotrainer.campaign.subjects import Subject
from tasks.running.progress import last_line
from tasks.running.stage_process import log_path

FOLLOWED = ("rollout", "train")
INTERVAL_SECONDS = 5.0
STEP = re.compile(r"\b(\d+)/(\d+)\b")


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
        line = last_line(log_path(root, subject, stage))
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
