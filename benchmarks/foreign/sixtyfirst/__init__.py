"""Sixty-first part: start-ups that train agents for shops, desks, calendars, tables, servers and more."""

from benchmarks.foreign.sixtyfirst import (
    cheat_kinds,
    data_kinds,
    grading_kinds,
    healthy_kinds,
    healthy_runs,
    tool_kinds,
    trainer_kinds,
)
from benchmarks.foreign.sixtyfirst.kinds import PART

__all__ = [
    "SIXTYFIRST",
    "cheat_kinds",
    "data_kinds",
    "grading_kinds",
    "healthy_kinds",
    "healthy_runs",
    "tool_kinds",
    "trainer_kinds",
]

SIXTYFIRST = tuple(PART.kinds)
"""All kinds of this part."""
