"""Telling a person of what a campaign came to: verdicts, gates that wait, the certificate, and its failure.

`tracking.notify` names a command or an address (tasks/running/notify.py). Nothing waits for it or fails by it.
"""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from conf.compose import load_campaign
from evotrainer.errors import EvoTrainerError
from flows.workspace.worktree import Workspace
from tasks.running.notify import Event, notify
from tasks.running.progress import progress


async def tell(workspace: Workspace, kind: str, cause: str, message: str, severity: str = "info") -> None:
    """Tell of one event, where the campaign names whom."""
    target = load_campaign(workspace.files).tracking.notify
    failed = await asyncio.to_thread(notify, target, workspace.name, Event(kind, cause, message, severity))
    if failed:
        progress().line(f"the notification failed: {failed}")


@asynccontextmanager
async def failures_told(workspace: Workspace) -> AsyncIterator[None]:
    """Tell of the error that ends the block, and raise it."""
    try:
        yield
    except Exception as error:
        command = f"evotrainer campaign run {workspace.name}"
        with suppress(EvoTrainerError):  # of a configuration that cannot be read: the first error is told by Prefect
            await tell(workspace, "failure", type(error).__name__, f"{error}; it goes on by: {command}", "critical")
        raise
