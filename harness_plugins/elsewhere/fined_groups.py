"""Groups of one outcome whose advantages come from a fine alone.

Where a reward less its fines has two values, these are the outcome, whether rows record one or not. A filter that looks
at the reward after the fine keeps groups that were all wrong: what was shorter, or ended sooner, is reinforced there.
"""

import pandas as pd

from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import measured
from evotrainer.evidence.frames import Frame

NEEDS = {"phantom_advantage": ("extra", "reward", "advantage", "group")}


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where more than a fifth of the advantage comes from groups that differ by a fine alone."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    rows = rows[rows["reward"].notna() & rows["advantage"].notna()]
    if len(rows) < limits.min_rows:
        return Diagnosis()
    for name, fines in measured(rows, "fine").items():
        outcome = (rows["reward"] - fines).round(3)
        if fines.max() > 0 or not (fines < 0).any() or outcome.nunique() != 2:
            continue
        mass = rows["advantage"].abs().groupby(rows["group"]).sum()
        spread = _spread(outcome, rows["group"])
        alone = mass[(spread <= DEAD_SPREAD) & (_spread(rows["reward"], rows["group"]) > DEAD_SPREAD)]
        share, total = float(alone.sum() / max(mass.sum(), 1e-12)), int((mass > DEAD_SPREAD).sum())
        if share <= limits.phantom_advantage_warning or total < limits.min_groups:
            continue
        wrong = int((outcome.groupby(rows["group"]).max()[alone.index] <= outcome.min()).sum())
        message = (
            f"{share:.0%} of the advantage (limit {limits.phantom_advantage_warning:.0%}) comes from {len(alone)} "
            f"groups whose attempts differ by {name} alone, {wrong} of them all wrong: filter groups by their outcome, "
            "before the fine"
        )
        numbers = {"phantom_advantage": share, "groups": len(alone), "all_wrong": wrong}
        shown = rows[rows["group"].isin(alone.index)].sort_values("advantage", ascending=False, kind="stable")
        names = ("phantom_advantage_warning", "min_groups", "min_rows")
        return Diagnosis(findings=[context.finding("phantom_advantage", "warning", message, numbers, names, shown)])
    return Diagnosis()


def _spread(values: Frame, groups: Frame) -> pd.Series:
    by_group = values.groupby(groups)
    return by_group.max() - by_group.min()
