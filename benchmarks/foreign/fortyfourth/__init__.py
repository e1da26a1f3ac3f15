"""Fortyfourth part of the foreign evidence: small teams with open trainers and data of their own."""

from benchmarks.foreign.fortyfourth import (  # noqa: F401
    faults_agents,
    faults_data,
    faults_graders,
    faults_sampling,
    faults_tools,
    faults_trainer,
    healthy_agents,
    healthy_data,
    healthy_numbers,
)
from benchmarks.foreign.fortyfourth.kinds import PART

FORTYFOURTH = tuple(PART.kinds)
