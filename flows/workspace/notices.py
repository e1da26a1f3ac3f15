"""Notices of what a campaign came to: verdicts, gates that wait, the certificate, and its failure.

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


async def send_notice(workspace: Workspace, kind: str, cause: str, message: str, severity: str = "info") -> None:
    """Send the notice of one event to whom the campaign names."""
    target = load_campaign(workspace.files).tracking.notify
    failed = await asyncio.to_thread(notify, target, workspace.name, Event(kind, cause, message, severity))
    if failed:
        progress().line(f"the notification failed: {failed}")


@asynccontextmanager
async def failure_notices(workspace: Workspace) -> AsyncIterator[None]:
    """Send a notice of the error that ends the block, and raise it."""
    try:
        yield
    except Exception as error:
        text = f"{error}; go on with it: evotrainer campaign run {workspace.name}"
        with suppress(EvoTrainerError):  # of a configuration that cannot be read: the first error counts
            await send_notice(workspace, "failure", type(error).__name__, text, "critical")
        raise
