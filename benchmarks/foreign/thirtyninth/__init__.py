"""The thirty-ninth part of foreign evidence."""

from benchmarks.foreign.thirtyninth import (  # noqa: F401
    cheats,
    data_faults,
    evaluation_faults,
    grader_faults,
    judge_faults,
    sampling_faults,
    tool_faults,
    trainer_faults,
)
from benchmarks.foreign.thirtyninth.kinds import PART

THIRTYNINTH = tuple(PART.kinds)
