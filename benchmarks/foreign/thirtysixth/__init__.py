"""The thirty-sixth part of the bank: proofs, rosters, robots, harbours and snapshots, in many systems' rows."""

from benchmarks.foreign.thirtysixth import (
    faults_of_agents,
    faults_of_data,
    faults_of_graders,
    faults_of_tools,
    faults_of_training,
    healthy_agents,
    healthy_scores,
    healthy_texts,
)
from benchmarks.foreign.thirtysixth.kinds import PART

THIRTYSIXTH = tuple(PART.kinds)
"""All kinds of this part."""

__all__ = [
    "THIRTYSIXTH",
    "faults_of_agents",
    "faults_of_data",
    "faults_of_graders",
    "faults_of_tools",
    "faults_of_training",
    "healthy_agents",
    "healthy_scores",
    "healthy_texts",
]
