"""The fifty-fourth part of foreign evidence."""

from benchmarks.foreign.fiftyfourth import (  # noqa: F401
    cheat_faults,
    data_faults,
    grader_faults,
    healthy_data,
    healthy_runs,
    sampling_faults,
    tool_faults,
    trainer_faults,
)
from benchmarks.foreign.fiftyfourth.kinds import PART

FIFTYFOURTH = tuple(PART.kinds)
