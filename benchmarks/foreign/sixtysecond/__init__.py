"""Evidence of what an independent reviewer of training runs is sent by companies."""

from benchmarks.foreign.sixtysecond import faults_agents, faults_data, faults_trainer, healthy_texts, healthy_training
from benchmarks.foreign.sixtysecond.kinds import PART

SIXTYSECOND = tuple(PART.kinds)
"""All kinds of the part."""
__all__ = ["SIXTYSECOND", "faults_agents", "faults_data", "faults_trainer", "healthy_texts", "healthy_training"]
