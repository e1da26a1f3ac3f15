"""The fifty-seventh part of foreign evidence."""

from benchmarks.foreign.fiftyseventh import (  # noqa: F401
    arithmetic,
    calm_agents,
    calm_numbers,
    cheats,
    data,
    evaluation,
    graders,
    judges,
    sampling,
    worlds,
)
from benchmarks.foreign.fiftyseventh.kinds import PART

FIFTYSEVENTH = tuple(PART.kinds)
"""All kinds of this part."""
