"""Thirty-seventh part: healthy runs of single-turn and chat training, each with something that looks like a fault."""

from benchmarks.foreign.thirtyseventh import choice, estimates, numbers, programs, talk, writing
from benchmarks.foreign.thirtyseventh.kinds import PART

THIRTYSEVENTH = tuple(PART.kinds)

__all__ = ["THIRTYSEVENTH", "choice", "estimates", "numbers", "programs", "talk", "writing"]
