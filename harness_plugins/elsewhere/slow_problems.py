"""Groups that never reach the loss because they take long: a limit on age or time takes out the hard problems.

Groups of one reward teach nothing, and filters leave them out. Where groups with several rewards do not reach the loss,
and these are the slowest by far, a limit on staleness or on time decides what is learned: the quick problems.
"""

from scipy import stats

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"over_filtering": ("in_loss", "duration_seconds")}

_MIN_GROUPS, _SOME, _SLOWER = 10, 0.1, 0.85
"""Groups that are left out, at least; their share; how often one is slower than one that is kept."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the slowest groups are left out, though attempts at them are paid unequally."""
    rows = graded(context.training)
    if context.texts is None or rows["in_loss"].isna().any() or rows["duration_seconds"].isna().any():
        return Diagnosis()
    groups = rows.groupby("group").agg(
        kept=("in_loss", "max"), spread=("reward", "std"), seconds=("duration_seconds", "mean")
    )
    groups = groups[groups["spread"] > 0]
    is_kept = groups["kept"] > 0
    left, kept = groups.loc[~is_kept, "seconds"], groups.loc[is_kept, "seconds"]
    if len(left) < max(_MIN_GROUPS, _SOME * len(groups)) or len(kept) < _MIN_GROUPS:
        return Diagnosis()
    slower = float(stats.mannwhitneyu(left, kept).statistic) / (len(left) * len(kept))
    if slower < _SLOWER:
        return Diagnosis()
    names = list(is_kept.index[~is_kept])
    shown = rows[rows["group"].isin(names)]
    message = (
        f"{len(left)} of {len(groups)} groups with unequal rewards do not reach the loss, and take "
        f"{left.median():.3g} s an attempt in the middle, those that do {kept.median():.3g} s: a limit on age or time "
        "takes out the slow problems, raise it or draw fewer of them at a time"
    )
    numbers = {"left_out": len(left), "seconds": float(left.median()), "seconds_kept": float(kept.median())}
    return Diagnosis(findings=[context.finding("over_filtering", "warning", message, numbers, (), shown)])
