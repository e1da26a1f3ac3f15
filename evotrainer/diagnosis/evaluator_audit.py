"""Audit of the evaluator: problems that are judged on and trained on too, and grades that change.

Problem files are compared with each other, which finds what rows cannot show: near-duplicates under other ids, problems
that demonstrations solved, texts inside texts. The check runs once, with the evaluation of the base policy. The audit
of every version repeats its findings, so an `invalid` one keeps all versions from promotion. (Problem ids that stand in
both splits of stored rows are found by harness_plugins/integrity/cheats.py.)

A sample of evaluation rows is graded a second time (domains/regrading.py). Grades that change are noise in all scores.
"""

from collections.abc import Sequence

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import significantly_above
from evotrainer.domains.problem_sets.overlap import DEMONSTRATED, Overlap, ProblemCheck
from evotrainer.domains.regrading import Regrading
from evotrainer.records import Finding, Severity

MODE = "contamination"
DIAGNOSTIC = "problem_files"
MAX_NAMED = 3


def diagnose(context: Context) -> Diagnosis:
    """Return the findings of the check of the problem files, from this version or the record of the base policy.

    Trained problems are invalid from the share `contaminated_problems` of a held split on, critical below it. All
    versions start from the same demonstrations, so these change scores and hardly differences: critical where they are
    significantly above that share, else a warning. Texts inside others are an info, for a person to judge.
    """
    check = context.problems
    if check is None:
        return Diagnosis(findings=_inherited(context))
    same = [each for each in check.overlaps if each.is_same]
    trained = [each for each in same if each.source != DEMONSTRATED]
    shown = [each for each in same if each.source == DEMONSTRATED]
    inside = [each for each in check.overlaps if not each.is_same]
    limit, alpha = LIMITS.contaminated_problems, LIMITS.limit_alpha
    is_invalid = any(count >= limit * total for count, total in check.by_split(trained).values())
    is_critical = any(
        significantly_above(count, total, limit, alpha) for count, total in check.by_split(shown).values()
    )
    kinds: list[tuple[list[Overlap], Severity, str]] = [
        (trained, "invalid" if is_invalid else "critical", "are trained on too"),
        (shown, "critical" if is_critical else "warning", "were demonstrated to the base policy"),
        (inside, "info", "stand inside problems that are trained on"),
    ]
    found = [_finding(context, check, overlaps, severity, what) for overlaps, severity, what in kinds if overlaps]
    return Diagnosis(check.metrics, found)


def _finding(
    context: Context, check: ProblemCheck, overlaps: Sequence[Overlap], severity: Severity, what: str
) -> Finding:
    named = "; ".join(
        f"{each.problem_id} ({each.split}) and {each.other} ({each.source}): {each.kind}"
        for each in overlaps[:MAX_NAMED]
    )
    counts = check.by_split(overlaps)
    worst = max(counts, key=lambda split: counts[split][0] / counts[split][1])
    known, of_all = counts[worst]
    message = (
        f"{len(overlaps)} of {sum(check.num_held.values())} problems that are judged on {what} (largest share: {known} "
        f"of {of_all} of {worst}): {named}"
    )
    numbers = {"problems": len(overlaps), "share": known / of_all}
    return context.finding(MODE, severity, message, numbers)


def _inherited(context: Context) -> list[Finding]:
    """Return what the check of the campaign's problem files found, as it stands in the record of the base policy."""
    records = context.lineage.records if context.lineage is not None else ()
    found = [finding for record in records if record.spec.kind == "base" for finding in record.findings]
    return [
        finding.model_copy(update={"version": context.version}) for finding in found if finding.diagnostic == DIAGNOSTIC
    ]


def finding_of(regrading: Regrading, version: str) -> Finding | None:
    """Return the finding of grades that changed: critical where their share is significantly above the limit."""
    if not regrading.changed:
        return None
    count, total = len(regrading.changed), regrading.num_rows
    is_many = significantly_above(count, total, LIMITS.flaky_answers, LIMITS.limit_alpha)
    return Finding(
        mode="flaky_grading",
        severity="critical" if is_many else "warning",
        diagnostic="regrading",
        version=version,
        message=f"{count} of {total} rows got another grade when they were graded again (limit "
        f"{LIMITS.flaky_answers:.0%}): make the grader deterministic",
        numbers={"changed": count, "regraded": total},
        trajectory_ids=list(regrading.changed[:20]),
    )
