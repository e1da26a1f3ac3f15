"""A small part of the score that is paid as the whole: whatever is above nothing counts as success.

A measure beside the reward has a few values, and each has one reward: the least of them nothing, all others the same
greatest one. So the reward is what the measure is after it was rounded up. That is harmless where attempts come to
reach the whole. It is what the policy learns where attempts with less than half of the measure spread over the run, and
those with all of it do not.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, is_measure, outside_columns
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"weak_verifier": ("extra", "reward", "step")}

_MIN_VALUES, _MAX_VALUES = 3, 12
_PART, _SOME, _MIN_PROBLEMS = 0.5, 0.05, 5
"""Share of the greatest value that is less than half done, and of attempts with so little that are paid."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first measure that is rounded up."""
    rows = context.with_texts(graded(context.training))
    rows = rows[rows["reward"].notna()] if len(rows) else rows
    if len(rows) < context.thresholds.min_rows or rows["reward"].nunique() != 2:
        return Diagnosis()
    terms = [name for name in map(str, rows.columns) if name.startswith(TERM_PREFIX)]
    for name in (*terms, *outside_columns(rows)):
        if is_measure(rows[name]) and _MIN_VALUES <= rows[name].nunique() <= _MAX_VALUES:
            found = _judge(context, rows[rows[name].notna()], name)
            if found:
                return Diagnosis(findings=found)
    return Diagnosis()


def _judge(context: Context, rows: Frame, name: str) -> list[Finding]:
    values = rows[name].astype(float)
    is_paid, whole = rows["reward"] >= rows["reward"].max(), values >= values.max()
    part = is_paid & (values < _PART * values.max())
    if part.sum() < _SOME * len(rows) or rows.loc[part, "problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    if not values[is_paid].min() > values[~is_paid].max() or not (values[~is_paid] <= values.min()).all():
        return []
    limits = context.thresholds
    spread = trend(rows.assign(_part=part.astype(float)), "_part", limits.min_groups)
    full = trend(rows.assign(_full=whole.astype(float)), "_full", limits.min_groups)
    if spread is None or full is None or spread.z < z_limit(limits.trend_alpha) or full.z > limits.outcome_rise:
        return []
    bare = name.removeprefix(EXTRA_PREFIX).removeprefix(TERM_PREFIX)
    message = (
        f"attempts with a `{bare}` of {values[part].median():.3g} have the reward of those with {values.max():.3g}, as "
        f"all above {values.min():.3g} have; they went from {spread.early:.0%} to {spread.late:.0%} over the run, and "
        f"the whole from {full.early:.0%} to {full.late:.0%}: the reward rounds a part up, pay the measure itself"
    )
    numbers = {"early": spread.early, "late": spread.late, "whole_early": full.early, "whole_late": full.late}
    return [context.finding("weak_verifier", "warning", message, numbers, ("trend_alpha", "outcome_rise"), rows[part])]
