"""The fifty-eighth part of the foreign evidence."""

from benchmarks.foreign.fiftyeighth import (  # noqa: F401
    faults_cheats,
    faults_data,
    faults_graders,
    faults_sampling,
    faults_trainer,
    faults_world,
    healthy_agents,
    healthy_data,
)
from benchmarks.foreign.fiftyeighth.kinds import PART

FIFTYEIGHTH = tuple(PART.kinds)
