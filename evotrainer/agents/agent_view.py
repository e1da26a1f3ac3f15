"""What of the lineage a trainer agent may see: of validation, score and interval, nothing else.

The audit of a version reads validation rows too (was an answer graded twice and differently, do rows fail with the
wall clock, has the policy memorised its problems). Judges need that; an agent that proposes from it would choose on
what it is judged by.
"""

from collections.abc import Sequence
from typing import Any

from evotrainer.evidence.visibility import OWN_PREFIX, is_hidden, rests_on_validation
from evotrainer.promotion.verdict_text import describe_limit
from evotrainer.records import Confirmation, HarnessReport, Verdict, VersionRecord


def agent_view(records: Sequence[VersionRecord]) -> list[VersionRecord]:
    """Return the records without what rests on validation rows."""
    return [_visible(record) for record in records]


def agent_report(report: HarnessReport) -> HarnessReport:
    """Return the report on a rollout without what a diagnostic says from stored rows beside it."""
    metrics = {name: value for name, value in report.metrics.items() if not name.startswith(OWN_PREFIX)}
    findings = [found for found in report.findings if not rests_on_validation(found)]
    return report.model_copy(update={"metrics": metrics, "findings": findings})


def _visible(record: VersionRecord) -> VersionRecord:
    metrics = {name: value for name, value in record.metrics.items() if not is_hidden(name)}
    findings = [found for found in record.findings if not rests_on_validation(found)]
    verdict = record.verdict.model_copy(update={"greedy_score": None, **_without_limits(record.verdict)})
    return record.model_copy(
        update={"metrics": metrics, "findings": findings, "verdict": verdict, "confirmation": _confirmed(record)}
    )


def _confirmed(record: VersionRecord) -> Confirmation | None:
    """Return the confirmation without metrics that rest on validation rows, and without the sentences that tell them.

    Other metrics over seeds are read from their training.
    """
    if record.confirmation is None:
        return None
    found = record.confirmation
    shown = found.prediction if found.prediction and not is_hidden(found.prediction.metric) else None
    controls = tuple(each for each in found.controls if not is_hidden(each.metric))
    return found.model_copy(update={"prediction": shown, "controls": controls, "reasons": []})


def _without_limits(verdict: Verdict) -> dict[str, Any]:
    """Return gate and reasons without the rates of fresh validation rows, by which side-effect limits are judged."""
    if verdict.gate is None:
        return {}
    limits = {describe_limit(limit) for limit in verdict.gate.limits}
    return {
        "gate": verdict.gate.model_copy(update={"limits": ()}),
        "reasons": [reason for reason in verdict.reasons if reason not in limits],
    }
