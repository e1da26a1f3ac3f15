"""Rows of any system: read as columns, judged by the plugins for any rows, told in few lines."""

import hashlib
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path

import numpy as np

from evotrainer.config import content_hash
from evotrainer.diagnosis import checks as engine
from evotrainer.diagnosis.checks import Check
from evotrainer.diagnosis.conditions import Conditions, Evidence
from evotrainer.diagnosis.judgement import Plugin, judge
from evotrainer.diagnosis.reading import derived
from evotrainer.evidence.foreign.reading import ForeignRows, read_foreign_rows
from evotrainer.records import HarnessReport
from evotrainer.records.base import count_of

ANY_ROWS = ("ledger", "grader", "columns", "conduct", "hygiene", "degeneration", "environment")
"""Modules of harness_plugins/ that judge rows of any system."""
_FIRST = ("problem_id", "group_id", "gold", "answer", "reward", "correct", "in_loss", "step")
"""Columns that a wrong guess of spoils most."""
MAX_ROLES = 10
"""Columns that the overview names."""


def read_evidence(
    path: Path, source: str = "", columns: Mapping[str, str] | None = None
) -> tuple[ForeignRows, Evidence]:
    """Return the rows of a file, a folder or a pattern, and the same with all derived columns as evidence.

    Raises:
        EvidenceError: nothing there can be read as rows.

    """
    foreign = read_foreign_rows(path, source, columns)
    return foreign, with_derived(foreign)


def with_derived(foreign: ForeignRows) -> Evidence:
    """Return rows that were read with all derived columns beside, as evidence."""
    table = derived(foreign.rows.table, foreign.messages)
    versions = sorted(set(table["version"].to_pylist()))
    version = str(versions[0]) if len(versions) == 1 else "several"
    return Evidence(Conditions({"attempts": table, "messages": foreign.messages}), version)


def diagnosed(foreign: ForeignRows, evidence: Evidence, own: Sequence[Check] = ()) -> HarnessReport:
    """Return the report on rows that were read."""
    modules = {name: import_module(f"harness_plugins.{name}") for name in ANY_ROWS}
    plugins: dict[str, Plugin] = modules  # type: ignore[assignment]  # a module has the attributes of the protocol
    found = judge(evidence, plugins, own)
    sources = {name: _digest(module.__file__) for name, module in modules.items()} | {"": _digest(engine.__file__)}
    return HarnessReport(
        version=evidence.version,
        harness_version=content_hash({"sources": sources, "own": [repr(check) for check in own]}),
        metrics=_metrics(evidence),
        findings=found.findings,
        looked_for=found.looked_for,
        unjudged=found.unjudged,
        overview=_overview(foreign, evidence),
    )


def _digest(file: str | None) -> str:
    return hashlib.sha256(Path(str(file)).read_bytes()).hexdigest()


def _metrics(evidence: Evidence) -> dict[str, float]:
    """Return means of what is known, and of nothing else: a zero that stands for an unknown is no metric."""
    names = ("reward", "correct", "advantage", "num_tokens", "num_turns", "chars", "calls", "replies")
    shares = ("is_truncated", "is_unfinished", "is_blank", "ends_in_call", "failed_replies", "is_marked", "format_ok")
    found: dict[str, float] = {}
    for name in (*names, *shares):
        values = evidence.numbers(name) if name in evidence.table.column_names else np.zeros(0)
        known = values[np.isfinite(values)]
        if len(known) and (known != 0).any():
            found[f"mean_{name}" if name in names else f"share_{name}"] = float(
                (known > 0).mean() if name in shares else known.mean()
            )
    return {name: float(f"{value:.6g}") for name, value in found.items()}


def _overview(foreign: ForeignRows, evidence: Evidence) -> list[str]:
    """Return what a person checks first: sizes, rewards, and which column was taken as what."""
    problems = len(np.unique(evidence.problem))
    steps = len(np.unique(evidence.step[np.isfinite(evidence.step)]))
    known = evidence.reward[np.isfinite(evidence.reward)]
    size = f"{count_of(evidence.num_rows, 'attempt')} at {count_of(problems, 'problem')}"
    lines = [f"{size} ({evidence.num_rows / max(problems, 1):.3g} each), {count_of(steps, 'step')}"]
    if len(known):
        at = {value: float((known == value).mean()) for value in (0.0, 1.0)}
        lines[0] += f"; reward {known.mean():.3g} on average, {at[0.0]:.0%} at 0, {at[1.0]:.0%} at 1"
    else:
        lines[0] += "; no reward"
    order = [
        *(name for name in _FIRST if name in foreign.roles),
        *(name for name in foreign.roles if name not in _FIRST),
    ]
    roles = [f"{ours} = {foreign.roles[ours]}" for ours in order if foreign.roles[ours]][:MAX_ROLES]
    lines += [f"taken as: {', '.join(roles)}"] if roles else []
    lines += [" ".join(note.split()) for note in foreign.notes]
    return lines
