"""Attempts at fixed places of their groups that are copies of each other: seeds of the sampler restart within a group.

Where a group is drawn in parts, and each part counts its seeds anew, the first of each part is one text, and so is the
second. Attempts that are equal by chance, as short answers are, stand at any places. So it is a finding where two
places of whole groups hold one text far more often than places in the middle do. Where rows of a group are sorted, by
reward or by length, equal ones stand together: such groups are not judged.
"""

from itertools import combinations

import numpy as np
from scipy import special

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"entropy_collapse": ("num_chars", "group")}

_MIN_SIZE, _MIN_GROUPS, _MAX_SIZE = 3, 8, 64
"""Attempts of a group, groups of that size that are compared, and a size beyond which groups are no samples."""
_SOME, _TIMES = 0.25, 3.0
"""Share of groups that hold one text at two places, and how many times as often as at places in the middle."""
_SORTED = 0.95
_SURPRISING = 1e-4


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where two places of groups hold the same text far more often than others."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    rows = _whole_groups(rows[(rows["decoding"] != "greedy") & (rows["num_chars"] > 0)])
    size = int(rows.groupby("group").size().max()) if len(rows) else 0
    if not _MIN_SIZE <= size <= _MAX_SIZE or len(rows) < _MIN_GROUPS * size or _is_sorted(rows, size):
        return Diagnosis()
    texts = rows["response_hash"].to_numpy().reshape(-1, size)
    pairs = list(combinations(range(size), 2))
    shares = np.array([float((texts[:, one] == texts[:, other]).mean()) for one, other in pairs])
    usual = float(np.median(shares))
    top = int(shares.argmax())
    count = round(shares[top] * len(texts))
    floor = max(usual, 1 / len(texts))
    chance = float(special.bdtrc(count - 1, len(texts), floor)) * len(pairs)
    if shares[top] < max(_SOME, _TIMES * floor) or chance > _SURPRISING:
        return Diagnosis()
    alike = [pair for pair, share in zip(pairs, shares, strict=True) if share >= max(_SOME, _TIMES * floor)]
    named = ", ".join(f"{one + 1} and {other + 1}" for one, other in alike[:4])
    message = (
        f"attempts {named} of their groups are the same text in {shares[top]:.0%} of {len(texts)} groups, those at "
        f"other places in {usual:.0%}: seeds of the sampler restart within a group, which is smaller than it looks"
    )
    numbers = {"share": float(shares[top]), "usual": usual, "groups": len(texts), "pairs": len(alike)}
    groups = rows["group"].to_numpy()[::size][texts[:, pairs[top][0]] == texts[:, pairs[top][1]]]
    shown = rows[rows["group"].isin(groups)]
    return Diagnosis(findings=[context.finding("entropy_collapse", "warning", message, numbers, (), shown)])


def _whole_groups(rows: Frame) -> Frame:
    """Return the groups of the commonest size, each in one piece and in the order of the file."""
    size = rows.groupby("group")["group"].transform("size")
    if size.empty:
        return rows
    return rows[size == size.mode().iloc[0]].sort_values(["group", "place"], kind="stable")


def _is_sorted(rows: Frame, size: int) -> bool:
    """Tell whether rows of a group stand by their reward or their length."""
    for name in ("reward", "num_chars", "num_tokens"):
        steps = np.diff(rows[name].to_numpy(float).reshape(-1, size), axis=1)
        steps = steps[np.isfinite(steps) & (steps != 0)]
        if len(steps) and max((steps > 0).mean(), (steps < 0).mean()) >= _SORTED:
            return True
    return False
