"""What attempts do with tools: edits, tests, calls that repeat, attempts that give up."""

import math
import re
from collections import Counter

from evotrainer.diagnosis.context import (
    Context,
    Diagnosis,
    Trend,
    graded,
    known,
    significantly_above,
    significantly_below,
    t_limit,
    trend,
    z_limit,
)
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.tool_use_metrics import is_meant
from evotrainer.diagnosis.trends import warn_if_above_incumbent, warn_if_spreading
from evotrainer.evidence.frames import LINE, Frame
from evotrainer.records import Finding

_MAX_TOOLS = 12
_MIN_CALLS = 0.01
"""Calls an attempt below which a tool is not shown."""


@hookimpl
def tool_use(context: Context) -> Diagnosis:
    """Return tool metrics of rows with tool calls; warn where hardly any turn edits.

    Tool use: calls by tool, turns by action, variety of the calls of an attempt.

        calls_T                     actions by tool T an attempt, for the twelve most used tools
        search_ratio, edit_ratio, test_ratio, other_ratio, idle_ratio    shares of turns with such an action
        tool_entropy                bits, of the tool of an action, mean over attempts
        repeated_call_rate          share of calls made before with the same arguments, nothing edited in between
        git_usage_rate              share of attempts that use git at all

    Base metrics of EvoTrainer (arXiv 2606.03108), with its limit of 15% on the share of turns that edit. It is applied
    only where most attempts fail: a policy that reads a lot and solves has no problem.
    """
    rows = context.graded
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    turns, calls = rows["num_turns"].sum(), rows["num_tool_calls"].sum()
    ratios = {f"{kind}_ratio": rows[f"num_{kind}_turns"].sum() / max(turns, 1) for kind in _TOOL_USE_KINDS}
    metrics = {
        **_calls(rows),
        **ratios,
        "tool_entropy": rows["tool_entropy"].mean(),
        "repeated_call_rate": rows["num_repeated_calls"].sum() / calls,
        "git_usage_rate": (rows["num_git_calls"] > 0).mean(),
    }
    return Diagnosis(known(metrics), _few_edits(context, rows))


_TOOL_USE_KINDS = ("search", "edit", "test", "other", "idle")


def _calls(rows: Frame) -> dict[str, float]:
    """Return calls an attempt of the most used tools, those that a policy made up too."""
    counts = Counter(_word(tool) for tools in rows["tools"] for tool in tools.split(LINE) if tool)
    often = [tool for tool, count in counts.items() if count >= _MIN_CALLS * len(rows)]
    most = sorted(often, key=lambda tool: (-counts[tool], tool))[:_MAX_TOOLS]
    return {f"calls_{tool}": counts[tool] / len(rows) for tool in most}


def _few_edits(context: Context, rows: Frame) -> list[Finding]:
    limits = context.thresholds
    edits = (rows["num_edit_turns"] / rows["num_turns"].clip(lower=1)).groupby(rows["group"]).mean()
    solved = rows["correct"].mean()
    if len(rows) < limits.min_rows or len(edits) < limits.min_groups or not edits.any() or not solved < 0.5:
        return []
    error = edits.std() / len(edits) ** 0.5
    if edits.mean() + t_limit(limits.alpha, len(edits)) * error >= limits.edit_ratio:
        return []
    message = (
        f"{edits.mean():.0%} of turns edit (limit {limits.edit_ratio:.0%}) and {solved:.0%} of attempts succeed: the "
        "policy reads and does not act"
    )
    examples = rows.sort_values("num_edit_turns", kind="stable")
    numbers = {"edit_ratio": float(edits.mean()), "solve_rate": float(solved)}
    limit_names = ("edit_ratio", "min_rows", "min_groups", "alpha")
    return [context.finding("few_edits", "warning", message, numbers, limit_names, examples)]


def _word(tool: str) -> str:
    return re.sub(r"[^a-z0-9]+", "_", tool.lower()).strip("_") or "unnamed"


@hookimpl
def edit_process(context: Context) -> Diagnosis:
    """Return process metrics of rows with tool calls; warn of attempts that skip a step, and of edits that fail.

    Editing process: whether attempts search before they edit, edit at all, and test what they edited.

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
    rows = context.graded
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


_TIMIDITY_KINDS = {"test": "self_test_rate", "edit": "edit_coverage"}
"""Actions that may disappear, and the metric that is the share of attempts with one."""
_PER_ATTEMPT = {"test": "tests_per_attempt", "edit": "edits_per_attempt"}


@hookimpl
def timidity(context: Context) -> Diagnosis:
    """Return how many attempts give up; warn or worse where many do, or where tests or edits disappear.

    Timidity: attempts give up, and tests and edits disappear because no reward pays for them.

        abandonment_rate   share of attempts that change nothing, where attempts are meant to edit
        submit_rate        share that submit, where any does
        edits_per_attempt  turns with an edit, an attempt

    Findings, the first that holds:

    1. More attempts than the limit change nothing; critical where they are also shorter than 5 turns (base metrics of
       EvoTrainer, arXiv 2606.03108).
    2. Tests or edits an attempt fall by more than 30% over the run, the share of attempts with one by more than 15
       points, and success does not rise (its rule engine on laziness).
    3. Attempts that change nothing spread by 5 points over the run (diagnosis/trends.py), or those without a
       test by 15; or more change nothing than in the incumbent (diagnosis/trends.py).
    4. The fall of 2, against the incumbent.
    """
    rows = context.graded
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
    return [context.finding("timidity", severity, message, numbers, limit_names, examples)]


def _dies_out(context: Context) -> list[Finding]:
    limits, rows = context.thresholds, graded(context.training)
    solved = context.flat_success(rows)
    if solved is None:
        return []
    for kind in _TIMIDITY_KINDS:
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
            return [context.finding("timidity", "warning", message, numbers, limit_names, examples)]
    return []


def _spreads(context: Context) -> list[Finding]:
    rows = graded(context.training)
    without = rows["first_edit_turn"].isna()
    return (
        warn_if_spreading(context, "timidity", rows, rows["num_edit_turns"] == 0, "without any edit")
        or warn_if_spreading(
            context, "timidity", rows, rows["num_test_turns"] == 0, "without any test", "fewer_attempts"
        )
        or warn_if_above_incumbent(context, "timidity", rows, without, "that change nothing", "abandonment_rate")
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
    for kind, share_name in _TIMIDITY_KINDS.items():
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
            return [context.finding("timidity", "warning", message, numbers, limit_names, rows)]
    return []
