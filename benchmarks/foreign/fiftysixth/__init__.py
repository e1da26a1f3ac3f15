"""The fifty-sixth part of foreign evidence."""

from benchmarks.foreign.fiftysixth import (
    data_faults,
    grading_faults,
    odd_agents,
    odd_runs,
    sampling_faults,
    trainer_faults,
    world_faults,
)
from benchmarks.foreign.fiftysixth.kinds import PART

__all__ = [
    "FIFTYSIXTH",
    "data_faults",
    "grading_faults",
    "odd_agents",
    "odd_runs",
    "sampling_faults",
    "trainer_faults",
    "world_faults",
]

FIFTYSIXTH = tuple(PART.kinds)
