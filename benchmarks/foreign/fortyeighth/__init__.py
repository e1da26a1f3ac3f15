"""Small runs of academic groups and hobbyists: 24 faulty kinds and 20 healthy ones that look odd."""

from benchmarks.foreign.fortyeighth import (  # noqa: F401
    cheats,
    data_faults,
    environment_faults,
    grader_faults,
    healthy_data,
    healthy_tools,
    healthy_trainer,
    sampling_faults,
    trainer_faults,
)
from benchmarks.foreign.fortyeighth.kinds import PART

FORTYEIGHTH = tuple(PART.kinds)
"""The kinds of this part."""
