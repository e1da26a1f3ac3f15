"""The thirty-eighth part: healthy runs of agents, each with one thing that a hasty detector would accuse."""

from benchmarks.foreign.thirtyeighth import kinds_code as kinds_code
from benchmarks.foreign.thirtyeighth import kinds_evaluation as kinds_evaluation
from benchmarks.foreign.thirtyeighth import kinds_games as kinds_games
from benchmarks.foreign.thirtyeighth import kinds_language as kinds_language
from benchmarks.foreign.thirtyeighth import kinds_tools as kinds_tools
from benchmarks.foreign.thirtyeighth import kinds_training as kinds_training
from benchmarks.foreign.thirtyeighth.kinds import PART

THIRTYEIGHTH = tuple(PART.kinds)
"""All kinds of the part."""
