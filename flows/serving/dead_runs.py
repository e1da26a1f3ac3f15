"""What a Prefect server has before runs start: a limit on trainings at a time, and a watch over runs that fall silent.

a machine is lost ─► heartbeats stop for 75 s ─► its run is marked as crashed ─► its place is free for the next run

    python -m flows.serving.dead_runs 2     # on the server of PREFECT_API_URL, with two trainings at a time
"""

import asyncio
import sys
from datetime import timedelta

from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import StateType
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture

from flows.serving.runs import TAG
from flows.serving.server import HEARTBEAT_SECONDS

WATCH_NAME = "evotrainer: its runs whose heartbeat stopped"
SILENCE_SECONDS = 2.5 * HEARTBEAT_SECONDS


async def prepare_server(num_trainings: int) -> None:
    """Create what runs rely on before any starts: the watch over dead runs, and the limit on trainings at a time."""
    await install_watch()
    async with get_client() as client:
        await client.create_concurrency_limit(tag="train", concurrency_limit=num_trainings)


async def install_watch() -> None:
    """Create the automation that marks a run as crashed when it falls silent, unless the server has it."""
    async with get_client() as client:
        if await client.read_automations_by_name(WATCH_NAME):
            return
        await client.create_automation(_watch())


def _watch() -> AutomationCore:
    crash = ChangeFlowRunState(
        state=StateType.CRASHED, name="Crashed", force=False, message="no heartbeat: its process is gone"
    )
    return AutomationCore(
        name=WATCH_NAME,
        trigger=EventTrigger(
            after={"prefect.flow-run.heartbeat"},
            expect={
                "prefect.flow-run.heartbeat",
                "prefect.flow-run.Completed",
                "prefect.flow-run.Failed",
                "prefect.flow-run.Cancelled",
                "prefect.flow-run.Crashed",
            },
            match={"prefect.resource.id": ["prefect.flow-run.*"]},
            match_related={"prefect.resource.role": "tag", "prefect.resource.id": f"prefect.tag.{TAG}"},
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=timedelta(seconds=SILENCE_SECONDS),
        ),
        actions=[crash],
    )


if __name__ == "__main__":
    asyncio.run(prepare_server(int(sys.argv[1])))
