"""Offering the flows as deployments: typed forms in the Prefect UI, schedules and limits.

UI form ─┐
cron ────┼─► campaign, version, reproduce ─► a process of its own ─► the flow
API ─────┘
"""

import asyncio
from dataclasses import dataclass
from typing import cast

from prefect import serve
from prefect.deployments.runner import RunnerDeployment

from flows.campaign import campaign
from flows.reproduce import reproduce
from flows.serving.runs import TAG, prepare_server
from flows.version import version


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
