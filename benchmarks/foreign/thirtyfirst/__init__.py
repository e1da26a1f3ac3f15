"""Kinds of foreign evidence after reports of others: papers, posts, documentation, threads."""

from benchmarks.foreign.thirtyfirst import (
    faults_cheats,
    faults_data,
    faults_env,
    faults_graders,
    faults_trainer,
    healthy_text,
    healthy_tools,
    healthy_trainer,
)
from benchmarks.foreign.thirtyfirst.kinds import PART

__all__ = [
    "THIRTYFIRST",
    "faults_cheats",
    "faults_data",
    "faults_env",
    "faults_graders",
    "faults_trainer",
    "healthy_text",
    "healthy_tools",
    "healthy_trainer",
]

THIRTYFIRST = tuple(PART.kinds)
"""All kinds of the part."""
