"""Sixty-third part: one base model post-trained for everything at once."""

from benchmarks.foreign.sixtythird import (
    faults_of_data,
    faults_of_graders,
    faults_of_runs,
    faults_of_tools,
    faults_of_trainers,
    sound_runs,
    sound_systems,
)
from benchmarks.foreign.sixtythird.kinds import PART

MODULES = (
    faults_of_data,
    faults_of_tools,
    faults_of_graders,
    faults_of_trainers,
    faults_of_runs,
    sound_runs,
    sound_systems,
)
"""The modules that enter kinds."""
SIXTYTHIRD = tuple(PART.kinds)
"""The kinds of this part."""
