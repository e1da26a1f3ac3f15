"""A lab that trains one base model for everything at once: mixed batches, several teams' environments and judges."""

from benchmarks.foreign.fortyninth import (
    cheats,
    data_faults,
    environment_faults,
    grader_faults,
    healthy_agents,
    healthy_data,
    healthy_trainer,
    sampling_faults,
    trainer_faults,
)
from benchmarks.foreign.fortyninth.kinds import PART

MODULES = (
    cheats,
    data_faults,
    environment_faults,
    grader_faults,
    healthy_agents,
    healthy_data,
    healthy_trainer,
    sampling_faults,
    trainer_faults,
)
FORTYNINTH = tuple(PART.kinds)
