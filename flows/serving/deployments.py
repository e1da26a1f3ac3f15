"""Offering the flows as deployments: typed forms in the Prefect UI, schedules and limits.

UI form ─┐
cron ────┼─► campaign, version, reproduce ─► a process of its own ─► the flow
API ─────┘

Prefect keeps schedules in the server's database. Each firing starts a campaign of its own: a name without a place for
the date gets one.
"""

import asyncio
import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import cast

import tzlocal
from prefect import serve
from prefect.client.orchestration import PrefectClient, get_client
from prefect.client.schemas.actions import DeploymentScheduleCreate
from prefect.client.schemas.objects import DeploymentSchedule
from prefect.client.schemas.schedules import CronSchedule
from prefect.deployments.runner import RunnerDeployment
from prefect.exceptions import ObjectNotFound
from pydantic import ValidationError

from conf.compose import compose_campaign
from evotrainer.errors import ConfigError, LineageError
from flows.campaign import campaign
from flows.reproduce import reproduce
from flows.serving.runs import TAG, prepare_server
from flows.version import version
from flows.workspace.checks import examine_ahead
from flows.workspace.worktree import check_name


@dataclass(frozen=True)
class Limits:
    """What may run at a time; further runs wait."""

    campaigns: int = 2
    """Campaigns that this server starts."""
    trainings: int = 2
    """Stages `train` of all campaigns that report to the server."""


def serve_flows(limits: Limits) -> None:
    """Register all deployments, limits and the watch, then start runs as they are asked for, until interrupted.

    Schedules of the deployment stay as they are.
    """
    asyncio.run(prepare_server(limits.trainings))
    serve(*deployments(limits), pause_on_shutdown=True, print_starting_message=False)


def deployments(limits: Limits) -> list[RunnerDeployment]:
    """Return the deployments of all flows."""
    offered = [
        campaign.to_deployment(
            "campaign",
            paused=False,  # an earlier `evotrainer serve` paused it when it ended
            tags=[TAG, "campaign"],
            concurrency_limit=limits.campaigns,
            description="Start a campaign, or go on with one that was interrupted.",
        ),
        version.to_deployment(
            "version", tags=[TAG, "campaign"], description="Bring one planned version of a campaign up to date."
        ),
        reproduce.to_deployment("reproduce", tags=[TAG, "check"], description="Compute a closed version again."),
    ]
    return cast(list[RunnerDeployment], offered)


DEPLOYMENT = "campaign/campaign"
DATED = "-%Y%m%d-%H%M"
_HOUR = re.compile(r"\d{1,2}:\d\d")


def make_schedule(
    main: Path, name: str, cron: str, until: str, timezone: str, overrides: Sequence[str]
) -> DeploymentScheduleCreate:
    """Return a schedule of campaigns that could start now.

    Raises:
        ConfigError: a name, cron, zone, hour or setting that cannot be.
        EvoTrainerError: a file that a setting names is not there or cannot be used.

    """
    compose_campaign(overrides)
    if until:
        compose_campaign([*overrides, f"budget.total.until='{until}'"])
        if _HOUR.fullmatch(until) is None:
            raise ConfigError(f"--until {until}: a schedule starts again and again, so give the hour alone, like 07:00")
    template = name if "%" in name else f"{name}{DATED}"
    check_name(datetime.now().strftime(template))
    try:
        fires = CronSchedule(cron=cron, timezone=timezone or tzlocal.get_localzone_name() or "UTC")
    except ValidationError as error:
        raise ConfigError(f"--cron '{cron}' ({timezone}): {error.errors()[0]['msg']}") from None
    examine_ahead(main, overrides).raise_first()
    return DeploymentScheduleCreate(
        schedule=fires, parameters={"name": template, "until": until, "overrides": list(overrides)}, slug=slug_of(name)
    )


def slug_of(name: str) -> str:
    """Return a schedule's name in Prefect, where fewer signs are allowed: its end tells apart names that look alike."""
    plain = "".join(sign if sign.isalnum() else "-" for sign in name.lower())
    return f"{plain}-{hashlib.sha256(name.encode()).hexdigest()[:8]}"


async def read_schedules() -> list[DeploymentSchedule]:
    """Return the schedules of the server's deployment; raises LineageError where it offers no campaigns."""
    async with get_client() as client:
        return (await _deployed(client))[1]


async def put_schedule(added: DeploymentScheduleCreate) -> None:
    """Give a schedule to the deployment, in the place of an earlier one of its name."""
    async with get_client() as client:
        deployment, known = await _deployed(client)
        for schedule in known:
            if schedule.slug == added.slug:
                await client.delete_deployment_schedule(deployment, schedule.id)
        await client.create_deployment_schedules(deployment, [added])


async def _deployed(client: PrefectClient):
    try:
        deployment = await client.read_deployment_by_name(DEPLOYMENT)
    except ObjectNotFound:
        raise LineageError("this server offers no campaigns yet: start `evotrainer serve`, then repeat") from None
    return deployment.id, await client.read_deployment_schedules(deployment.id)
