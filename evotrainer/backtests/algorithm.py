"""Algorithm factors: one optimiser step of both recipes on the same cached batch (step.py).

What one step from a fresh optimiser cannot show it does not predict: such factors get the effect 0 and a note.
"""

from evotrainer.backtests import step
from evotrainer.backtests.base import RecipeChange, Replayed

UNSEEN = {"kl": "the pull towards a reference that is its own start", "optimiser": "the memory of an optimiser"}
"""Factors whose first step, from a fresh optimiser, is the present one."""


def replayed(change: RecipeChange) -> Replayed:
    """Return the ratio of margin changes of one step of each recipe."""
    if change.factor.name in UNSEEN:
        return Replayed("algorithm", notes=(f"one step cannot show {UNSEEN[change.factor.name]}",))
    found = step.compared(change)
    return found or Replayed("algorithm", notes=("no engine or no cached tokens: the step was not replayed",))
