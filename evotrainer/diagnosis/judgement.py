"""One set of evidence under all checks: findings in order, one cause one finding, and what could not be judged.

A plugin is a module with `CHECKS`, and `findings(evidence)` for what is no share. One that raises becomes a finding of
its own and does not affect the others. A finding whose attempts another, worse one holds already follows from it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import pandas as pd
import pyarrow as pa

from evotrainer.diagnosis.checks import Check, run_checks
from evotrainer.diagnosis.conditions import Conditions, Evidence
from evotrainer.diagnosis.context import MAX_FAILURE_CHARS, PLUGIN_FAILURE
from evotrainer.diagnosis.reading import RECORDED, SOURCES, UNREAD
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding, Unjudged

SEVERITIES = ("invalid", "critical", "warning", "info")
"""From worst to mildest."""

EFFECTS = frozenset(
    {
        "action_collapse",
        "dead_groups",
        "echo_trap",
        "entropy_collapse",
        "failed_edits",
        "few_edits",
        "length_gaming",
        "low_edit_coverage",
        "low_reward_spread",
        "low_search_before_edit",
        "low_self_test_rate",
        "over_filtering",
        "score_decline",
        "stagnation",
        "template_collapse",
        "timidity",
        "truncation",
        "weak_family",
    }
)
"""Modes that say what became of a policy or its score, which many faults bring about."""

OWN = "own checks"
"""The diagnostic of a finding of a person's own check."""
HELD = 0.8
"""Share of a finding's attempts that its cause holds."""
MOST = 0.95
"""Share of all attempts beyond which a finding explains effects alone, and none as bad: it would explain each."""


class Plugin(Protocol):
    """A module that judges rows of any system; it may have a function `findings` too, for what is no share."""

    CHECKS: Sequence[Check]


@dataclass(frozen=True)
class Judgement:
    """What was found, what was looked for, and what could not be."""

    findings: list[Finding]
    looked_for: list[str]
    unjudged: list[Unjudged]


def judge(evidence: Evidence, plugins: Mapping[str, Plugin], own: Sequence[Check] = ()) -> Judgement:
    """Return what all plugins and a person's own checks come to."""
    named = [(name, check) for name, plugin in plugins.items() for check in plugin.CHECKS]
    named += [(OWN, check) for check in own]
    findings: list[Finding] = []
    unjudged: list[Unjudged] = []
    modes = {check.mode for _, check in named}
    for (name, _), verdict in zip(named, run_checks([check for _, check in named], evidence), strict=True):
        if verdict.finding is not None:
            findings.append(verdict.finding.model_copy(update={"diagnostic": name}))
        if verdict.unjudged is not None:
            needed = list(dict.fromkeys(_source(one, evidence) for one in verdict.unjudged.missing))
            unjudged.append(verdict.unjudged.model_copy(update={"diagnostic": name, "missing": needed}))
    for name, plugin in plugins.items():
        for one in _asked(name, plugin, evidence):
            kept = findings if isinstance(one, Finding) else unjudged
            kept.append(one.model_copy(update={"diagnostic": name}))  # type: ignore[arg-type]  # of its own kind
    found = {one.mode for one in findings}
    lacking = [one for one in _each_once(unjudged) if one.mode not in found]
    seen = sorted((modes | found) - {one.mode for one in lacking})
    widest = sorted(findings, key=lambda one: -len(evidence.places.get(one.message, ())))
    return Judgement(in_order(under_causes(widest, evidence)), seen, lacking)


def _source(column: str, evidence: Evidence) -> str:
    """Return what a person records so that a column is known; of what is recorded, why it says nothing."""
    source = SOURCES.get(column, column)
    return UNREAD if evidence.conditions.is_known(RECORDED.get(source, "")) else source


def evidence_of(rows: Frame, version: str = "") -> Evidence:
    """Return the frame of a campaign's rows as evidence that checks judge."""
    plain = rows.assign(problem=pd.factorize(rows["problem_id"])[0])
    return Evidence(Conditions({"attempts": pa.Table.from_pandas(plain, preserve_index=False)}), version)


def in_order(findings: Sequence[Finding]) -> list[Finding]:
    """Return findings sorted: the worst first; of equals, those that name a cause before effects.

    `invalid` findings precede all others: conclusions from a false score need not be read. One fault has many effects:
    a tool that fails lowers the score, shortens attempts and makes them alike.
    """

    def key(one: Finding) -> tuple[int, bool, str, str, str]:
        return SEVERITIES.index(one.severity), one.mode in EFFECTS, one.mode, one.diagnostic, one.message

    return sorted(findings, key=key)


def under_causes(findings: Sequence[Finding], evidence: Evidence) -> list[Finding]:
    """Return one finding a mode, and under each cause what follows from it."""
    kept: list[Finding] = []
    for one in sorted(findings, key=lambda one: SEVERITIES.index(one.severity)):
        same = next((other for other in kept if other.mode == one.mode), None)
        cause = same or next((other for other in kept if _explains(other, one, evidence)), None)
        if same is not None and same.follows_from:
            continue
        kept.append(one if cause is None else one.model_copy(update={"follows_from": cause.follows_from or cause.mode}))
    return kept


def _explains(cause: Finding, other: Finding, evidence: Evidence) -> bool:
    worse = SEVERITIES.index(other.severity) - SEVERITIES.index(cause.severity)
    is_weak = worse == 0 and other.severity == "warning"
    held = evidence.places.get(cause.message, np.zeros(0, np.int64))
    is_wide = len(held) > MOST * evidence.num_rows
    if cause.follows_from or worse < 0 or (is_weak and is_wide):
        return False
    if (is_weak or is_wide) and other.mode not in EFFECTS:
        return False
    of = evidence.places.get(other.message, np.zeros(0, np.int64))
    return len(of) > 0 and float(np.isin(of, held).mean()) >= HELD


def _asked(name: str, plugin: Plugin, evidence: Evidence) -> list[Finding | Unjudged]:
    find: Callable[[Evidence], Iterable[Finding | Unjudged]] = getattr(plugin, "findings", lambda _: [])
    try:
        return list(find(evidence))
    except Exception as error:  # one plugin's mistake must not hide what the others find
        reason = f"{name} could not judge these rows: {type(error).__name__}: {error}"
        return [evidence.finding(PLUGIN_FAILURE, "warning", reason[:MAX_FAILURE_CHARS], {}, np.zeros(0, np.int64))]


def _each_once(unjudged: Iterable[Unjudged]) -> list[Unjudged]:
    found: dict[tuple[str, tuple[str, ...]], Unjudged] = {}
    for one in unjudged:
        found.setdefault((one.mode, tuple(one.missing)), one)
    return list(found.values())
