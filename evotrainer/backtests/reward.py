"""Reward factors: replay the new weights on the stored terms of cached groups.

No term is graded anew: graders record every term, whatever its weight. Speed is the ratio of signal quality
(replay.py). What replay cannot see is what the policy will do once a term pays: the known traps (a bonus that all
earn, phantom advantage, hacked bonuses) show as quality that does not rise or as order violations; hacking itself shows
only in the audit after training.
"""

from evotrainer.backtests.base import CachedEvidence, Probe, Replayed
from evotrainer.backtests.replay import replay
from evotrainer.config import Config
from evotrainer.engines.base import TrainEngine
from evotrainer.factors import Factor


def replayed(
    factor: Factor,
    parent: Config,
    child: Config,
    evidence: CachedEvidence,
    engine: TrainEngine | None,
    probe: Probe | None,
) -> Replayed:
    """Return the ratio of signal quality under the new weights."""
    before, after = replay(evidence.graded, parent), replay(evidence.graded, child)
    if before.quality <= 0:
        return Replayed("reward", notes=("no cached group carries signal now: nothing to compare with",))
    speed = max(0.0, after.quality / before.quality)
    return Replayed("reward", {"": speed}, numbers={"reward_speed": speed})
