"""The fortyfifth part: healthy runs of careful teams in reasoning, code, chat and tools."""

from benchmarks.foreign.fortyfifth import (
    agents_games,
    agents_repo,
    agents_services,
    chat_scores,
    chat_texts,
    chat_voices,
    coding,
    reasoning,
    reasoning_forms,
)
from benchmarks.foreign.fortyfifth.kinds import PART

FORTYFIFTH = tuple(PART.kinds)
"""All kinds of the part."""

__all__ = [
    "FORTYFIFTH",
    "agents_games",
    "agents_repo",
    "agents_services",
    "chat_scores",
    "chat_texts",
    "chat_voices",
    "coding",
    "reasoning",
    "reasoning_forms",
]
