"""A reward that does not know what is right: its correlation with correctness within groups is near 0.

Correctness of its own must be recorded beside the reward. A shaped or graded reward may follow it loosely; one that
does not follow it at all is a coin.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, correlation, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"reward_outcome_divergence": ("reward", "correct", "group")}

_LEAST = 0.15
"""Correlation below which a reward hardly knows the outcome."""
_MIN_MIXED = 80


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where the reward is significantly below a correlation that any grader has."""
    rows = context.graded
    is_known = rows["reward"].notna() & rows["correct"].notna()
    rows = rows.loc[is_known, ["trajectory_id", "group", "reward", "correct"]]
    if context.texts is None or rows.empty:
        return Diagnosis()
    means = rows.groupby("group")[["reward", "correct"]].transform("mean")
    reward, correct = rows["reward"] - means["reward"], rows["correct"] - means["correct"]
    mixed = rows[correct.abs().groupby(rows["group"]).transform("max") > 0]
    value = correlation(reward[mixed.index], correct[mixed.index])
    if len(mixed) < _MIN_MIXED or not math.isfinite(value):
        return Diagnosis()
    bound = math.tanh(
        math.atanh(max(min(value, 0.999), -0.999)) + z_limit(context.thresholds.alpha) / math.sqrt(len(mixed) - 3)
    )
    if bound >= 2 * _LEAST or value >= _LEAST:
        return Diagnosis()
    message = (
        f"within groups the reward hardly follows correctness (correlation {value:.2f} over {len(mixed)} attempts, "
        f"limit {_LEAST:g}): it pays for something else, or by chance"
    )
    numbers = {"correlation": value, "rows": len(mixed)}
    examples = mixed[(mixed["correct"] <= 0)].sort_values("reward", ascending=False, kind="stable")
    return Diagnosis(
        findings=[context.finding("reward_outcome_divergence", "critical", message, numbers, ("alpha",), examples)]
    )
