"""The forecast: what families replay of a change, and the change of score that follows from it by one formula.

A family answers how fast the changed recipe is expected to learn relative to the present one. Speed is the common
currency: 1 means as fast per sampled token as the incumbent's recipe. The campaign's record calibrates the formula.

A run closes a share of the headroom that its base leaves: 1 - s = (1 - s0) exp(-k). The incumbent's scores give k. A
recipe that learns `speed` times as fast has k * speed instead, so its predicted change of score is

    raw = (1 - s0) (exp(-k) - exp(-k * saturating(speed)))
    saturating(x) = x up to 1, 1 + L - L^2 / 2R above, L = ln x

Speed saturates, because one step extrapolates badly to a run: a step twice as long goes nearly twice as far, one far
beyond the healthy distance goes nowhere. The parabola in ln x has its top at x = exp(R), where R, the headroom, follows
from how far the incumbent's run went (algorithm/kl_budget.py). Its form was read off one sweep of the learning rate
(docs/interventions.md).

While the base policy leads, the recipe is the campaign's own: k is that of its run, the change is measured from the
base policy, which has closed nothing, and a run that went too far and lost is best repeated slower (R below 0).
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from evotrainer.algorithm.kl_budget import HEADROOM_LIMITS, UNKNOWN_HEADROOM, kl_headroom
from evotrainer.backtests.inputs import ReplayInputs
from evotrainer.config.factors import Family

LEAST_PROGRESS = 0.05
"""k of an incumbent that did not gain: something can be learned, or no training would be worth trying."""
LEAST_SPEED = 0.01


@dataclass(frozen=True)
class Replayed:
    """One family's answer."""

    family: Family
    speed: float = 1.0
    """Expected speed of learning relative to the present recipe."""
    objections: tuple[str, ...] = ()
    """Reasons to refuse that only this family sees."""
    notes: tuple[str, ...] = ()
    """What the replay could not judge."""
    numbers: dict[str, float] = field(default_factory=dict)
    usable_ratio: float = 1.0
    """Usable groups under the new sampling or data, over the present ones: what a replay of rewards misses."""


def predicted_effect(parts: Sequence[Replayed], evidence: ReplayInputs) -> float:
    """Return the predicted change of score: the sum over factors."""
    before, after, wrong_N = evidence.base_score, evidence.run_score, 1 - evidence.graded.correct
    has_lost = before is not None and after is not None and after < before
    left, k = kl_headroom(evidence.run_kl, has_lost=has_lost), progress(before, after)
    closed = k if evidence.is_trained else 0.0
    failing = min(1.0, float(wrong_N.mean()) * math.exp(closed)) if len(wrong_N) else 0.0
    speeds = [saturating(max(0.0, part.speed), left) for part in parts]
    return sum(failing * (math.exp(-closed) - math.exp(-k * speed)) for speed in speeds)


def progress(base_score: float | None, score: float | None) -> float:
    """Return k, the log of the headroom that the incumbent's training closed."""
    if base_score is None or score is None:
        return LEAST_PROGRESS
    left, before = max(1e-3, 1 - score), max(1e-3, 1 - base_score)
    return max(LEAST_PROGRESS, math.log(before / left))


def saturating(speed: float, left: float = UNKNOWN_HEADROOM) -> float:
    """Return the speed that a whole run is expected to keep; never below 0. It pays up to a factor of exp(left).

    Where no headroom is left, what is kept falls off on both sides of the slower speed exp(left).
    """
    if left < 0:
        return max(0.0, 1 - (math.log(max(speed, LEAST_SPEED)) - left) ** 2 / (2 * max(-left, HEADROOM_LIMITS[0])))
    log = math.log(max(speed, 1.0))
    return speed if speed <= 1 else max(0.0, 1 + log - log**2 / (2 * left))
