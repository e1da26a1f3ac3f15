"""Editing process: whether attempts search before they edit, edit at all, and test what they edited.

    self_test_rate          share of attempts that run a test
    tests_per_attempt       turns with a test, an attempt
    edit_coverage           share of attempts with an edit that is not known to have failed
    edited_files            files edited, over attempts with an edit
    search_before_edit_rate, edit_then_test_rate    shares of attempts with an edit
    first_edit_turn         mean over attempts with an edit, from 1
    failed_edit_rate        share of edits that are known to have failed

The limits on self-test rate, search before edit and failed edits are base metrics of EvoTrainer (arXiv 2606.03108).
Where no attempt does a thing, the domain may have no tool for it. Then only swe is judged, whose tools are known.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_above, significantly_below
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.tool_use_metrics import acting, is_meant
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return process metrics of rows with tool calls; warn of attempts that skip a step, and of edits that fail."""
    rows = acting(context.graded, context.recipe is not None)
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    has_edits, has_tests = (is_meant(rows, kind) for kind in ("edit", "test"))
    edited = rows[rows["first_edit_turn"].notna()]
    edits = _edits(rows).sum()
    metrics = {
        "self_test_rate": (rows["num_test_turns"] > 0).mean() if has_tests else None,
        "tests_per_attempt": rows["num_test_turns"].mean() if has_tests else None,
        "edit_coverage": rows["first_edit_turn"].notna().mean() if has_edits else None,
        "edited_files": edited["num_edited_files"].mean(),
        "search_before_edit_rate": edited["is_search_before_edit"].mean(),
        "edit_then_test_rate": edited["is_test_after_last_edit"].mean() if has_tests else None,
        "first_edit_turn": edited["first_edit_turn"].mean(),
        "failed_edit_rate": rows["num_failed_edits"].sum() / edits if edits else None,
    }
    findings = _failed_edits(context, rows)
    if has_edits:
        findings += _skipped(context, rows, rows["first_edit_turn"].notna(), "edit_coverage", "edit anything")
        findings += _skipped(
            context, edited, edited["is_search_before_edit"] > 0, "search_before_edit", "search before they edit"
        )
    if has_tests:
        findings += _skipped(context, rows, rows["num_test_turns"] > 0, "self_test_rate", "run a test")
    return Diagnosis(known(metrics), findings)


def _skipped(context: Context, rows: Frame, does: Frame, limit: str, what: str) -> list[Finding]:
    """Return a finding where significantly fewer attempts than the limit do it."""
    limits, count = context.thresholds, int(does.sum())
    if len(rows) < limits.min_rows or not significantly_below(
        count, len(rows), getattr(limits, limit), limits.limit_alpha
    ):
        return []
    message = f"only {count} of {len(rows)} attempts {what} (limit {getattr(limits, limit):.0%})"
    numbers = {"share": count / len(rows), "attempts": len(rows)}
    return [
        context.finding(f"low_{limit}", "warning", message, numbers, (limit, "min_rows", "limit_alpha"), rows[~does])
    ]


def _edits(rows: Frame) -> Frame:
    """Return the edits of each attempt, failed ones too."""
    return rows["action_sequence"].str.count("E")


def _failed_edits(context: Context, rows: Frame) -> list[Finding]:
    limits, failed, edits = context.thresholds, rows["num_failed_edits"], _edits(rows)
    share = float(failed.sum() / max(edits.sum(), 1))
    # Edits of one attempt fail together, so attempts are the independent units.
    many = (failed > limits.failed_edits * edits) & (failed >= 1)
    tried = int((edits > 0).sum())
    if tried < limits.min_rows or share <= limits.failed_edits:
        return []
    if not significantly_above(int(many.sum()), tried, limits.failed_edits, limits.limit_alpha):
        return []
    message = f"{share:.0%} of edits fail (limit {limits.failed_edits:.0%}): the policy does not know the edit format"
    examples = rows.sort_values("num_failed_edits", ascending=False, kind="stable")
    limit_names = ("failed_edits", "min_rows", "limit_alpha")
    return [context.finding("failed_edits", "warning", message, {"failed_edit_rate": share}, limit_names, examples)]
