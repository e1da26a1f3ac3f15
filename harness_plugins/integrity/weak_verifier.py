"""Weak verifier: hidden tests pass without an answer, fail on the reference solution, or are shown in the statement.

These are facts about a problem, measured when it is loaded or graded. In the first two cases its outcome says nothing
about a policy. A response without any character that counts as right shows the first case from outside, where its token
count confirms that it is empty. The score is invalid where such problems are a material share of those it rests on.

Hidden tests that are the statement's examples count special-casing as success. Attempts that are right without an edit,
where others edit, are a warning: an unknown tool may have made the edit.
"""

from collections.abc import Callable

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.invalidity import all_rows, check, column, score_rows, solved
from evotrainer.diagnosis.tool_use_metrics import MEANT
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding, Severity

_MODE = "weak_verifier"
_MIN_PROBLEMS = 2
_NOTHING = 2
"""Most sampled tokens of an empty response: the end of its turn."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the shares of problems with weak tests, and findings on them."""
    score, rows = score_rows(context), all_rows(context)
    if rows.empty:
        return Diagnosis()
    findings = [
        *_problems(
            context,
            score,
            rows,
            _weak_problems,
            "invalid",
            "have hidden tests that pass without an answer or fail on the reference solution",
            "carry no information: remove them",
        ),
        *_problems(
            context,
            score,
            rows,
            _shown_problems,
            "critical",
            "have no hidden tests but the examples of their statements",
            "count special-casing as success: add hidden tests",
        ),
    ]
    return Diagnosis(_shares(score), findings or _without_edit(context, rows))


def _shares(score: Frame) -> dict[str, float]:
    """Return the share of problems of each kind, where it was measured."""
    num_problems, weak = score["problem_id"].nunique(), _weak_problems(score)
    shares = {}
    if weak or check(score, "empty_passes").notna().any():
        shares["weak_problem_share"] = len(weak) / num_problems
    if check(score, "shown_tests").notna().any():
        shares["shown_problem_share"] = len(_shown_problems(score)) / num_problems
    return shares


def _problems(
    context: Context,
    score: Frame,
    rows: Frame,
    choose: Callable[[Frame], list[str]],
    severity: Severity,
    what: str,
    so: str,
) -> list[Finding]:
    """Return a finding on the chosen problems: a warning where they are no material share of the score's."""
    limits = context.thresholds
    chosen, anywhere = choose(score), choose(rows)
    if not anywhere:
        return []
    share = len(chosen) / score["problem_id"].nunique()
    is_material = len(chosen) >= _MIN_PROBLEMS and share >= limits.weak_problems
    shown = rows[rows["problem_id"].isin(chosen if is_material else anywhere)].drop_duplicates("problem_id")
    names = ", ".join(sorted(shown["problem_id"])[:3])
    message = f"{len(shown)} problems {what} ({names}): their outcomes {so}"
    numbers = {"problems": len(shown), "share": share}
    rank: Severity = severity if is_material else "warning"
    return [context.finding(_MODE, rank, message, numbers, ("weak_problems",), shown)]


def _weak_problems(rows: Frame) -> list[str]:
    is_silent = (rows["num_chars"] == 0) & (rows["num_tool_calls"] == 0) & rows["num_tokens"].between(1, _NOTHING)
    is_weak = (check(rows, "empty_passes") > 0) | (check(rows, "reference_fails") > 0) | (is_silent & solved(rows))
    return sorted(rows[is_weak]["problem_id"].unique())


def _shown_problems(rows: Frame) -> list[str]:
    return sorted(rows[check(rows, "shown_tests") >= 1]["problem_id"].unique())


def _without_edit(context: Context, rows: Frame) -> list[Finding]:
    edits, limits = column(rows, "num_edited_files"), context.thresholds
    right = rows[solved(rows) & (column(rows, "num_tool_calls") > 0)]
    bare = right[(column(right, "num_edited_files") == 0) & (column(right, "num_history_restores") == 0)]
    if not (edits > 0).mean() >= MEANT:
        return []
    if not significantly_above(len(bare), len(right), limits.unedited_success, limits.limit_alpha):
        return []
    message = f"{len(bare)} of {len(right)} successful attempts edited nothing: check that their problems fail unedited"
    return [context.finding(_MODE, "warning", message, {"attempts": len(bare)}, ("unedited_success",), bare)]
