"""Filter factors: replay masks and group filters on cached groups, in the order in which they were sampled.

Speed is the ratio of signal quality (replay.py), so a filter that drops only groups without any advantage changes
nothing: the optimiser's step length does not depend on how many zeros it averages. Refilling buys full batches with
tokens: where a share u is kept a step costs 1/u as much and carries 1/u as many groups, whose signal grows by the root:
speed sqrt(u), a loss, unless the steps are so noisy that the root underrates them.
"""

import math

from evotrainer.backtests.base import RecipeChange, Replayed
from evotrainer.backtests.replay import replay
from evotrainer.config import Config


def replayed(change: RecipeChange) -> Replayed:
    """Return the ratio of signal quality a token under the new filter."""
    evidence = change.evidence
    before, after = (replay(evidence.cached, recipe, evidence.code) for recipe in (change.parent, change.child))
    if before.quality <= 0:
        return Replayed("filter", notes=("no cached group carries signal now: nothing to compare with",))
    speed = max(0.0, after.quality / before.quality) * _refill(change.child, after.kept_groups)
    speed /= _refill(change.parent, before.kept_groups)
    numbers = {"filter_speed": speed, "kept_groups_before": before.kept_groups, "kept_groups_after": after.kept_groups}
    return Replayed("filter", {"": speed}, numbers=numbers)


def _refill(config: Config, kept: float) -> float:
    return math.sqrt(max(kept, 1e-3)) if config.filter.refill else 1.0
