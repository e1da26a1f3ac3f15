"""Tool use: calls by tool, turns by action, variety of the calls of an attempt.

    calls_T                     actions by tool T an attempt, for the twelve most used tools
    search_ratio, edit_ratio, test_ratio, other_ratio, idle_ratio    shares of turns with such an action
    tool_entropy                bits, of the tool of an action, mean over attempts
    repeated_call_rate          share of calls made before with the same arguments, nothing edited in between
    git_usage_rate              share of attempts that use git at all

Base metrics of EvoTrainer (arXiv 2606.03108), with its limit of 15% on the share of turns that edit. It is applied only
where most attempts fail: a policy that reads a lot and solves has no problem.
"""

import re
from collections import Counter

from evotrainer.diagnosis.context import Context, Diagnosis, known, t_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.tool_use_metrics import acting
from evotrainer.evidence.frames import LINE, Frame
from evotrainer.records import Finding

_MAX_TOOLS = 12
_MIN_CALLS = 0.01
"""Calls an attempt below which a tool is not shown."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return tool metrics of rows with tool calls; warn where hardly any turn edits."""
    rows = context.graded
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    turns, calls = rows["num_turns"].sum(), rows["num_tool_calls"].sum()
    ratios = {f"{kind}_ratio": rows[f"num_{kind}_turns"].sum() / max(turns, 1) for kind in _KINDS}
    metrics = {
        **_calls(rows),
        **ratios,
        "tool_entropy": rows["tool_entropy"].mean(),
        "repeated_call_rate": rows["num_repeated_calls"].sum() / calls,
        "git_usage_rate": (rows["num_git_calls"] > 0).mean(),
    }
    return Diagnosis(known(metrics), _few_edits(context, acting(rows, context.recipe is not None)))


_KINDS = ("search", "edit", "test", "other", "idle")


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
