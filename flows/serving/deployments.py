"""Offering the flows as deployments: typed forms in the Prefect UI, schedules and limits.

UI form ─┐
cron ────┼─► campaign, version, reproduce, evaluate, diagnose ─► a process of its own ─► the flow
API ─────┘
"""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import cast

from prefect import serve
from prefect.client.schemas.actions import DeploymentScheduleCreate
from prefect.client.schemas.schedules import CronSchedule
from prefect.deployments.runner import RunnerDeployment

from conf.compose import compose_campaign
from flows.campaign import campaign
from flows.on_request import diagnose, evaluate, reproduce
from flows.serving.dead_runs import prepare_server
from flows.serving.runs import TAG
from flows.serving.schedules import check_cron, own_timezone, read_schedules
from flows.version import version
from flows.workspace.checks import examine_ahead

TAGS = [TAG]


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
    if cron is not None:
        check_cron(cron, own_timezone())
        examine_ahead(main, overrides).raise_first()
    asyncio.run(prepare_server(limits.trainings))
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
