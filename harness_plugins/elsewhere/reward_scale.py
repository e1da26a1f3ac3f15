"""A reward that has several scales: from a step on, or of one environment beside another.

1. The range of rewards of a step is compared with that of all steps before it. Where each step from one on has five
   times the range of any before, or a fifth, the numbers on both sides do not compare, and advantages that are not
   divided by their deviation grow with them.
2. One environment pays up to 100 and another up to 1. A baseline of each group makes that harmless where it is divided
   by the group's deviation. A baseline of the batch gives all attempts of an environment advantages of one sign, and a
   baseline that is not divided leaves those of one environment many times larger.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, environment_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("reward", "step")}

_MIN_STEPS = 3
"""Steps on each side."""
_TIMES = 5.0
_TIMES_BESIDE = 10.0
"""How many times as much one environment pays as another, where their scales differ."""
_ONE_SIDED = 0.8
"""Share of an environment's groups of unequal rewards whose advantages have one sign."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the scale of the reward jumps, or differs between environments."""
    rows = graded(context.training)
    if context.texts is None or rows.empty:
        return Diagnosis()
    return Diagnosis(findings=_over_steps(context, rows) or _beside(context, context.with_texts(rows)))


def _over_steps(context: Context, rows: Frame) -> list[Finding]:
    rewards = rows.groupby("step")["reward"]
    width = (rewards.max() - rewards.min()).dropna()
    for place in range(_MIN_STEPS, len(width) - _MIN_STEPS + 1):
        before, after = width.iloc[:place], width.iloc[place:]
        if not (before.min() > 0 and after.min() > 0):
            continue
        if after.min() < _TIMES * before.max() and before.min() < _TIMES * after.max():
            continue
        since = int(after.index[0])
        message = (
            f"rewards of a step span {before.median():.3g} before step {since} and {after.median():.3g} from it on: "
            "the scale of the reward has changed"
        )
        numbers = {"before": float(before.median()), "after": float(after.median())}
        shown = rows[rows["step"] >= since]
        return [context.finding("metric_defect", "warning", message, numbers, (), shown)]
    return []


def _beside(context: Context, rows: Frame) -> list[Finding]:
    rows = rows[rows["reward"].notna()]
    for name in environment_columns(rows):
        scales = _scales(rows, name, context.thresholds.min_groups)
        if len(scales) >= 2 and scales.iloc[-1] >= _TIMES_BESIDE * scales.iloc[0]:
            return _judged(context, rows, name, scales)
    return []


def _scales(rows: Frame, name: str, min_groups: int) -> Frame:
    """Return the middle range of rewards in a group, by value of a column; of groups whose rewards differ."""
    by_group = rows.groupby([name, "group"])["reward"]
    width = by_group.max() - by_group.min()
    by_value = width[width > 0].groupby(level=0).agg(["median", "size"])
    return by_value.loc[by_value["size"] >= min_groups, "median"].sort_values()


def _judged(context: Context, rows: Frame, name: str, scales: Frame) -> list[Finding]:
    small, large = scales.index[0], scales.index[-1]
    message = (
        f"rewards of a group with {name.removeprefix(EXTRA_PREFIX)} {str(large)[:40]} span {scales.iloc[-1]:.3g}, with "
        f"{str(small)[:40]} {scales.iloc[0]:.3g}"
    )
    shown = rows[rows[name] == small]
    one_sided, times = _one_sided(shown), _times(rows[rows[name] == large], shown)
    numbers = {"large": float(scales.iloc[-1]), "small": float(scales.iloc[0])}
    severity = "warning"
    if rows["advantage"].isna().all():
        message += ": one drowns the other unless advantages are divided by the deviation of their group"
    elif one_sided >= _ONE_SIDED:
        message += f": in {one_sided:.0%} of the groups with {str(small)[:40]} all advantages have one sign"
    elif times >= _TIMES_BESIDE:
        message += f", and so do their advantages, {times:.3g} times as large"
    else:
        severity = "info"
        message += "; advantages of each group are divided by its deviation, which makes that harmless"
    return [context.finding("metric_defect", severity, message, numbers, ("min_groups",), shown)]


def _one_sided(rows: Frame) -> float:
    """Return the share of groups with unequal rewards whose advantages all have one sign."""
    by_group = rows.groupby("group")[["reward", "advantage"]].agg(["min", "max"])
    unequal = by_group[by_group["reward", "max"] > by_group["reward", "min"]]
    return float(((unequal["advantage", "min"] > 0) | (unequal["advantage", "max"] < 0)).mean())


def _times(large: Frame, small: Frame) -> float:
    widths = [rows["advantage"].abs().mean() for rows in (large, small)]
    return float(widths[0] / widths[1]) if widths[1] > 0 else 0.0
