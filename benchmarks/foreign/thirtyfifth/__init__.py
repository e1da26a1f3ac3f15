"""Thirty-fifth part of the foreign evidence: trades, papers, desks and repositories."""

from benchmarks.foreign.case import Kind
from benchmarks.foreign.thirtyfifth import (
    cheat_faults,
    data_faults,
    grader_faults,
    steady_agents,
    steady_sums,
    steady_training,
    tool_faults,
    trainer_faults,
)
from benchmarks.foreign.thirtyfifth.kinds import PART

MODULES = (
    data_faults,
    tool_faults,
    grader_faults,
    trainer_faults,
    cheat_faults,
    steady_sums,
    steady_training,
    steady_agents,
)
"""The modules whose import enters the kinds."""
THIRTYFIFTH: tuple[Kind, ...] = tuple(PART.kinds)
