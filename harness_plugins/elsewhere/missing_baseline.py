"""Advantages that are the rewards themselves, though several attempts were made at each problem.

An estimator of groups takes the group's mean off. Where every group has one attempt by the trainer's count (an id of
the attempt in place of the problem's), nothing is taken off, and attempts as good as their group are reinforced all the
same. A trainer without a baseline looks alike; it learns more slowly, and the warning holds for it too. A column that
is different in each row and might be that id is named.
"""

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frames import Frame

NEEDS = {"phantom_advantage": ("advantage", "reward", "group")}

_SAME = 1e-6


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where advantages of groups are their rewards."""
    rows = context.with_texts(graded(context.training))
    rows = rows[rows["advantage"].notna() & rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    by_group = rows.groupby("group")["reward"]
    grouped = rows[by_group.transform("size") >= 2]
    num_groups, live = grouped["group"].nunique(), int((by_group.nunique() > 1).sum())
    if live < context.thresholds.min_groups or not _are_rewards(grouped):
        return Diagnosis()
    if np.abs(grouped.groupby("group")["reward"].mean()).max() < _SAME:
        return Diagnosis()
    own = _own_ids(rows)
    named = f"; `{own}` is another for each attempt, see whether groups are formed by it" if own else ""
    message = (
        f"in all {num_groups} groups the advantage is the reward itself: nothing is compared within a group, and "
        f"what is rewarded always is reinforced like what is new{named}"
    )
    numbers = {"groups": num_groups, "mean_advantage": float(grouped["advantage"].mean())}
    found = context.finding("phantom_advantage", "warning", message, numbers, ("min_groups",), grouped)
    return Diagnosis(findings=[found])


def _are_rewards(rows: Frame) -> bool:
    return bool((np.abs(rows["advantage"] - rows["reward"]) < _SAME).all())


def _own_ids(rows: Frame) -> str:
    """Return a column of texts that never repeats; empty where there is none."""
    for name in [str(column) for column in rows.columns if str(column).startswith(EXTRA_PREFIX)]:
        if rows[name].map(lambda value: isinstance(value, str)).all() and rows[name].is_unique:
            return name.removeprefix(EXTRA_PREFIX)
    return ""
