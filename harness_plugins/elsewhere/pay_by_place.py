"""Pay that goes by an attempt's place in its group: later attempts earn more, or less, than earlier ones for the same.

Attempts of a group are drawn alike, so their place says nothing of them, unless something is handed on: an environment
that is not set back or wears out, or a bonus that adds up in a term. The rank correlation of place and reward is taken
within each group, and its mean is compared with 0 over groups. Groups that are sorted by reward or length tell how the
file was written, and nothing else.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame

NEEDS = {"leftover_state": ("reward", "group"), "reward_bias": ("reward_terms", "group")}

_WORTH = 0.2
"""Mean correlation of place and reward within a group from which it is told."""
_SORTED, _MIN_SIZE, _MIN_GROUPS = 0.5, 4, 12


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the reward, or one of its terms, follows the place in the group."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    by_group = rows.groupby("group")["place"]
    rows = rows[by_group.transform("size") >= _MIN_SIZE]
    if any(_is_sorted(_correlations(rows, name)) for name in ("reward", "num_tokens", "num_chars")):
        return Diagnosis()
    for name in ("reward", *(str(column) for column in rows.columns if str(column).startswith(TERM_PREFIX))):
        values = _correlations(rows, name)
        if len(values) < _MIN_GROUPS:
            continue
        mean, error = float(values.mean()), float(values.std()) / math.sqrt(len(values))
        if abs(mean) < _WORTH or abs(mean) < z_limit(context.thresholds.alpha / 2) * error:
            continue
        what = "more" if mean > 0 else "less"
        message = (
            f"within a group {name.removeprefix(TERM_PREFIX)} goes with the place of the attempt (mean rank "
            f"correlation {mean:.2f} over {len(values)} groups): later attempts earn {what} for the "
            "same: look for what they find of those before them"
        )
        numbers = {"correlation": mean, "groups": len(values)}
        mode = "leftover_state" if name == "reward" else "reward_bias"
        return Diagnosis(findings=[context.finding(mode, "warning", message, numbers, ("alpha",), rows)])
    return Diagnosis()


def _is_sorted(values: Frame) -> bool:
    """Tell whether most groups are in the order of a column."""
    return len(values) > 0 and bool((values.abs() >= 1.0 - 1e-9).mean() > _SORTED)


def _correlations(rows: Frame, name: str) -> Frame:
    """Return the rank correlation of place and value in each group whose values differ."""
    known = rows[rows[name].notna()]
    ranks = known.groupby("group")[["place", name]].rank()
    centred = ranks - ranks.groupby(known["group"]).transform("mean")
    products = centred["place"] * centred[name]
    sums = [part.groupby(known["group"]).sum() for part in (products, centred["place"] ** 2, centred[name] ** 2)]
    is_live = (sums[2] > 0) & (sums[1] > 0)
    return (sums[0] / (sums[1] * sums[2]) ** 0.5)[is_live]
