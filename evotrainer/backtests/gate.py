"""The gate before training: one judgement on what the families' replays say, with a reason in numbers.

A group filter may drop what a reward may not: published filters keep as little as a quarter of all groups, but of the
usable ones more than half. Below 30% kept a filter starves the batch.
"""

import math
from collections.abc import Sequence

from evotrainer.backtests.forecast import Replayed, predicted_effect
from evotrainer.backtests.inputs import ReplayInputs
from evotrainer.backtests.replay import SignalReplay
from evotrainer.config import Config
from evotrainer.config.factors import FACTORS
from evotrainer.records import Backtest, Intervention

MAX_MISTRUNCATED = 0.05
MAX_USABLE_LOSS = 0.2
MAX_FILTER_LOSS = 0.5
"""A filter drops groups on purpose; beyond half of the usable ones it drops the signal."""
MIN_KEPT = 0.3
MAX_VIOLATION_RISE = 0.02
MAX_EXPECTED_LOSS = 0.02


def judge(
    intervention: Intervention, parent: Config, child: Config, evidence: ReplayInputs, parts: Sequence[Replayed]
) -> Backtest:
    """Return the Backtest of an intervention whose factors were replayed one by one."""
    before, after = map(evidence.replayed, (parent, child))
    usable_after = min(1.0, after.usable_groups * math.prod(part.usable_ratio for part in parts))
    effect = predicted_effect(parts, evidence)
    objections = refusals(intervention, before, after, usable_after, effect, parts)
    notes = [note for part in parts for note in part.notes]
    return Backtest(
        intervention_id=intervention.intervention_id,
        family="+".join(dict.fromkeys(part.family for part in parts)),
        accepted=not objections,
        reason="; ".join(objections or [f"predicted change of score {effect:+.4f}", *notes]),
        predicted_effect=round(min(max(effect, -1.0), 1.0), 6),
        usable_groups_before=round(before.usable_groups, 6),
        usable_groups_after=round(usable_after, 6),
        order_violations=round(after.order_violations, 6),
        mistruncated_correct=round(after.mistruncated_correct, 6),
        numbers={name: round(value, 9) for name, value in _numbers(before, after, parts).items()},
    )


def refusals(
    intervention: Intervention,
    before: SignalReplay,
    after: SignalReplay,
    usable_after: float,
    effect: float,
    parts: Sequence[Replayed],
) -> list[str]:
    """Return what speaks against training a change: what its families saw, what it does to signal, a predicted loss.

    A correction may break ties of false passes, if that orders more pairs.
    """
    reasons = [reason for part in parts for reason in part.objections]
    is_correction = intervention.factor == FACTORS["code_correction"].name
    orders_more = is_correction and after.disorder < before.disorder
    if after.mistruncated_correct > MAX_MISTRUNCATED:
        reasons.append(
            f"the budget would cut {after.mistruncated_correct:.1%} of correct attempts, limit {MAX_MISTRUNCATED:.0%}"
        )
    limit = MAX_FILTER_LOSS if any(part.family == "filter" for part in parts) else MAX_USABLE_LOSS
    if before.usable_groups > 0 and usable_after < (1 - limit) * before.usable_groups:
        reasons.append(
            f"usable groups fall from {before.usable_groups:.1%} to {usable_after:.1%}, limit {limit:.0%} of them"
        )
    if after.kept_groups < MIN_KEPT:
        reasons.append(f"only {after.kept_groups:.1%} of groups would reach the loss, limit {MIN_KEPT:.0%}")
    if after.order_violations > before.order_violations + MAX_VIOLATION_RISE and not orders_more:
        reasons.append(
            f"wrong attempts would outrank correct ones in {after.order_violations:.1%} of pairs, "
            f"{before.order_violations:.1%} now"
        )
    if after.mass == 0:
        reasons.append("no attempt would have an advantage: the gradient vanishes")
    if effect < -MAX_EXPECTED_LOSS:
        reasons.append(f"the score is predicted to fall by {-effect:.3f}, limit {MAX_EXPECTED_LOSS}")
    return reasons


def _numbers(before: SignalReplay, after: SignalReplay, parts: Sequence[Replayed]) -> dict[str, float]:
    own = {
        "quality_before": before.quality,
        "quality_after": after.quality,
        "mass_before": before.mass,
        "mass_after": after.mass,
        "order_violations_before": before.order_violations,
    }
    return own | {name: value for part in parts for name, value in part.numbers.items()}
