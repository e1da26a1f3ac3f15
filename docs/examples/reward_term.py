"""A reward term: a function of the problem, the ended conversation and the grade (docs/recipe.md)."""

from collections.abc import Sequence

from evotrainer.domains.base import Grade
from evotrainer.records import Message, Problem


def brevity(problem: Problem, messages: Sequence[Message], grade: Grade) -> float:
    """Return 1 for an answer of at most 20 characters, else 0."""
    return float(len(messages[-1].content) <= 20)
