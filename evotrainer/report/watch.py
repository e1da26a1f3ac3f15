"""`evotrainer watch`: a campaign in the terminal, drawn anew every two seconds until it ends."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.rule import Rule
from rich.table import Table
from rich.text import Text

from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import StoredVersion, read_records, stored_certificate
from evotrainer.report.decision import certified
from evotrainer.report.inert import inert
from evotrainer.report.running import LiveState, RunningStage, live_state
from evotrainer.report.tables import lineage_table

INTERVAL_SECONDS = 2.0
BARS = "▁▂▃▄▅▆▇█"
CURVES = ("reward", "entropy")
SPARK_WIDTH = 36
MAX_VERSIONS, MAX_FINDINGS = 12, 5
SEVERITY_STYLES = {"invalid": "bold magenta", "critical": "bold red", "warning": "yellow", "info": "dim"}


def watch(
    files: CampaignFiles, console: Console, check: Callable[[], None], pause: Callable[[float], None] = time.sleep
) -> None:
    """Show a campaign until it ends; in a pipe, or where it does not run, once.

    `check` raises where a result is not as it was recorded; each picture is drawn after it.
    """
    state = live_state(files)
    if not console.is_terminal or not state.is_running:
        console.print(frame(files, state, console.width))
        return
    with Live(frame(files, state, console.width), console=console, auto_refresh=False) as live:
        while state.is_running:
            pause(INTERVAL_SECONDS)
            state = live_state(files)
            check()
            live.update(frame(files, state, console.width), refresh=True)


def frame(files: CampaignFiles, state: LiveState, width: int) -> RenderableType:
    """Return one picture of a campaign, at most `width` columns wide."""
    records = read_records(files)
    parts: list[RenderableType] = [Rule(f"{files.root.name}: {state.told}", style="dim", align="left")]
    parts += [_stage(stage, width) for stage in state.stages]
    if records:
        parts += [Text(), lineage_table(records, width, last=MAX_VERSIONS)]
    certificate = stored_certificate(files).find()
    if certificate is not None:
        parts += [Text(), Text(f"certificate: {certified(certificate)}")]
    parts += _findings(files)
    return Group(*parts)


def _stage(stage: RunningStage, width: int) -> RenderableType:
    head = Text.assemble((f"{stage.subject} {stage.stage}", "bold"), f"  {stage.seconds:.0f} s  ")
    head.append(inert(stage.line), style="dim")
    head.truncate(width, overflow="ellipsis")
    return Group(head, _curves(stage)) if stage.signals else head


def _curves(stage: RunningStage) -> Table:
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 1))
    for name in CURVES:
        values = [row[name] for row in stage.signals if name in row]
        if values:
            table.add_row(
                Text(f"  {name}", "dim"), sparkline(values, SPARK_WIDTH), f"{values[0]:.3f} → {values[-1]:.3f}"
            )
    if (speed := stage.tokens_per_second) is not None:
        table.add_row(Text("  tokens/s", "dim"), f"{speed:,.0f}", f"step {stage.signals[-1]['step']}")
    return table


def sparkline(values: Sequence[float], width: int) -> str:
    """Return a curve as one line of blocks; more values than columns are averaged."""
    size = max(1, -(-len(values) // width))
    means = [sum(part) / len(part) for start in range(0, len(values), size) if (part := values[start : start + size])]
    low, high = min(means), max(means)
    spread = (high - low) or 1.0
    return "".join(BARS[round((value - low) / spread * (len(BARS) - 1))] for value in means)


def _findings(files: CampaignFiles) -> list[RenderableType]:
    """Return the last findings: those of the newest version that was examined."""
    for name in reversed(files.version_names()):
        stored = StoredVersion(files.version(name))
        report = stored.audit.find() or stored.findings.find()
        if report is not None and report.findings:
            shown = [_finding(finding.model_dump()) for finding in report.findings[:MAX_FINDINGS]]
            return [Text(), Text(f"findings of {name}", "dim"), *shown]
    return []


def _finding(finding: Mapping[str, Any]) -> Text:
    style = SEVERITY_STYLES[finding["severity"]]
    return Text.assemble((f"{finding['severity']:<9}", style), f"{finding['mode']}: ", inert(finding["message"]))
