"""Order violations: how often a reward ranks a wrong attempt above a correct one of its group."""

from collections.abc import Sequence

from evotrainer.records import Trajectory


def order_violations(rows: Sequence[Trajectory], groups: Sequence[Sequence[int]]) -> float:
    """Return the share of (correct, wrong) pairs of a group in which the wrong attempt earns more; 0 without pairs."""
    wrong_order = pairs = 0
    for members in groups:
        right = [rows[i].reward or 0.0 for i in members if rows[i].correct]
        wrong = [rows[i].reward or 0.0 for i in members if not rows[i].correct]
        pairs += len(right) * len(wrong)
        wrong_order += sum(low < high for low in right for high in wrong)
    return wrong_order / max(1, pairs)
