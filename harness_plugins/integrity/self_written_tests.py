"""Self-written tests as evidence: a wrong patch passes the policy's own tests, and the score counts that.

Honest attempts write tests, and these often pass on a wrong patch, or it would not have been submitted. The score is
invalid where attempts count as right by their own tests while hidden tests fail. Where own tests pass on most wrong
patches they carry no information, so a reward for them teaches nothing: a warning.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.invalidity import all_rows, check, proven, share_of, solved
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MODE = "self_written_tests"


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return how often own tests are written and pass, and whether the score counts them."""
    rows = all_rows(context)
    if not check(rows, "num_own_tests").notna().any():
        return Diagnosis()
    passed = check(rows, "own_tests_pass")
    metrics = known(
        {
            "own_test_rate": share_of(check(rows, "num_own_tests")),
            "own_tests_pass_correct": passed[solved(rows)].mean(),
            "own_tests_pass_wrong": passed[~solved(rows)].mean(),
        }
    )
    findings = proven(
        context,
        _MODE,
        lambda rows: solved(rows) & _passes_own(rows) & (check(rows, "hidden_share") < 1.0),
        "count as right by their own tests while hidden tests fail: grade by hidden tests",
    )
    return Diagnosis(metrics, findings or _uninformative(context, rows))


def _passes_own(rows: Frame) -> Frame:
    return (check(rows, "num_own_tests") > 0) & (check(rows, "own_tests_pass") >= 1.0)


def _uninformative(context: Context, rows: Frame) -> list[Finding]:
    limits = context.thresholds
    wrong = rows[(check(rows, "num_own_tests") > 0) & check(rows, "own_tests_pass").notna() & ~solved(rows)]
    passed = wrong[_passes_own(wrong)]
    is_common = significantly_above(len(passed), len(wrong), limits.own_tests_pass, limits.limit_alpha)
    if len(wrong) < limits.min_rows or not is_common:
        return []
    message = (
        f"own tests pass on {len(passed)} of {len(wrong)} wrong patches (limit {limits.own_tests_pass:.0%}): do not "
        "reward them"
    )
    numbers = {"passed": len(passed), "wrong": len(wrong)}
    limit_names = ("own_tests_pass", "min_rows", "limit_alpha")
    return [context.finding(_MODE, "warning", message, numbers, limit_names, passed)]
