"""The thirty-fourth part: faults from write-ups of many fields, and healthy runs that look like them."""

from benchmarks.foreign.thirtyfourth import (  # noqa: F401
    agent_kinds,
    data_kinds,
    grader_kinds,
    healthy_runs,
    healthy_work,
    trainer_kinds,
)
from benchmarks.foreign.thirtyfourth.kinds import PART

THIRTYFOURTH = tuple(PART.kinds)
