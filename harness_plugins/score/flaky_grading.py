"""Flaky grading: the same answer to the same problem, graded both right and wrong.

Stored rows repeat answers: within a group, and where a problem is met again. Identical responses without tool calls,
and identical answers of single-turn attempts under the same format verdict, must have one grade. Two grades are a fault
of the grader. Validation rows count too, since a flaky grader there is noise in the score.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"flaky_grading": ("correct",)}


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of repeated answers that were graded both ways; warn at one, critical above 1%."""
    rows = context.graded_with_validation
    rows = rows[rows["correct"].notna() & (rows["num_tool_calls"] == 0)]
    keys = [
        ("response_hash", rows[rows["num_chars"] > 0]),
        ("answer", rows[rows["answer"].notna() & (rows["num_turns"] <= 1)]),
    ]
    tables = [_repetitions(part, key) for key, part in keys]
    repeated, flaky = sum(map(len, tables)), pd.concat([table[table["is_flaky"]] for table in tables])
    if not repeated:
        return Diagnosis()
    share, limits = len(flaky) / repeated, context.thresholds
    findings = []
    if len(flaky):
        is_many = significantly_above(len(flaky), repeated, limits.flaky_answers, limits.limit_alpha)
        message = (
            f"{len(flaky)} of {repeated} repeated answers were graded both right and wrong (limit "
            f"{limits.flaky_answers:.0%}): make the grader deterministic"
        )
        problems = flaky.index.get_level_values("problem_id")
        examples = rows[rows["problem_id"].isin(problems)].sort_values(
            ["problem_id", "answer", "correct"], kind="stable"
        )
        numbers = {"flaky_share": share, "flaky": len(flaky), "repeated": repeated}
        limit_names = ("flaky_answers", "limit_alpha")
        findings.append(
            context.finding(
                "flaky_grading", "critical" if is_many else "warning", message, numbers, limit_names, examples
            )
        )
    return Diagnosis(known({"flaky_share": share}), findings)


def _repetitions(rows: Frame, key: str) -> Frame:
    """Return the answers met more than once, by problem, and whether their grades differ."""
    format_ok = rows["format_ok"].fillna(-1.0)
    by_answer = rows.assign(format_ok=format_ok).groupby(["problem_id", key, "format_ok", "is_truncated"])["correct"]
    table = pd.DataFrame({"size": by_answer.size(), "spread": by_answer.max() - by_answer.min()})
    table = table[table["size"] >= 2]
    return table.assign(is_flaky=table["spread"] > 0).droplevel([1, 2, 3])
