"""Algorithm factors: one optimiser step of both recipes on the same cached batch (step.py).

What one step from a fresh optimiser cannot show it does not predict: such factors get the effect 0 and a note.
"""

from evotrainer.algorithm.step_replay import StepReplayer
from evotrainer.backtests import step
from evotrainer.backtests.base import CachedEvidence, Probe, Replayed
from evotrainer.config import Config
from evotrainer.config.factors import Factor

UNSEEN = {"kl": "the pull towards a reference that is its own start", "optimiser": "the memory of an optimiser"}
"""Factors whose first step, from a fresh optimiser, is the present one."""


def replayed(
    factor: Factor,
    parent: Config,
    child: Config,
    evidence: CachedEvidence,
    replayer: StepReplayer | None,
    probe: Probe | None,
) -> Replayed:
    """Return the ratio of margin changes of one step of each recipe."""
    if factor.name in UNSEEN:
        return Replayed("algorithm", notes=(f"one step cannot show {UNSEEN[factor.name]}",))
    found = step.compared("algorithm", parent, child, evidence, replayer)
    return found or Replayed("algorithm", notes=("no engine or no cached tokens: the step was not replayed",))
