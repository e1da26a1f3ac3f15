"""How far a training run may still go: its distance from its start against the distance that a healthy run covers.

A run's distance is the mean KL divergence a token between its last policy and its start, in nats. It grows like a
power of the speed of learning: over pairs of runs of the three embedded policies that differ in learning rate alone
the exponent lies between 0.9 and 1.6. Beyond the healthy distance more speed stops paying (docs/interventions.md).
"""

import math

HEALTHY_KL = 0.03
"""Nats a token. Below it more speed paid on all three embedded policies; on arithmetic it no longer did above."""
KL_POWER = 1.5
HEADROOM_LIMITS = (0.5, 2.0)
"""Never so little that a faster recipe is refused untried: on programs twice the rate still paid at 0.015 nats."""
UNKNOWN_HEADROOM = 1.0


def kl_headroom(kl: float | None, *, has_lost: bool = False) -> float:
    """Return the log of the factor by which a run at this distance may still learn faster; that of e if not known.

    Below 0 for a run that went beyond the healthy distance and lost: so much slower would have kept to it.
    """
    if kl is None or kl <= 0:
        return UNKNOWN_HEADROOM
    if has_lost and kl > HEALTHY_KL:
        return math.log(HEALTHY_KL / kl) / KL_POWER
    return min(max(math.log(HEALTHY_KL / kl) / KL_POWER, HEADROOM_LIMITS[0]), HEADROOM_LIMITS[1])
