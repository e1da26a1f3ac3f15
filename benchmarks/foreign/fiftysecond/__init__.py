"""The part fiftysecond: 24 faults and 10 healthy runs."""

from benchmarks.foreign.fiftysecond import (
    kinds_data,
    kinds_fine_rewards,
    kinds_fine_runs,
    kinds_grading,
    kinds_sampling,
    kinds_tools,
    kinds_trainer,
)
from benchmarks.foreign.fiftysecond.kinds import PART

FIFTYSECOND = tuple(PART.kinds)
"""The kinds of this part."""

__all__ = [
    "FIFTYSECOND",
    "kinds_data",
    "kinds_fine_rewards",
    "kinds_fine_runs",
    "kinds_grading",
    "kinds_sampling",
    "kinds_tools",
    "kinds_trainer",
]
