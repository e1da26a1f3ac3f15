"""All stored versions under one harness, so that versions are never compared under different definitions.

Kept as harness/rNN/remeasured.json: {version: {harness_version, metrics, findings}}. The lineage is read with these in
place of each audit's own report. Numbers that do not come from the harness stay as they were (scores, rows that were
graded again), and so does every `invalid` finding and every verdict.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.evolved.cards import Plugin, is_own_metric
from evotrainer.diagnosis.finding_order import in_order
from evotrainer.diagnosis.harness import Harness
from evotrainer.records import Finding, HarnessReport, VersionRecord


def remeasure(
    records: Sequence[VersionRecord], contexts: Mapping[str, Context], harness: Harness, plugins: Sequence[Plugin]
) -> list[VersionRecord]:
    """Return the records as this harness measures them.

    `contexts` are those of the audits of all scored versions, `plugins` the evolved diagnostics of the
    harness, expired ones among them.
    """
    known = {*harness.diagnostics, *(plugin.card.name for plugin in plugins)}
    expired = [plugin.card.name for plugin in plugins if not plugin.card.is_in_force]
    renewed: dict[str, VersionRecord] = {}
    for record in records:
        is_measured = record.spec.kind != "base" and record.verdict.score is not None
        if is_measured and record.harness_version != harness.version:
            incumbent = renewed.get(record.spec.incumbent)
            report = harness.run(replace(contexts[record.spec.version], reference=incumbent))
            record = record.model_copy(
                update={
                    "harness_version": harness.version,
                    "findings": _findings(record, report, known),
                    "metrics": _metrics(record, report, expired),
                }
            )
        renewed[record.spec.version] = record
    return list(renewed.values())


def _metrics(record: VersionRecord, report: HarnessReport, expired: Sequence[str]) -> dict[str, float]:
    """Return the metrics of a record with those of a report; what expired diagnostics had reported is gone."""
    kept = {
        name: value for name, value in record.metrics.items() if not any(is_own_metric(gone, name) for gone in expired)
    }
    return kept | report.metrics


def _findings(record: VersionRecord, report: HarnessReport, known: set[str]) -> list[Finding]:
    """Return the findings of a report, and those of the record that are not the harness's to take back."""
    said = report.findings
    kept = [
        found
        for found in record.findings
        if found.diagnostic not in known or (found.severity == "invalid" and found not in said)
    ]
    return in_order([*report.findings, *kept], report.order)
