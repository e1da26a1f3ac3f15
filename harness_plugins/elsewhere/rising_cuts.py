"""A limit of length that begins to cut right work as replies grow longer.

A budget that cut nobody at first may cut few attempts of the whole run, and more with every step. It costs reward where
replies grow, cut attempts that are trained on have the least reward, and whole ones at the same problems often succeed.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, graded, thirds, trend, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"truncation": ("stop_reason", "step", "reward")}

_FEW, _MANY, _UNPAID, _RIGHT = 0.02, 0.05, 0.9, 0.3
"""Shares: cut in the first third of steps, and in the last; cut ones with the least reward; whole ones with more."""
_MIN_CUT, _MIN_PROBLEMS = 8, 4


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where cuts set in with longer replies."""
    limits, rows = context.thresholds, graded(context.training)
    rows = rows[rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    parts = thirds(rows) if len(rows) >= limits.min_rows else None
    if parts is None:
        return Diagnosis()
    early, late = (float(part["is_truncated"].mean()) for part in parts)
    cut = parts[1][parts[1]["is_truncated"].astype(bool)]
    if early > _FEW or late < _MANY or len(cut) < _MIN_CUT or cut["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    rows = rows.assign(_cut=rows["is_truncated"].astype(float))
    cuts, grown = (trend(rows, name, limits.min_groups) for name in ("_cut", "num_chars"))
    if cuts is None or grown is None or cuts.z < z_limit(limits.limit_alpha) or grown.z < z_limit(limits.alpha):
        return Diagnosis()
    right = _right_beside(parts[1], cut, float(rows["reward"].min()))
    if (cut["reward"] <= rows["reward"].min()).mean() < _UNPAID or right < _RIGHT:
        return Diagnosis()
    message = (
        f"{late:.0%} of attempts were cut by the budget in the last third of steps and {early:.0%} in the first, as "
        f"replies grew; {right:.0%} of whole attempts at the same problems are paid, and cut ones are not: raise the "
        "budget, or mask what is cut"
    )
    numbers = {"early": early, "late": late, "right_beside": right}
    names = ("alpha", "limit_alpha")
    return Diagnosis(findings=[context.finding("truncation", "warning", message, numbers, names, cut)])


def _right_beside(rows: Frame, cut: Frame, least: float) -> float:
    """Return the share of whole attempts that are paid in the groups of cut ones; 0 where there are none."""
    whole = rows[rows["group"].isin(cut["group"]) & ~rows["is_truncated"].astype(bool)]
    return float((whole["reward"] > least).mean()) if len(whole) else 0.0
