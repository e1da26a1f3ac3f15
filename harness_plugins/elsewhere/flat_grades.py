"""One exact grade for right and wrong at some problems, where elsewhere grades follow what is right: nobody graded.

A judge that times out, a log that was not found, a service that is down for one repository: all attempts at these
problems get a default. It shows in groups that hold right and wrong attempts and one and the same reward, which hardly
stands anywhere else, while in other such groups the reward follows the outcome.

Sound graders make groups of one reward too: attempts that are all right or all wrong, the greatest reward at a loose
check, a fine for a form or a length. Such rewards stand in other groups as well, beside other ones. Groups
that do not reach the loss are not judged. A reward that is switched on at a step leaves the steps before it flat, not a
part of the problems.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.followed_measures import followed_measures
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frames import Frame

NEEDS = {"judge_default": ("reward", "group")}

_MIN_SIZE, _MIN_GROUPS, _MIN_PROBLEMS = 3, 6, 4
_WHOLE, _ELSEWHERE = 0.9, 0.1
"""Shares of the attempts with the reward that stand in flat groups, at least, and of other groups that are flat."""
_MIN_STEPS = 0.5
"""Share of the steps with flat groups that hold other groups too."""
_NAMED, _MAX_VALUES = 0.98, 64


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where one reward stands for right and wrong attempts at some problems."""
    rows = context.unequally_paid
    rows = rows[rows["in_loss"] != 0.0]
    rows = rows.assign(reward=rows["reward"].round(9))
    if rows.empty:
        return Diagnosis()
    groups = rows.groupby("group")["reward"].agg(["size", "min", "max"])
    groups = groups[groups["size"] >= _MIN_SIZE]
    flat = groups[(groups["min"] == groups["max"]) & (groups["max"] < rows["reward"].max())]
    if len(flat) < _MIN_GROUPS:
        return Diagnosis()
    usual = float(flat["max"].mode().iloc[0])
    is_flat = rows["group"].isin(flat.index[flat["max"] == usual])
    if is_flat.sum() < _WHOLE * (rows["reward"] == usual).sum() or _is_of_steps(rows, is_flat):
        return Diagnosis()
    for measure in followed_measures(rows, ~is_flat):
        found = rows[is_flat & _is_mixed(rows, measure)]
        if found["group"].nunique() >= _MIN_GROUPS and found["problem_id"].nunique() >= _MIN_PROBLEMS:
            return _judge(context, rows, is_flat, measure, usual)
    return Diagnosis()


def _is_of_steps(rows: Frame, is_flat: Frame) -> bool:
    """Tell whether flat groups make up whole steps, not a part of the problems."""
    share = is_flat.groupby(rows["step"]).mean()
    return bool((share[share > 0] < 1).mean() < _MIN_STEPS)


def _is_mixed(rows: Frame, measure: str) -> Frame:
    return rows.groupby("group")[measure].transform("nunique") > 1


def _judge(context: Context, rows: Frame, is_flat: Frame, measure: str, usual: float) -> Diagnosis:
    spread = rows.groupby("group")["reward"].transform("nunique")
    others = rows[~is_flat & _is_mixed(rows, measure)].groupby("group").head(1)
    if len(others) < _MIN_GROUPS or (spread[others.index] == 1).mean() > _ELSEWHERE:
        return Diagnosis()
    found, named = rows[is_flat], _named(rows, is_flat)
    right = int((found[measure] >= 1.0).sum())
    message = (
        f"{len(found)} attempts at {found['problem_id'].nunique()} problems{named} all have the reward {usual:g}, "
        f"{right} right ones as the wrong ones, and elsewhere rewards follow what is right: nobody graded them, mask "
        "them and see what the grader lacks there"
    )
    numbers = {"attempts": len(found), "right": right, "reward": usual}
    shown = found.sort_values(measure, ascending=False, kind="stable")
    return Diagnosis(findings=[context.finding("judge_default", "warning", message, numbers, (), shown)])


def _named(rows: Frame, is_flat: Frame) -> str:
    """Return words for the first column of which one value tells these attempts from others."""
    for name in outside_columns(rows):
        values = rows.loc[is_flat, name].value_counts(normalize=True)
        if values.empty or values.iloc[0] < _NAMED or rows[name].nunique() > _MAX_VALUES:
            continue
        if (rows.loc[~is_flat, name] == values.index[0]).mean() <= 1 - _NAMED:
            return f" with {name.removeprefix(EXTRA_PREFIX)} {str(values.index[0])[:60]}"
    return ""
