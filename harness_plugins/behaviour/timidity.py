"""Timidity: attempts give up, and tests and edits disappear because no reward pays for them.

    abandonment_rate   share of attempts that change nothing, where attempts are meant to edit
    submit_rate        share that submit, where any does
    edits_per_attempt  turns with an edit, an attempt

Findings, the first that holds:

1. More attempts than the limit change nothing; critical where they are also shorter than 5 turns (base metrics of
   EvoTrainer, arXiv 2606.03108). In rows from elsewhere, problems that some attempt solves without an edit do not
   count: what they need (a right, a listing, an answer) is none.
2. Tests or edits an attempt fall by more than 30% over the run, the share of attempts with one by more than 15 points,
   and success does not rise (its rule engine on laziness).
3. Attempts that change nothing spread by 5 points over the run (diagnosis/trend_within_run.py), or those without a
   test by 15; or more change nothing than in the incumbent (diagnosis/trend_vs_incumbent.py).
4. The fall of 2, against the incumbent.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, Trend, graded, known, significantly_above, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.tool_use_metrics import acting, is_meant
from evotrainer.diagnosis.trend_vs_incumbent import warn_if_above_incumbent
from evotrainer.diagnosis.trend_within_run import warn_if_spreading
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MODE = "timidity"
_KINDS = {"test": "self_test_rate", "edit": "edit_coverage"}
"""Actions that may disappear, and the metric that is the share of attempts with one."""
_PER_ATTEMPT = {"test": "tests_per_attempt", "edit": "edits_per_attempt"}


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return how many attempts give up; warn or worse where many do, or where tests or edits disappear."""
    rows = acting(context.graded, context.recipe is not None)
    if rows.empty or not is_meant(rows, "edit"):
        return Diagnosis()
    gave_up = rows["first_edit_turn"].isna()
    metrics = {
        "abandonment_rate": gave_up.mean(),
        "submit_rate": rows["is_submitted"].mean() if rows["is_submitted"].any() else None,
        "edits_per_attempt": rows["num_edit_turns"].mean(),
    }
    findings = _gives_up(context, rows, gave_up) + _dies_out(context) + _spreads(context) + _died_out(context, rows)
    return Diagnosis(known(metrics), findings[:1])


def _gives_up(context: Context, rows: Frame, gave_up: Frame) -> list[Finding]:
    limits, count, total = context.thresholds, int(gave_up.sum()), len(rows)
    if total < limits.min_rows or not significantly_above(count, total, limits.abandonment, limits.limit_alpha):
        return []
    turns = rows.loc[gave_up, "num_turns"].astype(float)
    is_short = turns.mean() + z_limit(limits.alpha) * turns.std() / math.sqrt(len(turns)) < limits.few_turns
    message = (
        f"{count} of {total} attempts change nothing (limit {limits.abandonment:.0%}), after {turns.mean():.1f} turns "
        "on average: they give up"
    )
    numbers = {"abandonment_rate": count / total, "turns_then": float(turns.mean())}
    examples = rows[gave_up].sort_values("num_turns", kind="stable")
    limit_names = ("abandonment", "few_turns", "min_rows", "limit_alpha")
    severity = "critical" if is_short else "warning"
    return [context.finding(_MODE, severity, message, numbers, limit_names, examples)]


def _dies_out(context: Context) -> list[Finding]:
    limits, rows = context.thresholds, acting(graded(context.training), context.training_recipe is not None)
    solved = context.flat_success(rows)
    if solved is None:
        return []
    for kind in _KINDS:
        turns = rows[f"num_{kind}_turns"].astype(float)
        marked = rows.assign(_turns=turns, _any=(turns > 0).astype(float))
        often, share = (trend(marked, column, limits.min_groups) for column in ("_turns", "_any"))
        if often is not None and share is not None and _is_gone(context, often, share):
            message = (
                f"{kind}s an attempt fell from {often.early:.2f} to {often.late:.2f} over the run, attempts with one "
                f"from {share.early:.0%} to {share.late:.0%}, and the solve rate went from {solved.early:.2f} to "
                f"{solved.late:.2f}"
            )
            numbers = {"early": often.early, "late": often.late, "share_early": share.early, "share_late": share.late}
            examples = marked[marked["_any"] == 0].sort_values("step", ascending=False, kind="stable")
            limit_names = ("fewer_turns", "fewer_attempts", "outcome_rise", "alpha")
            return [context.finding(_MODE, "warning", message, numbers, limit_names, examples)]
    return []


def _spreads(context: Context) -> list[Finding]:
    rows = acting(graded(context.training), context.training_recipe is not None)
    without = rows["first_edit_turn"].isna()
    return (
        warn_if_spreading(context, _MODE, rows, rows["num_edit_turns"] == 0, "without any edit")
        or warn_if_spreading(context, _MODE, rows, rows["num_test_turns"] == 0, "without any test", "fewer_attempts")
        or warn_if_above_incumbent(context, _MODE, rows, without, "that change nothing", "abandonment_rate")
    )


def _is_gone(context: Context, often: Trend, share: Trend) -> bool:
    limits, z_needed = context.thresholds, z_limit(context.thresholds.alpha)
    return (
        often.late < (1 - limits.fewer_turns) * often.early
        and share.early - share.late > limits.fewer_attempts
        and often.z < -z_needed
        and share.z < -z_needed
    )


def _died_out(context: Context, rows: Frame) -> list[Finding]:
    """Compare with the incumbent. Its metrics have no standard error, so the error is that of these rows alone."""
    limits, before = context.thresholds, context.reference.metrics if context.reference else {}
    gain = float(rows["correct"].mean()) - before.get("solve_rate", math.inf)
    for kind, share_name in _KINDS.items():
        often_name = _PER_ATTEMPT[kind]
        if not {share_name, often_name, "solve_rate"} <= before.keys() or len(rows) < limits.min_rows or gain > 0:
            continue
        by_group = rows.assign(_any=rows[f"num_{kind}_turns"] > 0).groupby("group")["_any"].mean()
        often, share = float(rows[f"num_{kind}_turns"].mean()), float(by_group.mean())
        error = float(by_group.std()) / math.sqrt(max(len(by_group), 1))
        is_fewer = often < (1 - limits.fewer_turns) * before[often_name]
        if is_fewer and before[share_name] - share - z_limit(limits.alpha) * error > limits.fewer_attempts:
            message = (
                f"{kind}s an attempt are {often:.2f}, {before[often_name]:.2f} in the incumbent, and attempts with one "
                f"{share:.0%}, {before[share_name]:.0%} in the incumbent, without a better score"
            )
            numbers = {
                "before": before[often_name],
                "now": often,
                "share_before": before[share_name],
                "share_now": share,
            }
            limit_names = ("fewer_turns", "fewer_attempts", "alpha")
            return [context.finding(_MODE, "warning", message, numbers, limit_names, rows)]
    return []
