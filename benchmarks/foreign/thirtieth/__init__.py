"""The thirtieth part: kinds of foreign evidence, faulty after threads of owners A to M, and healthy."""

from benchmarks.foreign.thirtieth import (
    arithmetic,
    cheats,
    data,
    grading,
    healthy_agents,
    healthy_evaluation,
    healthy_training,
    lengths,
    worlds,
)
from benchmarks.foreign.thirtieth.kinds import PART

__all__ = [
    "THIRTIETH",
    "arithmetic",
    "cheats",
    "data",
    "grading",
    "healthy_agents",
    "healthy_evaluation",
    "healthy_training",
    "lengths",
    "worlds",
]

THIRTIETH = tuple(PART.kinds)
