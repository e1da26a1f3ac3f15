"""Offering both flows as deployments: a typed form in the Prefect UI, a cron schedule, and a watch over dead runs.

UI form ─┐
cron ────┼─► campaign/campaign, version/version ─► a process of its own ─► the flow
API ─────┘
heartbeats stop for 75 s ─► the automation marks the run as crashed
"""

import asyncio
from datetime import timedelta
from pathlib import Path

from prefect import serve
from prefect.client.orchestration import get_client
from prefect.client.schemas.objects import StateType
from prefect.deployments.runner import RunnerDeployment
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture

from conf.compose import compose_campaign
from flows.campaign import campaign
from flows.version import version

WATCH_NAME = "evotrainer: runs whose heartbeat stopped"
HEARTBEAT_SECONDS = 30
SILENCE_SECONDS = 75
ROOT = Path(__file__).resolve().parents[2]


def serve_flows(cron: str | None, name: str, overrides: list[str]) -> None:
    """Register both deployments and the watch, then start runs as they are asked for; returns when interrupted."""
    compose_campaign(overrides)
    asyncio.run(install_watch())
    serve(*deployments(cron, name, overrides), pause_on_shutdown=True, print_starting_message=False)


def deployments(cron: str | None, name: str, overrides: list[str]) -> tuple[RunnerDeployment, RunnerDeployment]:
    """Return the deployments of both flows; with `cron`, campaigns also start on a schedule."""
    campaigns = campaign.to_deployment(
        "campaign",
        cron=cron,
        tags=["evotrainer"],
        parameters={"name": name, "overrides": overrides},
        description="Start a campaign, or go on with one that was interrupted.",
    )
    versions = version.to_deployment(
        "version", tags=["evotrainer"], description="Bring one planned version of a campaign up to date."
    )
    assert isinstance(campaigns, RunnerDeployment) and isinstance(versions, RunnerDeployment)
    return campaigns, versions


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
            for_each={"prefect.resource.id"},
            posture=Posture.Proactive,
            threshold=1,
            within=timedelta(seconds=SILENCE_SECONDS),
        ),
        actions=[crash],
    )
