"""The fifty-third part of the foreign evidence: classic faults of RL post-training, each in a world of its own."""

from benchmarks.foreign.fiftythird import (
    cheats,
    data_faults,
    grader_faults,
    healthy_worlds,
    tool_faults,
    trainer_faults,
)
from benchmarks.foreign.fiftythird.kinds import PART

__all__ = ["FIFTYTHIRD", "cheats", "data_faults", "grader_faults", "healthy_worlds", "tool_faults", "trainer_faults"]

FIFTYTHIRD = tuple(PART.kinds)
"""All kinds of this part."""
