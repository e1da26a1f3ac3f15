"""What the Prefect UI shows: parameters of flows as typed forms, and artifacts, made from what stages have stored.

    version run    health report, diff, backtest, verdict            markdown, after their stages
    campaign run   score table with intervals
    reproduction   whether it agrees                                 flows/reproduce.py

An artifact is for looking at. A server that refuses one never stops a campaign. Keys carry the campaign's name, so that
the newest stands in the list of artifacts and earlier ones under it.

Help on a parameter stands in its flow's docstring. A choice that is left `as configured` takes what conf/ says, or what
the campaign that goes on was started with.
"""

from collections.abc import Awaitable, Sequence
from typing import Annotated, Any

import httpx
from prefect.artifacts import acreate_markdown_artifact, acreate_table_artifact
from prefect.exceptions import PrefectException
from pydantic import Field

from conf.compose import groups
from evotrainer.agents import AGENTS
from evotrainer.campaign.lineage import incumbent
from evotrainer.campaign.repository import read_records
from evotrainer.domains import DOMAINS
from evotrainer.report.gates import stage_report
from evotrainer.report.words import LINEAGE_COLUMNS, lineage_cells
from evotrainer.search import SEARCHES
from flows.workspace.worktree import Workspace
from tasks.running.progress import progress

AS_CONFIGURED = "as configured"
"""What the form shows for a setting that is left to conf/, or to the campaign that goes on."""


def _choice(*names: str) -> Any:
    return Field(json_schema_extra={"enum": [AS_CONFIGURED, *names]})


_GROUPS = groups()

Domain = Annotated[str, _choice(*DOMAINS)]
Policy = Annotated[str, _choice(*_GROUPS["policy"])]
Search = Annotated[str, _choice(*SEARCHES)]
Trainer = Annotated[str, _choice(*AGENTS)]
Compute = Annotated[str, _choice(*_GROUPS["budget"])]
Autonomy = Annotated[str, _choice(*_GROUPS["autonomy"])]
NumVersions = Annotated[int, Field(ge=0, le=999)]
Limit = Annotated[float, Field(ge=0, le=1_000_000_000)]
Count = Annotated[int, Field(ge=0)]
Until = Annotated[str, Field(pattern=r"^(|\d{1,2}:\d{2}|\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2})?)$")]
CampaignName = Annotated[str, Field(pattern=r"^[a-z0-9%][A-Za-z0-9%_-]{0,63}$")]
VersionName = Annotated[str, Field(pattern=r"^v\d{3}$")]
RecordedName = Annotated[str, Field(pattern=r"^(v\d{3}|certificate)$")]


def settings_of(chosen: dict[str, Any]) -> list[str]:
    """Return {key: value} of a form as overrides, without what was left as configured, empty or 0."""
    return [f"{key}={_quoted(value)}" for key, value in chosen.items() if value not in (AS_CONFIGURED, "", 0)]


def _quoted(value: Any) -> str:
    """Return a value as Hydra reads it: text that holds its signs in quotes."""
    return "'" + value.replace("'", "\\'") + "'" if isinstance(value, str) and not value.isidentifier() else str(value)


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
