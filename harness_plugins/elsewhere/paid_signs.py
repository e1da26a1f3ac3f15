"""A reward that counts signs or tokens: what is left of it without them has few values.

Where the reward is so much for each sign and a few marks besides, pairs of attempts at a problem differ in it by their
lengths times one factor, unless their marks differ. The factor that most pairs have is taken off. If that leaves a few
values where there were many, length is a part of the reward, whatever no column says of it. A factor above 0 pays for
writing on, whether it helps or not. One below 0 is a penalty, which is a method.
"""

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"length_gaming": ("num_chars", "reward", "group")}

_MANY, _FEW, _NEARLY_ALL = 20, 6, 0.95
"""Different rewards that are explained, values that may be left, and the share of attempts that have one of these."""
_OFTEN, _DIGITS, _NEAR = 0.3, 4, 1e-3
"""Share of pairs with one factor, figures that it is compared in, and what is one value, as a share of all rewards."""
_LENGTHS = ("num_chars", "num_tokens")


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the reward grows with each sign."""
    rows = context.unequally_paid
    if rows.empty or rows["reward"].round(6).nunique() < _MANY:
        return Diagnosis()
    for name in _LENGTHS:
        factor = _factor(rows, name)
        left = (rows["reward"] - factor * rows[name]).to_numpy()
        if factor <= 0 or not _are_few(left, float(np.ptp(rows["reward"]))):
            continue
        spread = float(rows.groupby("group")[name].agg(np.ptp).median()) * factor
        what = "sign" if name == "num_chars" else "token"
        message = (
            f"the reward holds {factor:.3g} for each {what}, and little else: attempts at one problem differ in it by "
            f"{spread:.2g} through their length alone; take it out, or pay for right answers alone"
        )
        shown = rows.sort_values(name, ascending=False, kind="stable")
        numbers = {"factor": factor, "spread": spread}
        return Diagnosis(findings=[context.finding("length_gaming", "warning", message, numbers, (), shown)])
    return Diagnosis()


def _factor(rows: Frame, name: str) -> float:
    """Return the reward of one more unit of length that most neighbours of a group differ by; 0 for none."""
    rows = rows.sort_values(["group", name], kind="stable")
    is_same = (rows["group"] == rows["group"].shift()).to_numpy()[1:]
    longer, more = np.diff(rows[name].to_numpy(dtype=float)), np.diff(rows["reward"].to_numpy())
    is_pair = is_same & (longer > 0)
    if not is_pair.any():
        return 0.0
    factors = more[is_pair] / longer[is_pair]
    rounded = np.array([float(f"{value:.{_DIGITS - 1}e}") for value in factors])
    values, counts = np.unique(rounded[rounded != 0], return_counts=True)
    if not len(values) or counts.max() < _OFTEN * is_pair.sum():
        return 0.0
    return float(np.median(factors[rounded == values[counts.argmax()]]))


def _are_few(values: np.ndarray, span: float) -> bool:
    """Tell whether nearly all values stand at a few places."""
    places = np.round(values / (_NEAR * span))
    _, counts = np.unique(places, return_counts=True)
    return np.sort(counts)[::-1][:_FEW].sum() >= _NEARLY_ALL * len(values)
