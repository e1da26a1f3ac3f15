"""Verdicts that are read wrong: a text without a grade gets a default, or one grade is stored as another.

A text beside the attempts is the judge's where its numbers are the rewards in most rows. Where it holds no such number
(its thoughts were cut, its form was another) and the reward is one that others seldom have, it is a default. Where it
holds a number at the place of the grade, always the same one, and earns more than texts with higher grades, or less
than those with lower ones, that grade is read as another: a 1 as 10, a 10 as 1. Clipped grades keep their order.

Where texts tell every reward but one, as a number of a scale or as `2 of 4`, and hold nothing like it at that one, it
is a default, however common. It must lie between other grades: words alone may mean the best grade or the worst.
Attempts out of the loss are not judged there.
"""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, correlation
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, ends_of, outside_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {
    "infrastructure_zeros": ("extra", "reward"),
    "judge_default": ("extra", "reward"),
    "metric_defect": ("extra", "reward"),
}

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)")
_TOLD, _SILENT, _SAME, _SELDOM = 0.4, 0.05, 0.9, 0.3
"""Shares: of rows whose text tells the reward, of rows that do not, of one reward among these, and among the others."""
_SCALES = (1.0, 5.0, 10.0, 100.0)
_MIN_ROWS, _MIN_VALUES = 12, 4
_PLACES = (-1, 0, -2)
"""Where in a text its grade may stand, among its numbers."""
_PARTS = re.compile(r"(?<![\w.])(\d+(?:\.\d+)?)\s*(?:/|(?:out )?of)\s*([1-9]\d*)(?![\w]|\.\d)")
"""A grade as points of all points."""
_EVERY, _BY_CHANCE, _BESIDE, _MIN_TOLD = 0.95, 0.5, 0.15, 30
"""Shares: of other rewards that texts tell, of those that they tell of another row, of grades on each side of the
default; and the fewest rows with other rewards."""
_MAX_VALUES = 120
"""Most different rewards of a judge's scale."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first text that tells most rewards, and leaves others to a default."""
    rows = context.unequally_paid
    if rows.empty or rows["reward"].nunique() < _MIN_VALUES:
        return Diagnosis()
    for name in outside_columns(rows):
        known = rows[rows[name].map(lambda value: isinstance(value, str))]
        if len(known) < context.thresholds.min_rows:
            continue
        found = _read_or_not(context, known, name) or _all_but_one(context, known[known["in_loss"] != 0.0], name)
        if found:
            return Diagnosis(findings=found)
    return Diagnosis()


def _read_or_not(context: Context, known: Frame, name: str) -> list[Finding]:
    """Find a grade that is read as another, or a default that others seldom have."""
    scale = max(_SCALES, key=lambda one: _tells(known, name, one).mean())
    told = _tells(known, name, scale)
    if told.mean() < _TOLD or len(known[~told]) < max(_MIN_ROWS, _SILENT * len(known)):
        return []
    found = _misread(context, known, name, scale)
    if not found and not _is_one_grade(_grades(known, name, told)[~told], scale):
        found = _default(context, known, name, told)
    return found


def _all_but_one(context: Context, known: Frame, name: str) -> list[Finding]:
    """Find the one reward between others that texts do not tell, where they tell every other one."""
    texts, values = ends_of(known, name), known["reward"].round(9).unique()
    if len(values) > _MAX_VALUES or known.empty or texts.str.contains(r"\d").mean() < _TOLD / 2:
        return []
    numbers = [[float(one) for one in _NUMBER.findall(text)] for text in texts]
    shares = [[float(one) / float(other) for one, other in _PARTS.findall(text)] for text in texts]
    held = max((_held(numbers, shares, known["reward"], scale) for scale in _SCALES), key=lambda one: one.told.mean())
    usual = float(known.loc[~held.told, "reward"].mode().iloc[0]) if not held.told.all() else float("nan")
    has = known["reward"] == usual
    silent, others, told = known[has & ~held.told], known[~has], known[held.told]
    if len(silent) < max(_MIN_ROWS, _SILENT * len(known)) or len(others) < _MIN_TOLD:
        return []
    if held.told[~has].mean() < _EVERY or held.by_chance[~has].mean() > _BY_CHANCE:
        return []
    if min((told["reward"] < usual).mean(), (told["reward"] > usual).mean()) < _BESIDE:
        return []
    message = (
        f"`{name.removeprefix(EXTRA_PREFIX)}` tells {held.told[~has].mean():.0%} of the rewards other "
        f"than {usual:g}, and no grade of {len(silent)} that have it: it is a default between other grades, mask "
        "these attempts and ask the judge again"
    )
    numbers_told = {"silent": len(silent), "default": usual, "told": float(held.told[~has].mean())}
    return [context.finding("judge_default", "warning", message, numbers_told, ("min_rows",), silent)]


class _Held(NamedTuple):
    """Which rows' texts tell their reward, and the share of all rows whose reward each text tells."""

    told: Frame
    by_chance: Frame


def _held(numbers: list[list[float]], shares: list[list[float]], rewards: Frame, scale: float) -> _Held:
    """Look for rewards among the numbers of texts, on a scale up to `scale`, and among their points of all points."""
    keys, weights = rewards.round(6), rewards.round(6).value_counts(normalize=True).to_dict()
    found = [
        {one for one in (*(round(n / scale, 6) for n in some), *(round(n, 6) for n in parts)) if one in weights}
        for some, parts in zip(numbers, shares, strict=True)
    ]
    told = [key in some for key, some in zip(keys, found, strict=True)]
    by_chance = [sum(weights[one] for one in some) for some in found]
    return _Held(pd.Series(told, rewards.index, dtype=bool), pd.Series(by_chance, rewards.index, dtype=float))


def _default(context: Context, known: Frame, name: str, told: Frame) -> list[Finding]:
    """Find one reward of texts without a grade, that others seldom have."""
    silent, others = known[~told], known[told]
    usual = float(silent["reward"].mode().iloc[0])
    shares = [float((part["reward"] == usual).mean()) for part in (silent, others)]
    if shares[0] < _SAME or shares[1] > _SELDOM:
        return []
    message = (
        f"`{name.removeprefix(EXTRA_PREFIX)}` tells the reward of {len(others)} attempts and no grade of "
        f"{len(silent)}, of which {shares[0]:.0%} have the reward {usual:g}, {shares[1]:.0%} of the others: it is "
        "a default, mask these attempts and ask the judge again"
    )
    numbers = {"silent": len(silent), "default": usual, "elsewhere": shares[1]}
    return [context.finding("infrastructure_zeros", "warning", message, numbers, ("min_rows",), silent)]


def _misread(context: Context, known: Frame, name: str, scale: float) -> list[Finding]:
    """Find a grade that is stored as another one; critical where it is the worst and earns most."""
    told = _tells(known, name, scale)
    grade = _grades(known, name, told)
    if not _is_one_grade(grade[~told], scale):
        return []
    value = float(grade[~told].mode().iloc[0])
    hit, others = known[~told & (grade == value)], known[told & (grade != value)]
    reward = float(hit["reward"].mode().iloc[0])
    is_one = (known.loc[grade == value, "reward"] == reward).mean() >= _SAME
    below, above = (others.loc[part, "reward"] for part in (grade[others.index] < value, grade[others.index] > value))
    is_out_of_order = bool((above < reward).sum() >= _MIN_ROWS and above.median() < reward) or bool(
        (below > reward).sum() >= _MIN_ROWS and below.median() > reward
    )
    if len(hit) < _MIN_ROWS or not is_one or not is_out_of_order:
        return []
    label = name.removeprefix(EXTRA_PREFIX)
    message = (
        f"`{label}` gives {len(hit)} attempts the grade {value:g}, and they earn {reward:g}, the reward of a grade of "
        f"{reward * scale:g}; in {len(others)} others the reward is that of the grade, {_beside(below, above)}: see "
        "how the grade is read and stored"
    )
    is_worst = below.empty and reward >= float(known["reward"].max())
    numbers = {"attempts": len(hit), "grade": value, "reward": reward, "others": len(others)}
    severity = "critical" if is_worst else "warning"
    return [context.finding("metric_defect", severity, message, numbers, ("min_rows",), hit)]


def _is_one_grade(grades: Frame, scale: float) -> bool:
    """Tell whether nearly all texts hold the same number, one of the scale: a clipped grade, or one that is misread."""
    shares = grades.value_counts() / max(len(grades), 1)
    return bool(len(shares) and shares.iloc[0] >= _SAME and 0 <= shares.index[0] <= scale)


def _beside(below: Frame, above: Frame) -> str:
    parts = [(below, "lower"), (above, "higher")]
    return ", ".join(f"{part.median():.3g} at the middle of {name} grades" for part, name in parts if len(part))


def _grades(known: Frame, name: str, told: Frame) -> Frame:
    """Return the number of each text at the place where, in most told ones, it follows the reward."""
    numbers = [[float(one) for one in _NUMBER.findall(text)] for text in ends_of(known, name)]
    columns = [
        pd.Series([some[place] if -len(some) <= place < len(some) else np.nan for some in numbers], index=known.index)
        for place in _PLACES
    ]
    return max(columns, key=lambda one: _follows(one[told], known.loc[told, "reward"]))


def _follows(grades: Frame, rewards: Frame) -> float:
    value = correlation(grades, rewards)
    return value if np.isfinite(value) else -1.0


def _tells(rows: Frame, name: str, scale: float) -> Frame:
    """Tell in which rows a number of the text is the reward, on a scale up to `scale`."""
    pairs = zip(ends_of(rows, name), rows["reward"] * scale, strict=True)
    found = np.array([any(abs(float(one) - reward) < 1e-6 for one in _NUMBER.findall(text)) for text, reward in pairs])
    return rows["reward"].notna() & found
