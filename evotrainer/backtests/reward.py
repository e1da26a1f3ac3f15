"""Reward factors: replay the new weights on the stored terms of cached groups.

No term is graded anew: graders record every term, whatever its weight. Speed is the ratio of the two recipes' changes
of margin in one step (step.py), because terms that pay the same thing in every group add up in a gradient: on
arithmetic a price of length that is not gated by correctness halves the margin or worse, and its signal quality
(replay.py) falls by a tenth. Without cached tokens the ratio of signal quality stands in. What replay cannot see is
what the policy will do once a term pays: hacking shows only in the audit after training.
"""

from dataclasses import replace

from evotrainer.backtests import step
from evotrainer.backtests.base import RecipeChange, Replayed
from evotrainer.backtests.replay import replay


def replayed(change: RecipeChange) -> Replayed:
    """Return the ratio of margin changes under the new weights, of signal quality where no step can be replayed."""
    evidence = change.evidence
    before, after = (replay(evidence.cached, recipe, evidence.code) for recipe in (change.parent, change.child))
    if before.quality <= 0:
        return Replayed("reward", notes=("no cached group carries signal now: nothing to compare with",))
    quality = max(0.0, after.quality / before.quality)
    found = step.compared(change) or Replayed("reward", {"": quality})
    return replace(found, numbers=found.numbers | {"quality_ratio": quality})
