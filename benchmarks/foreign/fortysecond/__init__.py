"""The forty-second part of the foreign evidence: 24 faults and 14 healthy runs, in the forms of ten systems."""

from benchmarks.foreign.fortysecond import (
    arithmetic_faults,
    cheats,
    data_faults,
    environment_faults,
    grader_faults,
    healthy_agents,
    healthy_solvers,
    sampling_faults,
)
from benchmarks.foreign.fortysecond.kinds import PART

__all__ = [
    "FORTYSECOND",
    "arithmetic_faults",
    "cheats",
    "data_faults",
    "environment_faults",
    "grader_faults",
    "healthy_agents",
    "healthy_solvers",
    "sampling_faults",
]

FORTYSECOND = tuple(PART.kinds)
"""All kinds of this part."""
