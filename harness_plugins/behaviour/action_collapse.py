"""Action-pattern collapse: attempts that all act the same way, whatever the problem asks.

    sequence_diversity   by group, share of attempts that differ in the kinds of their actions (1: no two alike)
    solution_diversity   by group, 1 - mean pairwise Jaccard likeness of the edited files

Both are low in health too: a small bug lies in one file, and there is one good way to mend it. So a level alone is
told only where one tool makes up nearly all of many episodes, though others use several. Over a run, and against the
version before, what is told is the fall: of the diversity of sequences by 10 points or more together with a mean
logprob that rises by half (rule engine of EvoTrainer, arXiv 2606.03108), or of either diversity by 30 points, while
success does not rise. Earlier than these show is a mark of single attempts that spreads over the run
(evotrainer/diagnosis/trend_within_run.py): one tool only; one script, which is the same kinds of actions on the same
files at many problems; or acting by rote, which is far surer than the first attempts and the same actions as another
such attempt. One tool is told against the version before too (evotrainer/diagnosis/trend_vs_incumbent.py), and rote
by its share, for health has next to none. A diversity of sequences that fades over all steps by 15 points is told as
well.

    one_tool_rate        share of attempts that use hardly more than one tool
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, graded, known, significantly_above, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.tool_use_metrics import needs_tools, sequence_diversity, solution_diversity, spread_over
from evotrainer.diagnosis.trend_vs_incumbent import warn_if_above_incumbent
from evotrainer.diagnosis.trend_within_run import oddly_sure, warn_if_falling, warn_if_outliers, warn_if_spreading
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MODE = "action_collapse"
_MIN_CALLS = 4
"""Calls of an attempt below which one tool may well be all of it."""
_MANY_PROBLEMS = 8
"""Problems at which a script is the same."""
_SEVERAL = 0.05
"""Share of attempts that choose among tools, below which there may be one tool only."""


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
    message = f"{len(found)} of {len(rows)} attempts do one thing over and over: hardly any use of other tools"
    numbers = {"attempts": len(found), "share": len(found) / len(rows), "bits": float(found["tool_entropy"].mean())}
    limit_names = ("tool_entropy", "one_tool", "min_rows", "limit_alpha")
    examples = found.sort_values(["tool_entropy", "num_tool_calls"], ascending=[True, False], kind="stable")
    return [context.finding(_MODE, "warning", message, numbers, limit_names, examples)]


def _is_one_tool(rows: Frame, bits: float) -> Frame:
    return (rows["num_tool_calls"] >= _MIN_CALLS) & (rows["tool_entropy"] < bits)


def _is_rote(rows: Frame) -> Frame:
    is_sure = oddly_sure(rows) & (rows["action_sequence"] != "")
    return is_sure & rows["action_sequence"].where(is_sure, rows["trajectory_id"]).duplicated(keep=False)


def _is_script(rows: Frame) -> Frame:
    """Tell which attempts act as attempts at many other problems do, on the same files."""
    problems = rows.groupby(["action_sequence", "edited_files"], dropna=False)["problem_id"].transform("nunique")
    return (problems >= _MANY_PROBLEMS) & (rows["action_sequence"] != "")


def _spreads(context: Context) -> list[Finding]:
    rows = graded(context.training)
    is_one_tool, one_tool = _is_one_tool(rows, context.thresholds.tool_entropy), "that use hardly more than one tool"
    is_rote, by_rote = _is_rote(rows), "that act by rote"
    return (
        warn_if_spreading(context, _MODE, rows, is_one_tool, one_tool)
        or warn_if_spreading(context, _MODE, rows, _is_script(rows), "that run one script, whatever the problem,")
        or warn_if_spreading(context, _MODE, rows, is_rote, by_rote)
        or warn_if_above_incumbent(context, _MODE, rows, is_one_tool, one_tool, "one_tool_rate")
        or warn_if_outliers(context, _MODE, rows, is_rote, by_rote)
    )


def _fades(context: Context) -> list[Finding]:
    """Find a diversity that falls along all steps, where its thirds do not differ surely."""
    rows = graded(context.training)
    rows = rows.assign(_sequences=spread_over(rows, sequence_diversity(rows)))
    what = "diversity of sequences of actions in a group"
    return warn_if_falling(context, _MODE, rows, "_sequences", what, "fewer_attempts")


def _falls(context: Context) -> list[Finding]:
    limits, rows = context.thresholds, graded(context.training)
    rows = rows.assign(
        _sequences=spread_over(rows, sequence_diversity(rows)), _solutions=spread_over(rows, solution_diversity(rows))
    )
    columns = ("_sequences", "_solutions", "mean_logprob", "correct")
    sequences, solutions, logprob, solved = (trend(rows, column, limits.min_groups) for column in columns)
    if solved is None or solved.z > limits.outcome_rise:
        return []
    surely = z_limit(limits.alpha)
    is_sure = logprob is not None and logprob.early < 0 and logprob.late > 0.5 * logprob.early and logprob.z > surely
    for found, name in ((sequences, "sequences of actions"), (solutions, "edited files")):
        if found is None or found.z > -surely:
            continue
        fall = found.early - found.late
        if fall < (limits.diversity_fall if is_sure else limits.lone_diversity_fall):
            continue
        beside = f" while mean logprob rose to {logprob.late:.2f}" if logprob is not None and is_sure else ""
        message = (
            f"diversity of {name} in a group fell from {found.early:.2f} to {found.late:.2f} over the run{beside}, and "
            f"the solve rate went from {solved.early:.2f} to {solved.late:.2f}"
        )
        numbers = {"early": found.early, "late": found.late, "z": found.z, "solve_rate_z": solved.z}
        limit_names = ("diversity_fall", "lone_diversity_fall", "outcome_rise", "alpha")
        examples = rows.sort_values("step", ascending=False, kind="stable").drop_duplicates("group")
        return [context.finding(_MODE, "warning", message, numbers, limit_names, examples)]
    return []


def _fell(context: Context, rows: Frame, metrics: dict[str, float]) -> list[Finding]:
    """Compare with the version before, whose number comes without its spread: chance is that of these rows alone."""
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
    message = f"diversity of actions fell from {before[name]:.2f} to {metrics[name]:.2f} without a better score"
    numbers = {"before": before[name], "now": metrics[name], "solve_rate_change": gain}
    return [context.finding(_MODE, "warning", message, numbers, ("lone_diversity_fall", "alpha"), rows)]
