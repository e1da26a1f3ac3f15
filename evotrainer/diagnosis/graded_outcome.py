"""Outcomes that are a mark on a graded reward: right is what earns more than some number.

There the reward is the measure and the outcome its shadow: differences among attempts of one outcome are what training
is for, and no term beside it. A bonus beside a binary outcome parts the same way, but leaves a gap between right and
wrong, or hardly differs within them.
"""

from evotrainer.evidence.frames import Frame

_GAP, _WITHIN = 0.05, 0.25
"""Gap between wrong and right as a share of the range, and deviation within both as a share of that of all."""


def is_mark_on_reward(rows: Frame) -> bool:
    """Tell whether the outcome only says on which side of a number a graded reward lies."""
    known = rows[rows["reward"].notna() & rows["correct"].isin([0.0, 1.0])]
    wrong, right = (known.loc[known["correct"] == outcome, "reward"] for outcome in (0.0, 1.0))
    if min(len(wrong), len(right)) < 2:
        return False
    spread = float(known["reward"].max() - known["reward"].min())
    gap = float(right.min() - wrong.max())
    within = float((wrong.std() + right.std()) / 2)
    return 0 < gap <= _GAP * spread and within >= _WITHIN * float(known["reward"].std())
