"""Foreign evidence, fortyseventh part: runs that companies send to a reviewer."""

from benchmarks.foreign.fortyseventh import (  # noqa: F401
    faults_conduct,
    faults_data,
    faults_evaluation,
    faults_grading,
    faults_tools,
    faults_trainer,
    healthy_agents,
    healthy_data,
    healthy_training,
)
from benchmarks.foreign.fortyseventh.kinds import PART

FORTYSEVENTH = tuple(PART.kinds)
"""All kinds of the part, in order."""
