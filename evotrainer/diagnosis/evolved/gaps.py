"""Gaps: scores that changed significantly against the incumbent and that no finding explains.

A finding explains no change of the score if it restates the fall (RESTATES_SCORE), is about the trainer agent or the
problem files, or reports a failed diagnostic.
"""

from collections.abc import Sequence

from evotrainer.config.interventions import holds
from evotrainer.diagnosis import evaluator_audit, trainer_audit
from evotrainer.diagnosis.context import PLUGIN_FAILURE, rounded
from evotrainer.records import LOST_ATTEMPTS, Finding, Gap, HarnessReport, Intervention, Verdict

RESTATES_SCORE = frozenset({"score_decline"})
"""Modes that restate a change of the score and do not explain it."""
_SEVERE = ("warning", "critical", "invalid")
_NOT_OF_POLICY = (trainer_audit.DIAGNOSTIC, evaluator_audit.DIAGNOSTIC)


def explained(
    report: HarnessReport, verdict: Verdict, intervention: Intervention | None, before: Sequence[Finding]
) -> HarnessReport:
    """Return an audit with the gaps of its verdict; `before` are the findings on its incumbent."""
    return report.model_copy(update={"gaps": version_gaps(report, verdict, intervention, before)})


def version_gaps(
    report: HarnessReport, verdict: Verdict, intervention: Intervention | None, before: Sequence[Finding]
) -> list[Gap]:
    """Return the gap of a score that moved, or none; `before` are the findings on its incumbent.

    A new finding explains a fall. A hypothesis that came true, or a finding that is gone, explains a rise. The first
    trained version needs no explanation for a rise above the base policy. An invalid score is no change to explain.
    """
    is_doubted = any(finding.severity == "invalid" for finding in report.findings)
    if not verdict.comparisons or is_doubted or verdict.label == LOST_ATTEMPTS:
        return []
    seen = (_modes(report.findings) - _modes(before)) | _broken(report, verdict, intervention)
    gone = _modes(before) - _modes(report.findings)
    against = verdict.comparisons[0]
    moved = 1 if against.low > 0 else -1 if against.high < 0 else 0
    is_expected = intervention is None or verdict.prediction_hit is True
    if moved == 0 or (moved < 0 and seen) or (moved > 0 and (is_expected or gone)):
        return []
    what = f"the score {'rose' if moved > 0 else 'fell'} by {abs(against.difference):.4f} against {against.against}"
    numbers = {name: rounded(getattr(against, name)) for name in ("difference", "low", "high")}
    return [Gap(version=report.version, message=f"{what} and no finding explains it", numbers=numbers)]


def _modes(findings: Sequence[Finding]) -> set[str]:
    about_policy = (finding for finding in findings if finding.diagnostic not in _NOT_OF_POLICY)
    severe = {finding.mode for finding in about_policy if finding.severity in _SEVERE}
    return severe - RESTATES_SCORE - {PLUGIN_FAILURE}


def _broken(report: HarnessReport, verdict: Verdict, intervention: Intervention | None) -> set[str]:
    """Return the metrics of side-effect limits and negative controls that do not hold."""
    if intervention is None:
        return set()
    conditions = [*intervention.limits, *intervention.negative_controls]
    return {condition.metric for condition in conditions if holds(condition, dict(report.metrics)) is False}
