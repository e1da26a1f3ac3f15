"""Grades that change: a sample of evaluation rows is graded a second time (domains/regrading.py)."""

from evotrainer.diagnosis.context import significantly_above
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.domains.regrading import Regrading
from evotrainer.records import Finding

MODE = "flaky_grading"
DIAGNOSTIC = "regrading"


def finding_of(regrading: Regrading, version: str, limits: Thresholds) -> Finding | None:
    """Return the finding of grades that changed: critical where their share is significantly above the limit."""
    if not regrading.changed:
        return None
    count, total = len(regrading.changed), regrading.num_rows
    is_many = significantly_above(count, total, limits.flaky_answers, limits.limit_alpha)
    return Finding(
        mode=MODE,
        severity="critical" if is_many else "warning",
        diagnostic=DIAGNOSTIC,
        version=version,
        message=f"{count} of {total} rows got another grade when they were graded again (limit "
        f"{limits.flaky_answers:.0%}): make the grader deterministic",
        numbers={"changed": count, "regraded": total},
        thresholds={"flaky_answers": limits.flaky_answers, "limit_alpha": limits.limit_alpha},
        trajectory_ids=list(regrading.changed[:20]),
    )
