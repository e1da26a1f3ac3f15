"""The forty-third part: runs of many trades, with faults of data, tools, graders, trainers and agents."""

from benchmarks.foreign.fortythird import (
    cheat_kinds,
    data_kinds,
    grader_kinds,
    healthy_agents,
    healthy_texts,
    tool_kinds,
    trainer_kinds,
)
from benchmarks.foreign.fortythird.kinds import PART

__all__ = [
    "FORTYTHIRD",
    "cheat_kinds",
    "data_kinds",
    "grader_kinds",
    "healthy_agents",
    "healthy_texts",
    "tool_kinds",
    "trainer_kinds",
]

FORTYTHIRD = tuple(PART.kinds)
"""All kinds of the part."""
