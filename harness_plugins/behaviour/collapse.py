"""Variety that is lost: of actions, of reasoning, of sampled tokens."""

import math

import numpy as np
import pandas as pd

from evotrainer.diagnosis.context import (
    MAX_EXAMPLES,
    Context,
    Diagnosis,
    Trend,
    graded,
    known,
    significantly_above,
    t_limit,
    trend,
    z_limit,
)
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.tool_use_metrics import needs_tools, sequence_diversity, solution_diversity, spread_over
from evotrainer.diagnosis.trends import (
    falls,
    trend_vs_incumbent,
    unusually_certain,
    warn_if_above_incumbent,
    warn_if_falling,
    warn_if_outliers,
    warn_if_spreading,
)
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.sketch import EMPTY, NUM_BINS
from evotrainer.records import Finding

_MIN_CALLS = 4
"""Calls of an attempt below which one tool is normal."""
_MANY_PROBLEMS = 8
"""Problems at which the same actions on the same files are one script."""
_SEVERAL = 0.05
"""Share of attempts with several tools, below which the domain may have one tool only."""


@hookimpl
def action_collapse(context: Context) -> Diagnosis:
    """Return the diversity of actions and solutions; warn where it is lost.

    Action collapse: attempts act the same way, whatever the problem asks.

        sequence_diversity   by group, share of attempts that differ in their sequence of actions (1: no two alike)
        solution_diversity   by group, 1 - mean pairwise Jaccard similarity of the edited files
        one_tool_rate        share of attempts that use hardly more than one tool

    Both diversities are low in healthy runs too: a small bug lies in one file and has one good fix. So the first
    finding needs many attempts with one tool in evidence where other attempts use several. The others need a change,
    and a success rate that does not rise:

    1. A diversity falls over the run: by 10 points together with a mean logprob that rises by half (rule engine of
       EvoTrainer, arXiv 2606.03108), or by 30 points alone.
    2. Marked attempts spread over the run (diagnosis/trends.py). The marks are: one tool; one script, which
       is the same actions on the same files at many problems; rote, which is a rare certainty and a repeated sequence.
    3. One tool is more common than in the incumbent (diagnosis/trends.py), or rote is more common than its
       limit.
    4. The diversity of sequences falls by 15 points along all steps, or by 30 points below the incumbent.
    """
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
    findings = _one_tool(context, rows) or _action_collapse_falls(context) or _spreads(context) or _fades(context)
    return Diagnosis(metrics, findings or _action_collapse_fell(context, rows, metrics))


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
    return [context.finding("action_collapse", "warning", message, numbers, limit_names, examples)]


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
        warn_if_spreading(context, "action_collapse", rows, is_one_tool, one_tool)
        or warn_if_spreading(
            context, "action_collapse", rows, _is_script(rows), "that repeat one script at many problems"
        )
        or warn_if_spreading(context, "action_collapse", rows, is_rote, by_rote)
        or warn_if_above_incumbent(context, "action_collapse", rows, is_one_tool, one_tool, "one_tool_rate")
        or warn_if_outliers(context, "action_collapse", rows, is_rote, by_rote)
    )


def _fades(context: Context) -> list[Finding]:
    """Find a diversity that falls along all steps, though its thirds do not differ significantly."""
    rows = graded(context.training)
    rows = rows.assign(_sequences=spread_over(rows, sequence_diversity(rows)))
    what = "the diversity of action sequences in a group"
    return warn_if_falling(context, "action_collapse", rows, "_sequences", what, "fewer_attempts")


def _action_collapse_falls(context: Context) -> list[Finding]:
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
        return [context.finding("action_collapse", "warning", message, numbers, limit_names, examples)]
    return []


def _action_collapse_fell(context: Context, rows: Frame, metrics: dict[str, float]) -> list[Finding]:
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
    return [context.finding("action_collapse", "warning", message, numbers, ("lone_diversity_fall", "alpha"), rows)]


@hookimpl
def template_collapse(context: Context) -> Diagnosis:
    """Return how well reasoning identifies its problem; critical near chance, a warning where it falls.

    Template collapse: reasoning no longer depends on the problem, though its texts differ.

    reasoning_retrieval is how well the reasoning identifies its problem (`reasoning_specificity`): 1 always,
    1/2 never. Findings:

    1. It is significantly below its limit, near chance: critical.
    2. It falls by 0.05 along all steps of a run (diagnosis/trends.py) while success does not rise.
    3. It is significantly below the incumbent's (diagnosis/trends.py) and falls over the run. Either sign
       alone can come from other problems.

    Entropy does not see this failure: texts drawn from one template differ from attempt to attempt. Reasoning is the
    text beside answers and tool calls. Attempts without any are not judged.
    """
    rows, limits = context.graded, context.thresholds
    if rows["reasoning_sketch"].isna().mean() > 0.5 or rows.empty:
        return Diagnosis()
    areas = pd.Series(reasoning_specificity(rows), dtype="float64")
    if len(areas) < limits.min_groups:
        return Diagnosis()
    metrics = known({"reasoning_retrieval": areas.mean()})
    findings = _chance(context, rows, areas)
    return Diagnosis(metrics, findings or _template_collapse_falls(context, rows, areas))


def _chance(context: Context, rows: Frame, areas: Frame) -> list[Finding]:
    limits = context.thresholds
    error = float(areas.std()) / math.sqrt(len(areas))
    if areas.mean() + t_limit(limits.limit_alpha, len(areas)) * error >= limits.reasoning_specificity:
        return []
    message = (
        f"reasoning hardly identifies its problem (area {areas.mean():.2f}, limit {limits.reasoning_specificity:g}, "
        "chance 0.50): it follows one template"
    )
    numbers = {"reasoning_retrieval": float(areas.mean()), "num_groups": len(areas)}
    examples = rows[rows["group"].isin(areas.index)].drop_duplicates("group")
    limit_names = ("reasoning_specificity", "min_groups", "limit_alpha")
    severity = "critical"
    return [context.finding("template_collapse", severity, message, numbers, limit_names, examples)]


def _template_collapse_falls(context: Context, rows: Frame, areas: Frame) -> list[Finding]:
    training = graded(context.training)
    training = training.assign(_area=spread_over(training, pd.Series(reasoning_specificity(training), dtype="float64")))
    what = "how well reasoning identifies its problem (chance 0.50)"
    found = warn_if_falling(context, "template_collapse", training, "_area", what, "specificity_fall")
    return found or _template_collapse_fell(
        context, rows, areas, falls(context, training, "_area", 0.0, context.thresholds.joint_alpha)
    )


def _template_collapse_fell(context: Context, rows: Frame, areas: Frame, line: Trend | None) -> list[Finding]:
    """Find an area below the incumbent's that also falls over the run."""
    limits = context.thresholds
    found = trend_vs_incumbent(context, rows.assign(_area=spread_over(rows, areas)), "_area", "reasoning_retrieval")
    if found is None or line is None:
        return []
    if found.early - found.late < limits.specificity_vs_incumbent or found.z > -z_limit(limits.trend_alpha):
        return []
    message = (
        f"how well reasoning identifies its problem is {found.late:.3f}, {found.early:.3f} in the incumbent (chance "
        "0.50), and falls over the run, without a better score"
    )
    numbers = {"before": found.early, "now": found.late, "z": found.z, "run_z": line.z}
    examples = rows[rows["group"].isin(areas.sort_values().index[:MAX_EXAMPLES])].drop_duplicates("group")
    limit_names = ("specificity_vs_incumbent", "outcome_rise", "trend_alpha", "joint_alpha")
    return [context.finding("template_collapse", "warning", message, numbers, limit_names, examples)]


MAX_GROUPS, MAX_ROWS = 96, 384
MIN_ATTEMPTS = 4
_MIN_BINS = 16
"""Filled bins below which a text is too short to compare."""


def reasoning_specificity(rows: Frame) -> dict[int, float]:
    """Return the area under the curve, in [0, 1], of the groups whose attempts reason; group number to value.

    Does reasoning identify its problem? Attempts at one problem should reason more alike than attempts at others.

    Similarity is estimated from the sketches of evidence/sketch.py. For an attempt, its mean similarity to the
    other attempts at its problem is compared with its mean similarity to those at each other problem. The share of
    problems below is the area under the curve of retrieving the problem by the reasoning: 1 always, 1/2 where reasoning
    does not depend on the problem.

    The area bounds the mutual information of problem and reasoning from below, needs no model, and ignores text that
    all attempts share. RAGEN-2 names the failure and measures it with the policy's own likelihoods.

    Groups of one problem are not compared with each other. At most 96 groups, spread evenly over those given, and 384
    attempts, four of a group at least: the cost does not grow with the rows.
    """
    sketches, groups, numbers = _sketches(rows)
    names, places = np.unique(groups, return_inverse=True)
    problem_of = rows.drop_duplicates("group").set_index("group")["problem_id"]
    problems = problem_of.loc[names].to_numpy()
    if len(set(problems)) < 2:
        return {}
    is_other_GG = problems[:, None] != problems[None, :]
    similarity_NN = _similarity(sketches)
    area_N = np.zeros(len(places))
    for number in np.unique(numbers):
        # An attempt is compared with as many attempts at each other problem as at its own: all but one.
        mine = numbers == number
        members_NG = (np.eye(len(names))[places]) * ~mine[:, None]
        means_NG = similarity_NN[mine] @ members_NG / members_NG.sum(axis=0)
        own_N = means_NG[np.arange(mine.sum()), places[mine]]
        below_NG = (means_NG < own_N[:, None]) + 0.5 * (means_NG == own_N[:, None])
        area_N[mine] = (below_NG * is_other_GG[places[mine]]).sum(axis=1) / is_other_GG[places[mine]].sum(axis=1)
    return {int(name): float(area_N[places == place].mean()) for place, name in enumerate(names)}


def _sketches(rows: Frame) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return sketches N x bins, groups N and numbers within the group N of the chosen attempts."""
    known = rows.loc[rows["reasoning_sketch"].notna(), ["group", "reasoning_sketch"]]
    table = np.frombuffer(bytes.fromhex("".join(known["reasoning_sketch"].tolist())), np.uint8).reshape(-1, NUM_BINS)
    is_long = (table != EMPTY).sum(axis=1) >= _MIN_BINS
    known, table = known[is_long], table[is_long]
    number = known.groupby("group").cumcount()
    groups = np.sort(known.loc[number == 1, "group"].unique())
    places = np.linspace(0, max(len(groups) - 1, 0), min(len(groups), MAX_GROUPS)).astype(int)
    keep = (
        known["group"].isin(groups[places]) & (number < max(MIN_ATTEMPTS, MAX_ROWS // max(len(places), 1)))
    ).to_numpy()
    return table[keep], known["group"].to_numpy()[keep], number.to_numpy()[keep]


def _similarity(sketches: np.ndarray) -> np.ndarray:
    """Return the estimated Jaccard similarity N x N: equal bins among those that either text fills."""
    equal = np.zeros((len(sketches), len(sketches)), np.uint8)
    for column in sketches.T:
        equal += column[:, None] == column[None, :]
    filled = (sketches != EMPTY).astype(float)
    counts = filled.sum(axis=1)
    either = counts[:, None] + counts[None, :] - filled @ filled.T
    # Bins that both leave empty are equal too, and count as neither.
    return (equal - (NUM_BINS - either)) / np.maximum(either, 1.0)
