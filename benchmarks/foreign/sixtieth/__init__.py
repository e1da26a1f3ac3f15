"""The sixtieth part: small teams with open trainers on exams, forms, tickets, code, SQL and tools of their own."""

from benchmarks.foreign.sixtieth import (
    conduct_faults,
    data_faults,
    grader_faults,
    healthy_answers,
    healthy_runs,
    machine_faults,
    trainer_faults,
)
from benchmarks.foreign.sixtieth.kinds import PART

SIXTIETH = tuple(PART.kinds)
"""The kinds of this part."""

__all__ = [
    "SIXTIETH",
    "conduct_faults",
    "data_faults",
    "grader_faults",
    "healthy_answers",
    "healthy_runs",
    "machine_faults",
    "trainer_faults",
]
