"""A grader that falls back: one exact reward, neither the best nor won by any answer, takes over.

A judge whose reply cannot be read gives a default. It shows as one value of a graded reward that becomes common over
the run, or holds a third of all rewards among many, at answers that differ in nothing else: their other rewards lie
around it. Answers that differ in their language, and groups that all say the same, may well have one reward. Rewards of
two or three values are not judged, nor is a greatest value, which a policy may learn to earn.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, graded, thirds
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"infrastructure_zeros": ("reward", "step")}

_MIN_VALUES = 5
_RISE = 0.25
_APART = 0.4
"""Distance from one half of the area that tells answers with the reward from others by their texts."""
_SHARE, _MIN_MANY, _TIMES = 0.3, 12, 4.0
_SHARE_OF_SINGLE, _SINGLE, _ROUND = 0.1, 0.8, 2
"""Share of one reward among rewards of which most stand once, how many of them do, and decimals of a range's ends."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where one reward takes over."""
    if context.texts is None:
        return Diagnosis()
    rows = context.with_texts(graded(context.rows))
    rows = rows[rows["reward"].notna()].assign(reward=rows["reward"].round(9))
    counts = rows["reward"].value_counts()
    if len(rows) < context.thresholds.min_rows or len(counts) < _MIN_VALUES:
        return Diagnosis()
    return Diagnosis(findings=_takes_over(context, rows) or _atom(context, rows, counts))


def _takes_over(context: Context, rows: Frame) -> list[Finding]:
    parts = thirds(rows)
    if parts is None:
        return []
    early, late = (part["reward"].value_counts(normalize=True) for part in parts)
    rises = (late - early.reindex(late.index, fill_value=0.0)).drop(rows["reward"].max(), errors="ignore")
    if rises.empty or rises.max() < _RISE or not _others_stay(parts, float(rises.idxmax())):
        return []
    value = float(rises.idxmax())
    if _is_other_text(parts[1], value):
        return []
    was, now = float(early.get(value, 0.0)), float(late[value])
    message = (
        f"the reward {value:g} went from {was:.0%} of attempts in the first steps to {now:.0%} in the last, while "
        "other rewards stay as they were: see whether the grader falls back to a default"
    )
    return [_found(context, rows, value, message, {"early": was, "late": now})]


def _others_stay(parts: tuple[Frame, Frame], value: float) -> bool:
    """Tell whether the rewards beside a value have not moved towards it: a policy that changes moves them all."""
    early, late = (part.loc[part["reward"] != value, "reward"] for part in parts)
    if len(early) < 10 or len(late) < 10:
        return False
    return bool(late.mean() >= early.mean() - 0.5 * early.std())


def _is_other_text(late: Frame, value: float) -> bool:
    """Tell whether answers with a reward are written in another language than the others, or say one thing a group.

    A grader that is sound gives such answers one reward: nonsense earns nothing, and a rank needs two answers.
    """
    has_value = late["reward"] == value
    for column in ("likelihood", "other_scripts"):
        marked, others = late.loc[has_value, column].dropna(), late.loc[~has_value, column].dropna()
        if len(marked) and len(others):
            area = scipy.stats.mannwhitneyu(marked, others).statistic / (len(marked) * len(others))
            if abs(area - 0.5) > _APART:
                return True
    size, texts = (late.groupby("group")["response_hash"].transform(how) for how in ("size", "nunique"))
    return bool(((size > 1) & (texts == 1))[has_value].mean() > 0.5)


def _atom(context: Context, rows: Frame, counts: Frame) -> list[Finding]:
    value, share = float(counts.index[0]), float(counts.iloc[0] / len(rows))
    is_inner = rows["reward"].min() < value < rows["reward"].max()
    # Of rewards that hardly ever repeat, fewer equal ones are no chance.
    is_continuous = (counts.iloc[1:] == 1).mean() >= _SINGLE
    is_inner |= is_continuous and abs(value - round(value, _ROUND)) > 1e-6  # no end of a range is so odd a number
    least = _SHARE_OF_SINGLE if is_continuous else _SHARE
    if not is_inner or len(counts) < _MIN_MANY or share < least or counts.iloc[0] < _TIMES * counts.iloc[1]:
        return []
    message = (
        f"{share:.0%} of attempts have the reward {value:g}, {counts.iloc[0] / counts.iloc[1]:.0f} times any other "
        f"of {len(counts)} values: see whether the grader falls back to a default"
    )
    return [_found(context, rows, value, message, {"share": share})]


def _found(context: Context, rows: Frame, value: float, message: str, numbers: dict[str, float]) -> Finding:
    examples = rows[rows["reward"] == value].sort_values("step", ascending=False, kind="stable")
    return context.finding(
        "infrastructure_zeros", "warning", message, numbers | {"value": value}, ("min_rows",), examples
    )
