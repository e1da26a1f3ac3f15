"""Grades that change: rows of an evaluation that the grader graded twice, differently (domains/regrading.py)."""

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.domains.regrading import Regrading
from evotrainer.records import Finding

MODE = "flaky_grading"
DIAGNOSTIC = "regrading"


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return what grading a sample of rows again showed."""
    if context.regraded is None:
        return Diagnosis()
    found = finding_of(context.regraded, context.version, context.thresholds)
    return Diagnosis(context.regraded.metrics, [found] if found else [])


def finding_of(regrading: Regrading, version: str, limits: Thresholds) -> Finding | None:
    """Return the finding of grades that changed: critical where their share exceeds the limit beyond chance."""
    if not regrading.changed:
        return None
    count, total = len(regrading.changed), regrading.num_rows
    is_many = significantly_above(count, total, limits.flaky_answers, limits.limit_alpha)
    return Finding(
        mode=MODE,
        severity="critical" if is_many else "warning",
        diagnostic=DIAGNOSTIC,
        version=version,
        message=f"{count} of {total} rows got another grade when they were graded again",
        numbers={"changed": count, "regraded": total},
        thresholds={"flaky_answers": limits.flaky_answers, "limit_alpha": limits.limit_alpha},
        trajectory_ids=list(regrading.changed[:20]),
    )
