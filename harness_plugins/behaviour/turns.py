"""Turns and tools: length of episodes, number of calls, share of calls that fail.

Single-turn rows have no metrics here. The limit of 15% failed calls is a base metric of EvoTrainer (arXiv 2606.03108).
Repeated calls are judged by echo_trap.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, known, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return turn and tool metrics of episodes with several turns; warn of failing tools."""
    rows = context.graded
    if rows.empty or (rows["num_turns"].max() <= 1 and rows["num_tool_calls"].max() == 0):
        return Diagnosis()
    turns, calls = rows["num_turns"], rows["num_tool_calls"]
    metrics = known(
        {
            "mean_turns": turns.mean(),
            "median_turns": turns.median(),
            "max_turns": turns.max(),
            "tool_calls": calls.mean(),
            "longest_tool_run": rows["longest_tool_run"].mean(),
            "failed_tool_call_rate": rows["num_failed_tool_calls"].sum() / calls.sum() if calls.sum() else None,
        }
    )
    return Diagnosis(metrics, _failing_tools(context, rows))


def _failing_tools(context: Context, rows: Frame) -> list[Finding]:
    limits, failed, calls = context.thresholds, rows["num_failed_tool_calls"], rows["num_tool_calls"]
    # Calls of one attempt fail together, so attempts are the independent units.
    many = (failed > limits.failed_tool_calls * calls) & (failed >= 1)
    share = failed.sum() / max(calls.sum(), 1)
    if (
        len(rows) < limits.min_rows
        or share <= limits.failed_tool_calls
        or not significantly_above(int(many.sum()), len(rows), limits.failed_tool_calls, limits.limit_alpha)
    ):
        return []
    message = (
        f"{share:.0%} of tool calls fail (limit {limits.failed_tool_calls:.0%}): check call format and the tools of "
        "the environment"
    )
    examples = rows.sort_values("num_failed_tool_calls", ascending=False, kind="stable")
    numbers = {"failed_tool_call_rate": float(share)}
    limit_names = ("failed_tool_calls", "min_rows", "limit_alpha")
    return [context.finding("tool_failures", "warning", message, numbers, limit_names, examples)]
