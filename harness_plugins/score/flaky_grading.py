"""Flaky grading: the same answer to the same problem, graded both right and wrong.

Stored rows repeat answers: within a group, and where a problem is met again. Identical responses without tool calls,
and identical answers of single-turn attempts under the same format verdict, must have one grade. Two grades are a fault
of the grader. Validation rows count too, since a flaky grader there is noise in the score.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.repeated_answers import repeated_answers


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of odd grades among repeated answers; warn at one, critical above 1% of the attempts."""
    rows = context.graded_with_validation
    rows = rows[rows["correct"].notna() & (rows["num_tool_calls"] == 0)]
    rows = rows.assign(format_ok=rows["format_ok"].fillna(-1.0))
    kept = ["format_ok", "is_truncated"]
    answered = rows[rows["answer"].notna() & (rows["num_turns"] <= 1)]
    found = repeated_answers(
        (rows[rows["num_chars"] > 0], ["problem_id", "response_hash", *kept], "correct"),
        (answered, ["problem_id", "answer", *kept], "correct"),
    )
    if not found.attempts:
        return Diagnosis()
    share, limits, flaky = found.odd / found.attempts, context.thresholds, found.flaky
    findings = []
    if len(flaky):
        message = (
            f"{found.odd} of {found.attempts} attempts with a repeated answer have another grade than most of their "
            f"answer (limit {limits.flaky_answers:.0%}), at {len(flaky)} answers: make the grader deterministic"
        )
        examples = rows[rows["problem_id"].isin(flaky.index)].sort_values(
            ["problem_id", "answer", "correct"], kind="stable"
        )
        numbers = {"flaky_share": share, "flaky": len(flaky), "repeated": len(found.table)}
        limit_names = ("flaky_answers", "limit_alpha")
        severity = "critical" if found.is_many(limits) else "warning"
        findings.append(context.finding("flaky_grading", severity, message, numbers, limit_names, examples))
    return Diagnosis(known({"flaky_share": share}), findings)
