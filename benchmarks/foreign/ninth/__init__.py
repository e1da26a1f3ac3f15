"""The ninth part of the bank: 44 kinds written blind; half were kept apart at first (`kept_*`)."""

from benchmarks.foreign.ninth import kept_graders, kept_systems, kept_worlds, open_data, open_graders, open_worlds
from benchmarks.foreign.ninth.kinds import PART

MODULES = (kept_graders, kept_systems, kept_worlds, open_data, open_graders, open_worlds)
"""Imported for the kinds that they enter."""
NINTH = tuple(PART.kinds)
