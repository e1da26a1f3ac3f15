"""Advantages that pay for the best of a group, not for each attempt: they are no straight line of the reward.

Training for pass@k (arXiv 2508.10751, section 2.3; arXiv 2505.15201) gives winners the less the more of them a group
has, and nothing where k attempts are sure to hold one. So of a binary reward the advantage depends on the outcome and
on how many of the group are right, on nothing else. So does the lead of the best attempt over the second (arXiv
2503.19595).
"""

import pandas as pd

from evotrainer.evidence.frames import Frame

_TOLERANCE = 1e-3
_MIN_GROUPS = 12
"""Fewest groups of both outcomes from which a function of the count can be told from chance."""
_SEEN_AGAIN = 0.8
"""Share of groups that must have the count of another: a count that is seen once proves nothing."""


def is_of_counts(rows: Frame) -> bool:
    """Tell whether advantages of a binary reward follow from it and from how many of the group are right alone."""
    low, high = float(rows["reward"].min()), float(rows["reward"].max())
    if low == high or not rows["reward"].isin([low, high]).all():
        return False
    won, advantage, groups = rows["reward"] == high, rows["advantage"], rows["group"]
    table: Frame = pd.DataFrame(
        {
            "size": won.groupby(groups).size(),
            "wins": won.groupby(groups).sum(),
            "least_win": advantage[won].groupby(groups[won]).min(),
            "most_win": advantage[won].groupby(groups[won]).max(),
            "least_loss": advantage[~won].groupby(groups[~won]).min(),
            "most_loss": advantage[~won].groupby(groups[~won]).max(),
        }
    ).dropna()
    classes = table.groupby(["size", "wins"])
    again = classes["wins"].transform("size") >= 2
    if len(table) < _MIN_GROUPS or again.mean() < _SEEN_AGAIN:
        return False
    scale = float(advantage.abs().max())
    spread = (classes["most_win"].max() - classes["least_win"].min()).combine(
        classes["most_loss"].max() - classes["least_loss"].min(), max
    )
    lead = classes["least_win"].min() - classes["most_loss"].max()
    falls = classes["least_win"].min().groupby(level="size").diff().fillna(0.0)
    tolerance = _TOLERANCE * scale
    return bool(
        (spread <= tolerance).all()
        and (lead >= -tolerance).all()
        and (lead > tolerance).any()
        and falls.max() <= tolerance
    )
