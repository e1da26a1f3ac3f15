"""A blind part from practice and literature: 47 faults that an engineer would stop for, 41 runs that only look odd."""

from benchmarks.foreign.practice import (
    faulty_agents,
    faulty_pay,
    faulty_sampling,
    faulty_training,
    healthy_agents,
    healthy_trainers,
    healthy_written,
)
from benchmarks.foreign.practice.kinds import PART

_MODULES = (
    faulty_pay,
    faulty_training,
    faulty_sampling,
    faulty_agents,
    healthy_written,
    healthy_trainers,
    healthy_agents,
)
"""The modules that enter kinds when they are imported."""

PRACTICE = tuple(PART.kinds)
