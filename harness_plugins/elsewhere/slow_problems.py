"""Attempts that never reach the loss because they take long: a limit on age or time takes out the hard problems.

Groups of one reward teach nothing, and filters leave them out. Where groups with several rewards do not reach the loss,
and these are the slowest by far, a limit on staleness or on time decides what is learned: the quick problems.

Attempts are left out one by one too. Runs mask what was cut or failed, and some keep the best and worst of a group. So
only attempts that were not cut are judged, at the same reward of the same group. Where the longer one is left out
there, time decides. It costs a problem where most attempts at it go unlearned, though they are paid unequally, and
others are learned nearly whole. A few long attempts that are lost at all problems alike take none of them away. Nor
does a choice of the shortest right answer, which leaves out most attempts at every problem.
"""

from scipy import special, stats

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"over_filtering": ("in_loss",)}

_MIN_GROUPS, _SOME, _SLOWER = 10, 0.1, 0.85
"""Groups that are left out, at least; their share; how often one is slower than one that is kept."""
_MIN_PROBLEMS, _MOSTLY, _OF_PROBLEMS, _WHOLE = 4, 0.5, 0.1, 0.75
"""Problems that are lost, at least; the share of attempts kept below which they are; their share of all; share of
attempts kept at others."""
_AT_END = 0.5
"""Share of what is left out that has one length, from which on that length is a limit on answers."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the slowest groups or attempts are left out, though attempts at their problems are paid unequally."""
    rows = graded(context.training)
    if context.texts is None or rows.empty or rows["in_loss"].isna().any() or rows["in_loss"].min() > 0:
        return Diagnosis()
    found = _slow_groups(context, rows) or _long_attempts(context, rows)
    return Diagnosis(findings=[found] if found else [])


def _slow_groups(context: Context, rows: Frame) -> Finding | None:
    if rows["duration_seconds"].isna().any():
        return None
    groups = rows.groupby("group").agg(
        kept=("in_loss", "max"), spread=("reward", "std"), seconds=("duration_seconds", "mean")
    )
    groups = groups[groups["spread"] > 0]
    is_kept = groups["kept"] > 0
    left, kept = groups.loc[~is_kept, "seconds"], groups.loc[is_kept, "seconds"]
    if len(left) < max(_MIN_GROUPS, _SOME * len(groups)) or len(kept) < _MIN_GROUPS:
        return None
    slower = float(stats.mannwhitneyu(left, kept).statistic) / (len(left) * len(kept))
    if slower < _SLOWER:
        return None
    names = list(is_kept.index[~is_kept])
    shown = rows[rows["group"].isin(names)]
    message = (
        f"{len(left)} of {len(groups)} groups with unequal rewards do not reach the loss, and take "
        f"{left.median():.3g} s an attempt in the middle, those that do {kept.median():.3g} s: a limit on age or time "
        "takes out the slow problems, raise it or draw fewer of them at a time"
    )
    numbers = {"left_out": len(left), "seconds": float(left.median()), "seconds_kept": float(kept.median())}
    return context.finding("over_filtering", "warning", message, numbers, (), shown)


def _long_attempts(context: Context, rows: Frame) -> Finding | None:
    rows = rows[~rows["is_truncated"].astype(bool) & rows["reward"].notna()]
    is_left = rows["in_loss"] <= 0
    if is_left.sum() < max(_MIN_GROUPS, _SOME * len(rows)) or is_left.all():
        return None
    for name, unit in (("num_tokens", "tokens"), ("num_chars", "characters"), ("duration_seconds", "s")):
        if rows[name].isna().any() or rows[name].nunique() < _MIN_GROUPS:
            continue
        left, kept = rows.loc[is_left, name], rows.loc[~is_left, name]
        longer = float(stats.mannwhitneyu(left, kept).statistic) / (len(left) * len(kept))
        is_limit = float(left.value_counts(normalize=True).iloc[0]) >= _AT_END
        if longer < _SLOWER or is_limit or not _is_longer_of_equals(rows, name, context.thresholds.alpha):
            continue
        lost = _lost_problems(rows)
        if len(lost) < max(_MIN_PROBLEMS, _OF_PROBLEMS * rows["problem_id"].nunique()):
            return None
        shown = rows[is_left & rows["problem_id"].isin(lost)]
        message = (
            f"{int(is_left.sum())} of {len(rows)} attempts that were not cut do not reach the loss, and have "
            f"{left.median():.3g} {unit} in the middle, those that do {kept.median():.3g}, at equal rewards of a group "
            f"too; most attempts at {len(lost)} problems are lost: what comes late is dropped, and with it the "
            "problems that need long attempts, wait for them or draw fewer at a time"
        )
        numbers = {"left_out": int(is_left.sum()), "problems": len(lost), "longer": longer}
        return context.finding("over_filtering", "warning", message, numbers, ("alpha",), shown)
    return None


def _is_longer_of_equals(rows: Frame, name: str, alpha: float) -> bool:
    """Tell whether attempts that are left out are longer than those kept at the same reward of the same group."""
    means = rows.groupby(["group", "reward", rows["in_loss"] > 0])[name].mean().unstack()
    gaps = (means[False] - means[True]).dropna()
    num_longer = int((gaps > 0).sum())
    if len(gaps) < _MIN_GROUPS or num_longer < _SLOWER * len(gaps):
        return False
    return float(special.bdtrc(num_longer - 1, len(gaps), 0.5)) < alpha


def _lost_problems(rows: Frame) -> list[str]:
    """Return the problems most of whose attempts are left out, and are paid unequally; none if others are lost too."""
    table = rows.groupby("problem_id").agg(kept=("in_loss", "mean"), low=("reward", "min"), high=("reward", "max"))
    is_lost = table["kept"] < _MOSTLY
    is_apart = float(table["kept"][~is_lost].mean()) >= _WHOLE
    return list(table.index[is_lost & (table["low"] < table["high"])]) if is_apart else []
