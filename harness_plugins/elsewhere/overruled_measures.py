"""Two measures of one thing that are equal in most attempts, and part in those that earn more than they show.

1. A measure has the value of the reward in most attempts. Others, with values that are paid as they stand elsewhere,
   have the greatest reward: something else than the check decided. A reward that is the sum of its recorded terms is
   none: one term pays where another does not.
2. Two measures whose names share a word, or that are nearly equal over a wide range, go together in most attempts; in
   some, one is a multiple of the other and those earn most. What was measured for the reward is not what the other
   measurement sees.
"""

import re
from itertools import combinations

from evotrainer.diagnosis.context import Context, Diagnosis, correlation
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, is_measure
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"weak_verifier": ("extra", "reward"), "reward_outcome_divergence": ("extra", "reward")}

_MOST, _SOME = 0.5, 0.05
"""Share of attempts with equal measures, and of those that part, from which both are no chance."""
_ALWAYS, _MIN_PROBLEMS, _TIMES, _NEAR = 0.95, 5, 3.0, 0.1
_FOLLOWS = 0.3
_MIN_VALUES, _WIDE = 20, 2.0
"""Different values of each, and their upper quartile by the lower one, where near values are no chance."""
_WORD = re.compile(r"[a-z]{4,}")


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first measure that the reward overrules, or for two that part."""
    rows = context.unequally_paid
    names = [str(name) for name in rows.columns if str(name).startswith((EXTRA_PREFIX, TERM_PREFIX))]
    for name in names:
        if is_measure(rows[name]) and (found := _overruled(context, rows, name)):
            return Diagnosis(findings=found)
    numbers = [name for name in names if rows[name].map(lambda value: isinstance(value, float)).all()]
    for first, second in combinations([name for name in numbers if rows[name].nunique() > 1], 2):
        if _words(first) & _words(second) or _are_one(rows, first, second):
            found = _parted(context, rows, first, second) or _parted(context, rows, second, first)
            if found:
                return Diagnosis(findings=found)
    return Diagnosis()


def _overruled(context: Context, rows: Frame, name: str) -> list[Finding]:
    """Find the greatest reward at values of a measure that are paid as they stand in other attempts."""
    if name.startswith(TERM_PREFIX) and _is_sum(rows):
        return []
    values, best = rows[name].astype(float), rows["reward"].max()
    is_equal, is_lower = (values - rows["reward"]).abs() < 1e-3, values < best - 1e-3
    # A check has values up to the best one; a setting near 0 equals the reward of failures alone.
    if not is_equal.mean() >= _MOST or not is_lower.any() or (is_equal & ~is_lower).mean() < _SOME:
        return []
    # What chooses one attempt of each group for training measures no attempt.
    if (values[rows["reward"] >= best] >= best - 1e-3).groupby(rows["group"]).sum().max() <= 1:
        return []
    as_measured = set(values[is_equal & is_lower].round(3))
    parted = rows[~is_equal & values.round(3).isin(as_measured)]
    paid = parted[parted["reward"] >= best]
    if len(paid) < _SOME * len(rows) or len(paid) < _ALWAYS * (~is_equal).sum():
        return []
    if paid["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    message = (
        f"{len(paid)} attempts have the greatest reward at a `{_bare(name)}` of {values[paid.index].mean():.2f} on "
        f"average, while in {is_equal.mean():.0%} of attempts the reward is `{_bare(name)}` itself: something else "
        "than the check decides, see what overrules it"
    )
    numbers = {"attempts": len(paid), "measured": float(values[paid.index].mean()), "equal": float(is_equal.mean())}
    return [context.finding("weak_verifier", "critical", message, numbers, (), paid)]


def _is_sum(rows: Frame) -> bool:
    """Tell whether the reward is the sum of its recorded terms: one pays where another does not."""
    terms = [str(name) for name in rows.columns if str(name).startswith(TERM_PREFIX)]
    total = rows[terms].astype(float).sum(axis=1)
    return bool(len(terms) > 1 and ((total - rows["reward"]).abs() < 1e-3).mean() >= _ALWAYS)


def _parted(context: Context, rows: Frame, name: str, other: str) -> list[Finding]:
    """Find attempts in which one of two measures is a multiple of the other, and that earn most."""
    values, others = rows[name].astype(float), rows[other].astype(float)
    known = (values > 0) & (others > 0)
    if known.sum() < context.thresholds.min_rows:
        return []
    # What is paid may be a cost, so that less of it earns more.
    pay = rows.loc[known, "reward"]
    if correlation(values[known], pay) < _FOLLOWS and correlation(others[known], pay) > -_FOLLOWS:
        return []
    is_near = (values[known] - others[known]).abs() <= _NEAR * others[known]
    parted = rows[known][values[known] >= _TIMES * others[known]]
    if is_near.mean() < _MOST or len(parted) < _SOME * len(rows) or parted["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    usual = float(rows.loc[is_near[is_near].index, "reward"].quantile(0.9))
    if not parted["reward"].median() > usual:
        return []
    ratio = float((values / others)[parted.index].median())
    message = (
        f"`{_bare(name)}` and `{_bare(other)}` are alike in {is_near.mean():.0%} of attempts; in {len(parted)} the "
        f"first is {ratio:.3g} times the second, and half of those earn {parted['reward'].median():.3g} and more, nine "
        f"in ten of the others at most {usual:.3g}: what is paid is not what the other measurement sees"
    )
    numbers = {"attempts": len(parted), "ratio": ratio, "alike": float(is_near.mean())}
    return [context.finding("reward_outcome_divergence", "critical", message, numbers, ("min_rows",), parted)]


def _are_one(rows: Frame, first: str, second: str) -> bool:
    """Tell whether most values of two columns are nearly equal, though each has a wide range."""
    values, others = rows[first].astype(float), rows[second].astype(float)
    known = (values > 0) & (others > 0)
    if known.mean() < _MOST or min(values[known].nunique(), others[known].nunique()) < _MIN_VALUES:
        return False
    is_near = (values[known] - others[known]).abs() <= _NEAR * others[known]
    low, high = others[known].quantile([0.25, 0.75])
    return bool(is_near.mean() >= _MOST and high >= _WIDE * low)


def _bare(name: str) -> str:
    return name.removeprefix(EXTRA_PREFIX).removeprefix(TERM_PREFIX)


def _words(name: str) -> set[str]:
    return set(_WORD.findall(_bare(name).lower()))
