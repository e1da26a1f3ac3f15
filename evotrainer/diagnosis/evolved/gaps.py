"""Gaps: what the harness cannot explain in the evidence.

    unexplained_score    the score changed significantly against the incumbent and no finding explains it
    failed_prediction    a prediction missed its direction and its own interval, without a side effect

Both belong to a version and need its verdict. A finding explains no change of the score if it restates the fall
(RESTATES_SCORE), is about the trainer agent or the problem files, or reports a failed diagnostic.
"""

from collections.abc import Iterator, Sequence

from evotrainer.config.interventions import holds
from evotrainer.diagnosis import evaluator_audit, trainer_audit
from evotrainer.diagnosis.context import PLUGIN_FAILURE, rounded
from evotrainer.records import LOST_ATTEMPTS, Comparison, Finding, Gap, HarnessReport, Intervention, Verdict

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
    """Return the gaps that a version's verdict adds to its audit; `before` are the findings on its incumbent.

    None where a score is invalid: there is no change to explain.
    """
    is_doubted = any(finding.severity == "invalid" for finding in report.findings)
    if not verdict.comparisons or is_doubted or verdict.label == LOST_ATTEMPTS:
        return []
    seen = (_modes(report.findings) - _modes(before)) | _broken(report, verdict, intervention)
    gone = _modes(before) - _modes(report.findings)
    against = verdict.comparisons[0]
    gaps = list(_unexplained(report.version, against, verdict, intervention, seen, gone))
    gaps += _failed(report.version, verdict, intervention, seen)
    return gaps


def _modes(findings: Sequence[Finding]) -> set[str]:
    about_policy = (finding for finding in findings if finding.diagnostic not in _NOT_OF_POLICY)
    severe = {finding.mode for finding in about_policy if finding.severity in _SEVERE}
    return severe - RESTATES_SCORE - {PLUGIN_FAILURE}


def _movement(against: Comparison) -> int:
    return 1 if against.low > 0 else -1 if against.high < 0 else 0


def _broken(report: HarnessReport, verdict: Verdict, intervention: Intervention | None) -> set[str]:
    """Return the metrics of side-effect limits and negative controls that do not hold."""
    if intervention is None:
        return set()
    conditions = [*intervention.limits, *intervention.negative_controls]
    return {condition.metric for condition in conditions if holds(condition, dict(report.metrics)) is False}


def _unexplained(
    version: str,
    against: Comparison,
    verdict: Verdict,
    intervention: Intervention | None,
    seen: set[str],
    gone: set[str],
) -> Iterator[Gap]:
    """Yield the gap of a score that moved.

    A new finding explains a fall. A hypothesis that came true, or a finding that is gone, explains a rise. The first
    trained version needs no explanation for a rise above the base policy.
    """
    moved = _movement(against)
    is_expected = intervention is None or verdict.prediction_hit is True
    if moved == 0 or (moved < 0 and seen) or (moved > 0 and (is_expected or gone)):
        return
    word = "rose" if moved > 0 else "fell"
    yield Gap(
        kind="unexplained_score",
        version=version,
        message=f"the score {word} by {abs(against.difference):.4f} against {against.against} and no finding explains "
        "it",
        numbers={"difference": rounded(against.difference), "low": rounded(against.low), "high": rounded(against.high)},
    )


def _failed(version: str, verdict: Verdict, intervention: Intervention | None, seen: set[str]) -> Iterator[Gap]:
    observed = verdict.prediction_observed
    if intervention is None or observed is None or verdict.prediction_hit is not False or seen:
        return
    claimed = intervention.prediction
    if claimed.low <= observed <= claimed.high:
        return
    yield Gap(
        kind="failed_prediction",
        version=version,
        modes=[mode for mode in intervention.evidence if ":" not in mode],
        message=f"{claimed.metric} was predicted to change by {claimed.size:+.4g} [{claimed.low:.4g}, "
        f"{claimed.high:.4g}], it changed by {observed:+.4g}, without a side effect",
        numbers={"predicted": rounded(claimed.size), "observed": rounded(observed)},
    )
