"""The fifty-fifth part: agents with tools, each in its own environment."""

from benchmarks.foreign.fiftyfifth import (  # noqa: F401
    data_kinds,
    grader_kinds,
    rollout_kinds,
    sound_a,
    sound_b,
    tool_kinds,
    trainer_kinds,
)
from benchmarks.foreign.fiftyfifth.kinds import PART

FIFTYFIFTH = tuple(PART.kinds)
