"""Tables for the terminal and for Prefect: the lineage, how predictions came true."""

from collections.abc import Sequence

from rich.table import Table
from rich.text import Text

from evotrainer.campaign.lineage import incumbent
from evotrainer.campaign.trials import Skill
from evotrainer.campaign.untrusted import escape
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.promotion.measures import MEASURES
from evotrainer.promotion.verdict_text import recipe_label
from evotrainer.records import VersionRecord
from evotrainer.report.words import change_text, measured

OUTCOME_STYLES = {
    "promoted": "bold green",
    "kept": "cyan",
    "rejected": "red",
    "invalid": "bold magenta",
    "inconclusive": "yellow",
    "failed": "bold red",
}


SKILL_COLUMNS = ["author", "predictions", "right sign", "95% interval", "slope", "bias", "Brier", "reference", "gap"]


def skill_row(skill: Skill, least: float = LIMITS.min_predictions) -> list[str]:
    """Return how one author's predictions came true, as cells; of fewer than `least`, no calibration."""
    right = "-" if skill.accuracy is None else f"{skill.accuracy:.1%} ({skill.hits} of {skill.decided})"
    interval = f"[{skill.low:.1%}, {skill.high:.1%}]" if skill.decided else "-"
    numbers = (skill.slope, skill.bias, skill.brier, skill.reference, skill.gap)
    return [
        skill.author,
        str(skill.predictions),
        right,
        interval,
        *("-" if value is None or skill.predictions < least else f"{value:.4g}" for value in numbers),
    ]


LINEAGE_COLUMNS = ("version", "from", "change", "score", "greedy", "interval", "against incumbent", "verdict", "recipe")
NARROW_COLUMNS = ("version", "score", "against incumbent", "verdict", "change")
WIDE = 140
"""Columns of a terminal from which on all is shown; below, what a decision rests on."""


def lineage_table(records: Sequence[VersionRecord], width: int = WIDE, last: int = 0) -> Table:
    """Return one row a version: place, change, score, difference to its incumbent, verdict; the harness, if revised.

    A terminal narrower than WIDE gets version, score, difference, verdict and change, in 80 columns. `last` is how many
    versions are shown, counted from the end; 0 for all.
    """
    best, records, is_wide = incumbent(records), records[-last:], width >= WIDE
    is_revised = any(record.spec.harness_revision for record in records)
    names = [*LINEAGE_COLUMNS, *(["harness"] if is_revised else [])] if is_wide else NARROW_COLUMNS
    table = Table(box=None, header_style="dim", pad_edge=False, padding=(0, 2, 0, 0))
    for name in names:
        is_number = name in ("score", "greedy")
        title = name if is_wide else name.split(" ")[0]
        table.add_column(title, justify="right" if is_number else "left", no_wrap=name != "change")
    for record in records:
        found = lineage_cells(record, record.spec.version == best)
        cells: dict[str, Text] = dict(zip(LINEAGE_COLUMNS, found, strict=True))
        cells["harness"] = Text(record.spec.harness_revision or "-", style="dim")
        if not is_wide:
            cells |= {name: Text(cells[name].plain.split(" ")[0]) for name in ("score", "against incumbent")}
        table.add_row(*[cells[name] for name in names])
    return table


def lineage_cells(record: VersionRecord, is_incumbent: bool) -> list[Text]:
    """Return a version in the columns of the lineage."""
    verdict = record.verdict
    name = f"{record.spec.version} ★" if is_incumbent else record.spec.version
    outcome = f"{verdict.outcome} ({verdict.label})" if verdict.label else verdict.outcome
    return [
        Text(name, style="bold" if is_incumbent else ""),
        Text("+".join(record.spec.parents) or "-", style="dim"),
        Text(escape(change_text(record))),
        Text(_score(record)),
        Text("-" if verdict.greedy_score is None else f"{verdict.greedy_score:.4f}"),
        Text(_interval(verdict.score_low, verdict.score_high), style="dim"),
        Text(_against(record)),
        Text(outcome, style=OUTCOME_STYLES[verdict.outcome]),
        Text(recipe_label(record) or "-", style="" if record.confirmation else "dim"),
    ]


def _score(record: VersionRecord) -> str:
    """The score as evaluated, and beside it the one under stricter access where a leak made it be scored again."""
    score, honest = record.verdict.score, record.honest_score
    if score is None or honest is None:
        return "-"
    return f"{score:.4f}" if honest == score else f"{score:.4f} (honest {honest:.4f})"


def _interval(low: float | None, high: float | None) -> str:
    return "-" if low is None or high is None else f"[{low:.4f}, {high:.4f}]"


def _against(record: VersionRecord) -> str:
    """The difference that the verdict rests on: of fresh rows where the gate drew any, else of the screening rows."""
    gate = record.verdict.gate
    if gate is not None and gate.estimate is not None:
        how = "fresh" if gate.measure == "mean" else MEASURES[gate.measure].words
        return f"{gate.estimate:+.4f} [{gate.low:+.4f}, {gate.high:+.4f}] {gate.against} {how}"
    if not record.verdict.comparisons:
        return "-"
    found = record.verdict.comparisons[0]
    return f"{measured(found)}{found.difference:+.4f} [{found.low:+.4f}, {found.high:+.4f}] {found.against}"
