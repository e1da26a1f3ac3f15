"""Campaigns that start by the clock: kept in scratch/prefect/schedules.json, and given to the deployment `campaign`.

A server that is running takes a schedule at once; `evotrainer serve` gives all of them to the deployment when it
starts. Each firing starts a campaign of its own: a name without a place for the date gets one.
"""

import asyncio
import hashlib
import os
import re
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from pydantic import Field, TypeAdapter, ValidationError

from evotrainer.campaign.atomic import write_json_atomic
from evotrainer.errors import ConfigError, LineageError
from evotrainer.records.base import Record
from flows.serving.database import prefect_home
from flows.workspace.worktree import check_name

if TYPE_CHECKING:
    from prefect.client.schemas.actions import DeploymentScheduleCreate

DEPLOYMENT = "campaign/campaign"
DATED = "-%Y%m%d-%H%M"
ZONES = "zoneinfo/"
_HOUR = re.compile(r"\d{1,2}:\d\d")


class Scheduled(Record):
    """One schedule of campaigns."""

    name: str = Field(description="as the person gave it; names the schedule")
    cron: str
    timezone: str
    until: str = Field(description="local time at which each campaign must have ended; empty: none")
    overrides: list[str]

    @property
    def template(self) -> str:
        """The name of each campaign, with places for the date."""
        return self.name if "%" in self.name else f"{self.name}{DATED}"

    @property
    def slug(self) -> str:
        """The schedule's name in Prefect, where fewer signs are lawful: its end tells names apart that look alike."""
        plain = "".join(sign if sign.isalnum() else "-" for sign in self.name.lower())
        return f"{plain}-{hashlib.sha256(self.name.encode()).hexdigest()[:8]}"

    def for_prefect(self) -> "DeploymentScheduleCreate":
        """Return the schedule of the deployment."""
        from prefect.client.schemas.actions import DeploymentScheduleCreate  # a list of schedules does without Prefect
        from prefect.client.schemas.schedules import CronSchedule

        parameters = {"name": self.template, "until": self.until, "overrides": self.overrides}
        cron = CronSchedule(cron=self.cron, timezone=self.timezone)
        return DeploymentScheduleCreate(schedule=cron, parameters=parameters, slug=self.slug)


_SCHEDULES = TypeAdapter(list[Scheduled])


def read_schedules(main: Path) -> list[Scheduled]:
    """Return the schedules of a checkout."""
    path = _path(main)
    return _SCHEDULES.validate_json(path.read_bytes()) if path.is_file() else []


def make_schedule(main: Path, name: str, cron: str, until: str, timezone: str, overrides: list[str]) -> Scheduled:
    """Return a schedule of campaigns that could start now.

    Raises:
        ConfigError: a name, cron, zone, hour or setting that cannot be.
        EvoTrainerError: a file that a setting names is not there or cannot be used.

    """
    from conf.compose import compose_campaign
    from flows.workspace.checks import examine_ahead

    composed = compose_campaign(overrides)
    if until:
        compose_campaign([*overrides, f"budget.total.until='{until}'"])
        if _HOUR.fullmatch(until) is None:
            raise ConfigError(f"--until {until}: a schedule starts again and again, so give the hour alone, like 07:00")
        if composed.budget.total.until:
            raise ConfigError("--until and budget.total.until both say when a campaign ends: give one of them")
    found = Scheduled(name=name, cron=cron, timezone=timezone or own_timezone(), until=until, overrides=overrides)
    check_name(datetime.now().strftime(found.template))
    check_cron(cron, found.timezone)
    examine_ahead(main, overrides).raise_first()
    return found


def check_cron(cron: str, timezone: str) -> None:
    """Raise ConfigError for what is no cron expression, or fires on no date."""
    from prefect.server.schemas.schedules import CronSchedule  # what plans the runs

    try:
        asyncio.run(CronSchedule(cron=cron, timezone=timezone).get_dates(n=1))
    except ValidationError as error:
        raise ConfigError(f"--cron '{cron}' ({timezone}): {error.errors()[0]['msg']}") from None
    except ValueError:
        raise ConfigError(f"--cron '{cron}' never fires: there is no such date") from None


def keep_schedule(main: Path, added: Scheduled) -> None:
    """Write a schedule, in the place of an earlier one of its name."""
    others = [one for one in read_schedules(main) if one.name != added.name]
    write_json_atomic(_path(main), [one.model_dump(mode="json") for one in [*others, added]])


def drop_schedule(main: Path, name: str) -> Scheduled:
    """Remove a schedule and return it; raises LineageError listing what there is."""
    schedules = read_schedules(main)
    found = next((one for one in schedules if one.name == name), None)
    if found is None:
        raise LineageError(f"no schedule '{name}'; there are: {', '.join(one.name for one in schedules) or 'none'}")
    write_json_atomic(_path(main), [one.model_dump(mode="json") for one in schedules if one is not found])
    return found


async def send_schedule(changed: Scheduled, is_dropped: bool) -> bool:
    """Give a schedule to the deployment of the running server, or take it back; return whether it offers campaigns."""
    from prefect.client.orchestration import get_client
    from prefect.exceptions import ObjectNotFound

    async with get_client() as client:
        try:
            deployment = await client.read_deployment_by_name(DEPLOYMENT)
        except ObjectNotFound:
            return False
        for schedule in await client.read_deployment_schedules(deployment.id):
            if schedule.slug == changed.slug:
                await client.delete_deployment_schedule(deployment.id, schedule.id)
        if not is_dropped:
            await client.create_deployment_schedules(deployment.id, [changed.for_prefect()])
    return True


def own_timezone() -> str:
    """Return the name of this machine's time zone, as TZ or /etc/localtime has it; else UTC."""
    if zone := os.environ.get("TZ", "").lstrip(":"):
        return zone
    _, found, name = str(Path("/etc/localtime").resolve()).partition(ZONES)
    return name if found else "UTC"


def _path(main: Path) -> Path:
    return prefect_home(main) / "schedules.json"
