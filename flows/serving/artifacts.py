"""What the Prefect UI shows of a run beside its states: artifacts, made from what stages have stored.

    version run    health report, diff, backtest, verdict            markdown, after their stages
    campaign run   score table with intervals
    reproduction   whether it agrees                                 flows/reproduce.py

An artifact is for looking at. A server that refuses one never stops a campaign. Keys carry the campaign's name, so that
the newest stands in the list of artifacts and earlier ones under it.
"""

from collections.abc import Awaitable, Sequence
from typing import Any

import httpx
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact
from prefect.exceptions import PrefectException

from evotrainer.campaign.lineage import incumbent
from evotrainer.campaign.repository import read_records
from evotrainer.report.gates import stage_report
from evotrainer.report.words import LINEAGE_COLUMNS, lineage_cells
from flows.workspace.worktree import Workspace
from tasks.running.progress import progress

REPORTED = {"diagnose": "health report", "propose": "diff", "backtest": "backtest", "evaluate": "verdict"}


async def publish_stage(workspace: Workspace, version: str, stage: str) -> None:
    """Show what a stage of a version found; nothing for stages without a report."""
    if stage not in REPORTED:
        return
    text = stage_report(workspace.files, version, stage)
    title = f"{version}: {REPORTED[stage]}"
    await publish_text(workspace, (version, stage), title, f"### {title}\n\n{text}")


async def publish_scores(workspace: Workspace) -> None:
    """Show the versions of a campaign as they stand, with their intervals: the lineage."""
    records = read_records(workspace.files)
    cells = [lineage_cells(record, record.spec.version == incumbent(records)) for record in records]
    rows: list[dict[str, Any]] = [dict(zip(LINEAGE_COLUMNS, (one.plain for one in row), strict=True)) for row in cells]
    key = _key(workspace, "scores")
    await _try(acreate_table_artifact(rows, key=key, description="Scores with intervals"))


async def publish_text(workspace: Workspace, key: Sequence[str], title: str, text: str) -> None:
    """Show a text in Markdown."""
    await _try(acreate_markdown_artifact(text, key=_key(workspace, *key), description=title))


async def _try(made: Awaitable[Any]) -> None:
    try:
        await made
    except (PrefectException, httpx.HTTPError) as error:
        progress().line(f"Prefect took no artifact: {' '.join(str(error).split())[:200]}")


def _key(workspace: Workspace, *parts: str) -> str:
    """Return an artifact's key: lower-case letters, digits and dashes."""
    return "-".join([workspace.name.replace("_", "-"), *parts])
