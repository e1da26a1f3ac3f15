"""Runs of many trades: counters, archives, caves, repositories, sums and advice."""

from benchmarks.foreign.sixtyfourth import (
    faults_data,
    faults_grading,
    faults_tools,
    faults_training,
    healthy_data,
    healthy_training,
)
from benchmarks.foreign.sixtyfourth.kinds import PART

__all__ = [
    "SIXTYFOURTH",
    "faults_data",
    "faults_grading",
    "faults_tools",
    "faults_training",
    "healthy_data",
    "healthy_training",
]

SIXTYFOURTH = tuple(PART.kinds)
