"""Weak verifier: hidden tests that pass without any answer, or that the reference solution fails.

Both are facts about a problem, tested when it was loaded or graded: its outcomes say nothing about a policy. Answers
without a single character that count as right are the first kind, seen from outside. Where such problems are a
material share of those that the score rests on, the score is not to be believed. Attempts that are right without any
edit, where others edit, are a warning: edits may be made by tools that are not known.
"""

from evotrainer.diagnosis import Context, Diagnosis, known, surely_above
from evotrainer.evidence.frames import Frame
from evotrainer.hookspecs import hookimpl
from evotrainer.records import Finding
from evotrainer.taint import all_rows, check, column, score_rows, solved

_MODE = "weak_verifier"
_MIN_PROBLEMS = 2


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the share of problems whose outcome says nothing; invalid above the limit on those of the score."""
    score, rows = score_rows(context), all_rows(context)
    if rows.empty:
        return Diagnosis()
    limits, weak = context.thresholds, _weak_problems(score)
    share = len(weak) / score["problem_id"].nunique()
    anywhere = _weak_problems(rows)
    if not anywhere:
        return Diagnosis({}, _without_edit(context, rows))
    is_material = len(weak) >= _MIN_PROBLEMS and share >= limits.weak_problems
    shown = rows[rows["problem_id"].isin(weak if is_material else anywhere)].drop_duplicates("problem_id")
    message = (
        f"{len(shown)} problems have hidden tests that pass without an answer or fail on the reference solution"
        f" ({', '.join(sorted(shown['problem_id'])[:3])}): their outcomes say nothing"
    )
    numbers = {"problems": len(shown), "share": share}
    severity = "invalid" if is_material else "warning"
    finding = context.finding(_MODE, severity, message, numbers, ("weak_problems",), shown)
    return Diagnosis(known({"weak_problem_share": share}), [finding])


def _weak_problems(rows: Frame) -> list[str]:
    is_silent = (rows["num_chars"] == 0) & (rows["num_tool_calls"] == 0)
    is_weak = (
        (check(rows, "empty_passes") > 0) | (check(rows, "reference_fails") > 0) | (is_silent & solved(rows))
    )  # fmt: skip
    return sorted(rows[is_weak]["problem_id"].unique())


def _without_edit(context: Context, rows: Frame) -> list[Finding]:
    edits, limits = column(rows, "num_edited_files"), context.thresholds
    right = rows[solved(rows) & (column(rows, "num_tool_calls") > 0)]
    bare = right[(column(right, "num_edited_files") == 0) & (column(right, "num_history_restores") == 0)]
    if not (edits > 0).any() or not surely_above(len(bare), len(right), limits.unedited_success, limits.limit_alpha):
        return []
    message = f"{len(bare)} of {len(right)} successful attempts edited nothing: their problems pass as they are"
    return [context.finding(_MODE, "warning", message, {"attempts": len(bare)}, ("unedited_success",), bare)]
