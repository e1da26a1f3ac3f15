"""Turns and tools: how long episodes are, what they call, how often a call fails, how much they repeat themselves.

For single-turn rows these are constants and nothing is said. Alarms of the base metrics and rule engine of EvoTrainer
(arXiv 2606.03108) that hold for any tool-using domain: more than 50 turns on average, failed attempts that take more
than 1.5 times the turns of successful ones, more than 15% failed calls. Bigram repetition is 1 - unique / total tool
bigrams.
"""

import math

from evotrainer.diagnosis import Context, Diagnosis, known, surely_above, z_limit
from evotrainer.evidence.frames import Frame
from evotrainer.hookspecs import hookimpl
from evotrainer.records import Finding


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return turn and tool metrics of episodes with several turns; warn of echo traps and failing tools."""
    rows = context.graded
    if rows.empty or (rows["num_turns"].max() <= 1 and rows["num_tool_calls"].max() == 0):
        return Diagnosis()
    turns, calls, bigrams = rows["num_turns"], rows["num_tool_calls"], rows["num_tool_bigrams"].sum()
    metrics = known(
        {
            "mean_turns": turns.mean(),
            "median_turns": turns.median(),
            "max_turns": turns.max(),
            "tool_calls": calls.mean(),
            "longest_tool_run": rows["longest_tool_run"].mean(),
            "failed_tool_call_rate": rows["num_failed_tool_calls"].sum() / calls.sum() if calls.sum() else None,
            "tool_bigram_repetition": 1 - rows["num_unique_tool_bigrams"].sum() / bigrams if bigrams else None,
        }
    )
    return Diagnosis(metrics, _many_turns(context, rows) + _failing_tools(context, rows))


def _many_turns(context: Context, rows: Frame) -> list[Finding]:
    limits = context.thresholds
    if len(rows) < limits.min_rows:
        return []
    turns = rows["num_turns"].astype(float)
    failed, solved = turns[rows["correct"] < 1.0], turns[rows["correct"] >= 1.0]
    numbers = known({"mean_turns": turns.mean(), "failed_turns": failed.mean(), "solved_turns": solved.mean()})
    examples = rows.sort_values("num_turns", ascending=False, kind="stable")
    if turns.mean() - z_limit(limits.alpha) * turns.std() / math.sqrt(len(turns)) > limits.turns:
        message = f"attempts take {turns.mean():.0f} turns on average: they go in circles"
    elif min(len(failed), len(solved)) >= limits.min_rows // 2 and _surely_longer(
        failed, solved, limits.failed_turns, limits.alpha
    ):
        message = f"failed attempts take {failed.mean():.1f} turns, successful ones {solved.mean():.1f}: an echo trap"
    else:
        return []
    return [context.finding("echo_trap", "warning", message, numbers, ("turns", "failed_turns", "alpha"), examples)]


def _surely_longer(failed: Frame, solved: Frame, factor: float, alpha: float) -> bool:
    error = math.sqrt(failed.var() / len(failed) + factor**2 * solved.var() / len(solved))
    return failed.mean() - factor * solved.mean() > z_limit(alpha) * error


def _failing_tools(context: Context, rows: Frame) -> list[Finding]:
    limits, failed, calls = context.thresholds, rows["num_failed_tool_calls"], rows["num_tool_calls"]
    # Calls of one attempt fail together: attempts are the independent units.
    many = (failed > limits.failed_tool_calls * calls) & (failed >= 1)
    share = failed.sum() / max(calls.sum(), 1)
    if (
        len(rows) < limits.min_rows
        or share <= limits.failed_tool_calls
        or not surely_above(int(many.sum()), len(rows), limits.failed_tool_calls, limits.limit_alpha)
    ):
        return []
    message = f"{share:.0%} of tool calls fail: the policy lacks the format or the tool"
    examples = rows.sort_values("num_failed_tool_calls", ascending=False, kind="stable")
    return [
        context.finding(
            "tool_failures",
            "warning",
            message,
            {"failed_tool_call_rate": float(share)},
            ("failed_tool_calls", "min_rows", "limit_alpha"),
            examples,
        )
    ]
