"""Tags of our runs in Prefect, by campaign and checkout, and the repair of runs that ended without reporting it.

A flow that is killed stays RUNNING in Prefect. The holder of a campaign's lock knows that no other run of it is alive,
and marks such runs as crashed. For a run that ends while nothing else starts, an automation does the same:

a machine is lost ─► heartbeats stop for 75 s ─► its run is marked as crashed ─► its place is free for the next run

    python -m flows.serving.runs 2     # installs it on the server of PREFECT_API_URL, with two trainings at a time
"""

import asyncio
import hashlib
import socket
import sys
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from prefect import Flow
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.filters import FlowRunFilter, TaskRunFilter
from prefect.client.schemas.objects import FlowRun, State, StateType
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.runtime import flow_run as this_run
from prefect.states import Cancelled, Crashed

from flows.serving.server import HEARTBEAT_SECONDS
from flows.workspace.worktree import Workspace

TAG = "evotrainer"
"""Of all our runs from their start: the watch over dead runs looks at no others of a server."""
CAMPAIGN_TAG, CHECKOUT_TAG = "campaign:", "checkout:"
WATCH_NAME = "evotrainer: its runs whose heartbeat stopped"
HELD = {"type": {"any_": [StateType.RUNNING, StateType.PENDING, StateType.PAUSED, StateType.CANCELLING]}}
"""States that are not final."""


async def prepare_server(num_trainings: int) -> None:
    """Create what runs rely on before any starts: the watch over dead runs, and the limit on trainings at a time.

    Prefect's `concurrency()` on a limit that does not exist only warns, and limits nothing.
    """
    async with get_client() as client:
        await client.create_concurrency_limit(tag="train", concurrency_limit=num_trainings)
        if not await client.read_automations_by_name(WATCH_NAME):
            await client.create_automation(_watch())


def _watch() -> AutomationCore:
    crash = ChangeFlowRunState(
        state=StateType.CRASHED, name="Crashed", force=False, message="no heartbeat: its process is gone"
    )
    ends = ("heartbeat", "Completed", "Failed", "Cancelled", "Crashed")
    trigger = EventTrigger(
        after={"prefect.flow-run.heartbeat"},
        expect={f"prefect.flow-run.{end}" for end in ends},
        match={"prefect.resource.id": ["prefect.flow-run.*"]},
        match_related={"prefect.resource.role": "tag", "prefect.resource.id": f"prefect.tag.{TAG}"},
        for_each={"prefect.resource.id"},
        posture=Posture.Proactive,
        threshold=1,
        within=timedelta(seconds=2.5 * HEARTBEAT_SECONDS),
    )
    return AutomationCore(name=WATCH_NAME, trigger=trigger, actions=[crash])


async def register(workspace: Workspace, is_campaign: bool) -> None:
    """Tag the current run; at the start of a campaign also name it, and mark its dead runs as crashed.

    A schedule starts runs under the template of their names.
    """
    tags = [f"{CAMPAIGN_TAG}{workspace.name}", checkout_tag(workspace.main)]
    async with get_client() as client:
        if is_campaign:
            await crash_zombies(client, tags, keep=this_run.id)
        known = set(this_run.tags or [])
        name = workspace.name if is_campaign else this_run.name
        await client.update_flow_run(UUID(str(this_run.id)), name=name, tags=known | set(tags))


async def crash_zombies(client: PrefectClient, tags: list[str], keep: str | None) -> None:
    """Mark the runs with these tags that claim to be running, and their tasks, as crashed, but for `keep`."""
    dead = [run for run in await find_running(client, tags) if str(run.id) != str(keep)]
    for run in dead:
        state = Crashed(message="its process is gone; the campaign was started again")
        await client.set_flow_run_state(run.id, state, force=True)
        held = await client.read_task_runs(
            flow_run_filter=FlowRunFilter.model_validate({"id": {"any_": [run.id]}}),
            task_run_filter=TaskRunFilter.model_validate({"state": HELD}),
        )
        for one in held:
            await client.set_task_run_state(one.id, state, force=True)


async def close_cancelled(flow: Flow[..., Any], flow_run: FlowRun, state: State[Any]) -> None:
    """Mark the version runs of a cancelled campaign as cancelled too, when its process has ended.

    Prefect's runner calls this. The process took its stages along (evotrainer/sandbox/processes.py).
    """
    tags = [tag for tag in flow_run.tags if tag.startswith((CAMPAIGN_TAG, CHECKOUT_TAG))]
    if len(tags) < 2:  # cancelled before it had a campaign
        return
    async with get_client() as client:
        for member in await find_running(client, tags):
            if member.id != flow_run.id:
                await client.set_flow_run_state(member.id, Cancelled(message="its campaign was cancelled"), force=True)


async def find_running(client: PrefectClient, tags: list[str]) -> list[FlowRun]:
    """Return the runs with these tags that are not in a final state."""
    wanted = {"tags": {"all_": tags}, "state": HELD}
    return await client.read_flow_runs(flow_run_filter=FlowRunFilter.model_validate(wanted))


def checkout_tag(main: Path) -> str:
    """Return a tag for this checkout on this machine: several may report to one server."""
    digest = hashlib.sha256(f"{socket.gethostname()}:{main}".encode()).hexdigest()
    return f"{CHECKOUT_TAG}{digest[:8]}"


if __name__ == "__main__":
    asyncio.run(prepare_server(int(sys.argv[1])))
