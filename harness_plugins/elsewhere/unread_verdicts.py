"""Verdicts without a grade: where a judge's text holds none, all attempts get one and the same reward.

A text beside the attempts is the judge's where its numbers are the rewards in most rows. Where it holds no such number
(its thoughts were cut, its form was another) and the reward is one that others seldom have, it is a default.
"""

import re

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, ends_of, outside_columns
from evotrainer.evidence.frames import Frame

NEEDS = {"infrastructure_zeros": ("extra", "reward")}

_NUMBER = re.compile(r"(?<![\w.])-?\d+(?:\.\d+)?(?![\w]|\.\d)")
_TOLD, _SILENT, _SAME, _SELDOM = 0.4, 0.05, 0.9, 0.3
"""Shares: of rows whose text tells the reward, of rows that do not, of one reward among these, and among the others."""
_SCALES = (1.0, 5.0, 10.0, 100.0)
_MIN_ROWS, _MIN_VALUES = 12, 4


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
        scale = max(_SCALES, key=lambda one: _tells(known, name, one).mean())
        told = _tells(known, name, scale)
        silent, others = known[~told], known[told]
        if told.mean() < _TOLD or len(silent) < max(_MIN_ROWS, _SILENT * len(known)):
            continue
        usual = float(silent["reward"].mode().iloc[0])
        shares = [float((part["reward"] == usual).mean()) for part in (silent, others)]
        if shares[0] < _SAME or shares[1] > _SELDOM:
            continue
        message = (
            f"`{name.removeprefix(EXTRA_PREFIX)}` tells the reward of {len(others)} attempts and no grade of "
            f"{len(silent)}, of which {shares[0]:.0%} have the reward {usual:g}, {shares[1]:.0%} of the others: it is "
            "a default, mask these attempts and ask the judge again"
        )
        numbers = {"silent": len(silent), "default": usual, "elsewhere": shares[1]}
        finding = context.finding("infrastructure_zeros", "warning", message, numbers, ("min_rows",), silent)
        return Diagnosis(findings=[finding])
    return Diagnosis()


def _tells(rows: Frame, name: str, scale: float) -> Frame:
    """Tell in which rows a number of the text is the reward, on a scale up to `scale`."""
    pairs = zip(ends_of(rows, name), rows["reward"] * scale, strict=True)
    found = np.array([any(abs(float(one) - reward) < 1e-6 for one in _NUMBER.findall(text)) for text, reward in pairs])
    return rows["reward"].notna() & found
