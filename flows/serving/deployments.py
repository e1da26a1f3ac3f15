"""Offering the flows as deployments: typed forms in the Prefect UI, schedules, limits, and a watch over dead runs.

UI form ─┐
cron ────┼─► campaign, version, reproduce, evaluate, diagnose ─► a process of its own ─► the flow
API ─────┘
heartbeats stop for 75 s ─► the automation marks the run as crashed
"""

import asyncio
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from typing import cast

from prefect import serve
from prefect.client.orchestration import get_client
from prefect.client.schemas.actions import DeploymentScheduleCreate
from prefect.client.schemas.objects import StateType
from prefect.client.schemas.schedules import CronSchedule
from prefect.deployments.runner import RunnerDeployment
from prefect.events.actions import ChangeFlowRunState
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture

from conf.compose import compose_campaign
from flows.campaign import campaign
from flows.on_request import diagnose, evaluate, reproduce
from flows.serving.schedules import own_timezone, read_schedules
from flows.version import version

WATCH_NAME = "evotrainer: runs whose heartbeat stopped"
HEARTBEAT_SECONDS = 30
SILENCE_SECONDS = 75
TAGS = ["evotrainer"]


@dataclass(frozen=True)
class Limits:
    """What may run at a time; further runs wait."""

    campaigns: int = 2
    """Campaigns that this server starts."""
    trainings: int = 2
    """Stages `train` of all campaigns that report to the server."""


def serve_flows(main: Path, cron: str | None, name: str, overrides: list[str], limits: Limits) -> None:
    """Register all deployments, limits and the watch, then start runs as they are asked for, until interrupted."""
    compose_campaign(overrides)
    asyncio.run(prepare_server(limits))
    schedules = [one.for_prefect() for one in read_schedules(main)]
    if cron is not None:
        timed = CronSchedule(cron=cron, timezone=own_timezone())
        schedules.append(DeploymentScheduleCreate(schedule=timed, slug="served"))
    offered = deployments(name, overrides, schedules, limits)
    serve(*offered, pause_on_shutdown=True, print_starting_message=False)


def deployments(
    name: str, overrides: list[str], schedules: list[DeploymentScheduleCreate], limits: Limits
) -> list[RunnerDeployment]:
    """Return the deployments of all flows; campaigns also start on schedules."""
    campaigns = campaign.to_deployment(
        "campaign",
        schedules=schedules,
        paused=False,  # an earlier `evotrainer serve` paused it when it ended
        tags=[*TAGS, "campaign"],
        concurrency_limit=limits.campaigns,
        parameters={"name": name, "overrides": overrides},
        description="Start a campaign, or go on with one that was interrupted.",
    )
    versions = version.to_deployment(
        "version", tags=[*TAGS, "campaign"], description="Bring one planned version of a campaign up to date."
    )
    asked = [
        reproduce.to_deployment("reproduce", tags=[*TAGS, "check"], description="Compute a closed version again."),
        evaluate.to_deployment("evaluate", tags=[*TAGS, "check"], description="Evaluate a closed version again."),
        diagnose.to_deployment("diagnose", tags=[*TAGS, "read"], description="Say what is wrong with a run."),
    ]
    offered = [campaigns, versions, *asked]
    assert all(isinstance(one, RunnerDeployment) for one in offered)
    return cast(list[RunnerDeployment], offered)


async def prepare_server(limits: Limits) -> None:
    """Create what runs rely on before any starts: the watch over dead runs, and the limit on trainings at a time."""
    await install_watch()
    async with get_client() as client:
        await client.create_concurrency_limit(tag="train", concurrency_limit=limits.trainings)


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
