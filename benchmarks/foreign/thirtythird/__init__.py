"""Thirty-third part: faults that people reported in threads of their repositories, and odd but healthy runs."""

from benchmarks.foreign.thirtythird import (
    agent_faults,
    arithmetic_faults,
    data_faults,
    grader_faults,
    healthy_agents,
    healthy_numbers,
    healthy_texts,
    length_faults,
    tool_faults,
)
from benchmarks.foreign.thirtythird.kinds import PART

__all__ = [
    "THIRTYTHIRD",
    "agent_faults",
    "arithmetic_faults",
    "data_faults",
    "grader_faults",
    "healthy_agents",
    "healthy_numbers",
    "healthy_texts",
    "length_faults",
    "tool_faults",
]

THIRTYTHIRD = tuple(PART.kinds)
"""All kinds of the part, in the order of their modules."""
