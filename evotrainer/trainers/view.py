"""What of the lineage a trainer agent may see: of validation, score and interval, nothing else.

The audit of a version reads validation rows too (was an answer graded twice and differently, do rows fail with the
wall clock, has the policy memorised its problems). Judges need that; an agent that proposes from it would choose on
what it is judged by.
"""

from collections.abc import Sequence

from evotrainer.records import Finding, VersionRecord

VALIDATION_METRICS = frozenset({"greedy_score", "error_share", "train_validation_gap"})
"""Metrics of a version, besides score and its intervals, that are read from validation rows."""

_VALIDATION_ROW = ".validation."


def agent_view(records: Sequence[VersionRecord]) -> list[VersionRecord]:
    """Return the records without what rests on validation rows."""
    return [_visible(record) for record in records]


def _visible(record: VersionRecord) -> VersionRecord:
    metrics = {name: value for name, value in record.metrics.items() if name not in VALIDATION_METRICS}
    findings = [found for found in record.findings if not _rests_on_validation(found)]
    verdict = record.verdict.model_copy(update={"greedy_score": None})
    return record.model_copy(update={"metrics": metrics, "findings": findings, "verdict": verdict})


def _rests_on_validation(finding: Finding) -> bool:
    return finding.diagnostic in VALIDATION_METRICS or any(_VALIDATION_ROW in row for row in finding.trajectory_ids)
