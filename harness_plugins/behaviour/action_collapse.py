"""Action collapse: attempts act the same way, whatever the problem asks.

    sequence_diversity   by group, share of attempts that differ in their sequence of actions (1: no two alike)
    solution_diversity   by group, 1 - mean pairwise Jaccard similarity of the edited files
    one_tool_rate        share of attempts that use hardly more than one tool

Both diversities are low in healthy runs too: a small bug lies in one file and has one good fix. So the first finding
needs many attempts with one tool in evidence where other attempts use several. The others need a change, and a success
rate that does not rise:

1. A diversity falls over the run: by 10 points together with a mean logprob that rises by half (rule engine of
   EvoTrainer, arXiv 2606.03108), or by 30 points alone.
2. Marked attempts spread over the run (diagnosis/trend_within_run.py). The marks are: one tool; one script, which is
   the same actions on the same files at many problems; rote, which is a rare certainty and a repeated sequence.
3. One tool is more common than in the incumbent (diagnosis/trend_vs_incumbent.py), or rote is more common than its
   limit.
4. The diversity of sequences falls by 15 points along all steps, or by 30 points below the incumbent.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, significantly_above, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.tool_use_metrics import needs_tools, sequence_diversity, solution_diversity, spread_over
from evotrainer.diagnosis.trend_vs_incumbent import warn_if_above_incumbent
from evotrainer.diagnosis.trend_within_run import (
    unusually_certain,
    warn_if_falling,
    warn_if_outliers,
    warn_if_spreading,
)
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MODE = "action_collapse"
_MIN_CALLS = 4
"""Calls of an attempt below which one tool is normal."""
_MANY_PROBLEMS = 8
"""Problems at which the same actions on the same files are one script."""
_SEVERAL = 0.05
"""Share of attempts with several tools, below which the domain may have one tool only."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return the diversity of actions and solutions; warn where it is lost."""
    rows = context.graded
    if rows.empty or not rows["num_tool_calls"].any():
        return Diagnosis()
    metrics = known(
        {
            "sequence_diversity": sequence_diversity(rows).mean(),
            "solution_diversity": solution_diversity(rows).mean(),
            "one_tool_rate": _is_one_tool(rows, context.thresholds.tool_entropy).mean(),
        }
    )
    findings = _one_tool(context, rows) or _falls(context) or _spreads(context) or _fades(context)
    return Diagnosis(metrics, findings or _fell(context, rows, metrics))


def _one_tool(context: Context, rows: Frame) -> list[Finding]:
    limits = context.thresholds
    found = rows[_is_one_tool(rows, limits.tool_entropy)]
    has_others = needs_tools(rows) or (rows["tool_entropy"] >= 1.0).mean() >= _SEVERAL
    if len(rows) < limits.min_rows or not has_others:
        return []
    if not significantly_above(len(found), len(rows), limits.one_tool, limits.limit_alpha):
        return []
    message = (
        f"{len(found)} of {len(rows)} attempts use hardly more than one tool (limit {limits.one_tool:.0%}): "
        "check what the reward pays, and whether the other tools work"
    )
    numbers = {"attempts": len(found), "share": len(found) / len(rows), "bits": float(found["tool_entropy"].mean())}
    limit_names = ("tool_entropy", "one_tool", "min_rows", "limit_alpha")
    examples = found.sort_values(["tool_entropy", "num_tool_calls"], ascending=[True, False], kind="stable")
    return [context.finding(_MODE, "warning", message, numbers, limit_names, examples)]


def _is_one_tool(rows: Frame, bits: float) -> Frame:
    return (rows["num_tool_calls"] >= _MIN_CALLS) & (rows["tool_entropy"] < bits)


def _is_rote(rows: Frame) -> Frame:
    is_certain = unusually_certain(rows) & (rows["action_sequence"] != "")
    return is_certain & rows["action_sequence"].where(is_certain, rows["trajectory_id"]).duplicated(keep=False)


def _is_script(rows: Frame) -> Frame:
    """Tell which attempts repeat the actions and files of attempts at many other problems."""
    problems = rows.groupby(["action_sequence", "edited_files"], dropna=False)["problem_id"].transform("nunique")
    return (problems >= _MANY_PROBLEMS) & (rows["action_sequence"] != "")


def _spreads(context: Context) -> list[Finding]:
    rows = graded(context.training)
    is_one_tool, one_tool = _is_one_tool(rows, context.thresholds.tool_entropy), "that use hardly more than one tool"
    is_rote, by_rote = _is_rote(rows), "with rare certainty and a repeated sequence of actions"
    return (
        warn_if_spreading(context, _MODE, rows, is_one_tool, one_tool)
        or warn_if_spreading(context, _MODE, rows, _is_script(rows), "that repeat one script at many problems")
        or warn_if_spreading(context, _MODE, rows, is_rote, by_rote)
        or warn_if_above_incumbent(context, _MODE, rows, is_one_tool, one_tool, "one_tool_rate")
        or warn_if_outliers(context, _MODE, rows, is_rote, by_rote)
    )


def _fades(context: Context) -> list[Finding]:
    """Find a diversity that falls along all steps, though its thirds do not differ significantly."""
    rows = graded(context.training)
    rows = rows.assign(_sequences=spread_over(rows, sequence_diversity(rows)))
    what = "the diversity of action sequences in a group"
    return warn_if_falling(context, _MODE, rows, "_sequences", what, "fewer_attempts")


def _falls(context: Context) -> list[Finding]:
    limits, rows = context.thresholds, graded(context.training)
    rows = rows.assign(
        _sequences=spread_over(rows, sequence_diversity(rows)), _solutions=spread_over(rows, solution_diversity(rows))
    )
    columns, solved = ("_sequences", "_solutions", "mean_logprob"), context.flat_success(rows)
    if solved is None:
        return []
    sequences, solutions, logprob = (trend(rows, column, limits.min_groups) for column in columns)
    z_needed = z_limit(limits.alpha)
    is_certain = (
        logprob is not None and logprob.early < 0 and logprob.late > 0.5 * logprob.early and logprob.z > z_needed
    )
    for found, name in ((sequences, "action sequences"), (solutions, "edited files")):
        if found is None or found.z > -z_needed:
            continue
        fall = found.early - found.late
        if fall < (limits.diversity_fall if is_certain else limits.lone_diversity_fall):
            continue
        beside = f" while mean logprob rose to {logprob.late:.2f}" if logprob is not None and is_certain else ""
        message = (
            f"the diversity of {name} in a group fell from {found.early:.2f} to {found.late:.2f} over the run{beside}, "
            f"and the solve rate went from {solved.early:.2f} to {solved.late:.2f}"
        )
        numbers = {"early": found.early, "late": found.late, "z": found.z, "solve_rate_z": solved.z}
        limit_names = ("diversity_fall", "lone_diversity_fall", "outcome_rise", "alpha")
        examples = rows.sort_values("step", ascending=False, kind="stable").drop_duplicates("group")
        return [context.finding(_MODE, "warning", message, numbers, limit_names, examples)]
    return []


def _fell(context: Context, rows: Frame, metrics: dict[str, float]) -> list[Finding]:
    """Compare with the incumbent. Its metric has no standard error, so the error is that of these rows alone."""
    limits, before = context.thresholds, context.reference.metrics if context.reference else {}
    name = "sequence_diversity"
    if name not in metrics or name not in before or "solve_rate" not in before:
        return []
    values = sequence_diversity(rows)
    error = float(values.std()) / math.sqrt(max(len(values), 1))
    fall = before[name] - metrics[name]
    gain = float(rows["correct"].mean()) - before["solve_rate"]
    if len(values) < limits.min_groups or gain > 0 or fall - z_limit(limits.alpha) * error < limits.lone_diversity_fall:
        return []
    message = (
        f"the diversity of action sequences is {metrics[name]:.2f}, {before[name]:.2f} in the incumbent, without a "
        "better score: the policy loses variety"
    )
    numbers = {"before": before[name], "now": metrics[name], "solve_rate_change": gain}
    return [context.finding(_MODE, "warning", message, numbers, ("lone_diversity_fall", "alpha"), rows)]
