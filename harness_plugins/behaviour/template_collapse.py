"""Template collapse: reasoning no longer depends on the problem, though its texts differ.

reasoning_retrieval is how well the reasoning identifies its problem (diagnosis/reasoning_specificity.py): 1 always,
1/2 never. Findings:

1. It is significantly below its limit, near chance: critical. In rows from elsewhere a warning where it was so in the
   first third of steps already: then it may be the task, as in a game whose prompts are alike.
2. It falls by 0.05 along all steps of a run (diagnosis/trend_within_run.py) while success does not rise.
3. It is significantly below the incumbent's (diagnosis/trend_vs_incumbent.py) and falls over the run. Either sign alone
   can come from other problems.

Entropy does not see this failure: texts drawn from one template differ from attempt to attempt. Reasoning is the text
beside answers and tool calls. Attempts without any are not judged.
"""

import math

import pandas as pd

from evotrainer.diagnosis.context import MAX_EXAMPLES, Context, Diagnosis, Trend, graded, known, t_limit, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.reasoning_specificity import reasoning_specificity
from evotrainer.diagnosis.tool_use_metrics import spread_over
from evotrainer.diagnosis.trend_vs_incumbent import trend_vs_incumbent
from evotrainer.diagnosis.trend_within_run import falls, warn_if_falling
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

_MODE = "template_collapse"


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return how well reasoning identifies its problem; critical near chance, a warning where it falls."""
    rows, limits = context.graded, context.thresholds
    if rows["reasoning_sketch"].isna().mean() > 0.5 or rows.empty:
        return Diagnosis()
    areas = pd.Series(reasoning_specificity(rows), dtype="float64")
    if len(areas) < limits.min_groups:
        return Diagnosis()
    metrics = known({"reasoning_retrieval": areas.mean()})
    findings = _chance(context, rows, areas)
    return Diagnosis(metrics, findings or _falls(context, rows, areas))


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
    return [context.finding(_MODE, severity, message, numbers, limit_names, examples)]


def _falls(context: Context, rows: Frame, areas: Frame) -> list[Finding]:
    training = graded(context.training)
    training = training.assign(_area=spread_over(training, pd.Series(reasoning_specificity(training), dtype="float64")))
    what = "how well reasoning identifies its problem (chance 0.50)"
    found = warn_if_falling(context, _MODE, training, "_area", what, "specificity_fall")
    return found or _fell(context, rows, areas, falls(context, training, "_area", 0.0, context.thresholds.joint_alpha))


def _fell(context: Context, rows: Frame, areas: Frame, line: Trend | None) -> list[Finding]:
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
    return [context.finding(_MODE, "warning", message, numbers, limit_names, examples)]
