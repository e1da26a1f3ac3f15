"""The fifty-ninth part: classic and less classic faults of RL post-training, each in a world of its own."""

from benchmarks.foreign.fiftyninth import (
    faults_cheats,
    faults_data,
    faults_environment,
    faults_graders,
    faults_sampling,
    faults_trainer,
    healthy_systems,
    healthy_tasks,
)
from benchmarks.foreign.fiftyninth.kinds import PART

__all__ = [
    "FIFTYNINTH",
    "faults_cheats",
    "faults_data",
    "faults_environment",
    "faults_graders",
    "faults_sampling",
    "faults_trainer",
    "healthy_systems",
    "healthy_tasks",
]

FIFTYNINTH = tuple(PART.kinds)
