"""Fortieth part of the foreign evidence: healthy runs alone, as production teams log them."""

from benchmarks.foreign.fortieth import agents, lessons, meters, mixtures, summed, trainers
from benchmarks.foreign.fortieth.kinds import PART

__all__ = ["FORTIETH", "agents", "lessons", "meters", "mixtures", "summed", "trainers"]

FORTIETH = tuple(PART.kinds)
