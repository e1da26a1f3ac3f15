"""Healthy runs, each with one thing that a hasty detector would accuse."""

from benchmarks.foreign.fortyfirst import actions, agents, chats, consoles, languages, reasoning, records, talks
from benchmarks.foreign.fortyfirst.kinds import PART

__all__ = ["FORTYFIRST", "actions", "agents", "chats", "consoles", "languages", "reasoning", "records", "talks"]

FORTYFIRST = tuple(PART.kinds)
"""The kinds of this part."""
