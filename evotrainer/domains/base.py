"""What an environment must do: give observations and execute actions; and the grader beside it.

An environment is built from a plain JSON spec, so that a remote worker can rebuild it. A grader turns an ended
trajectory into reward terms, or raises GraderError: an infrastructure failure, never a reward of 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from evotrainer.records import Message, Problem


@dataclass(frozen=True)
class Grade:
    """What the grader says: binary correctness, unweighted reward terms, and what else is worth keeping."""

    correct: float
    terms: dict[str, float]
    """Unweighted; includes 'correct' and 'format'. The recipe's weights make the reward of them (rewards.py)."""
    format_ok: bool
    extra: dict[str, Any] = field(default_factory=dict)
    """Domain fields of the row: family, answer, lenient_correct, ..."""


class Environment(Protocol):
    """One episode at a time; reset starts it, step answers the policy's message."""

    waits_for_sandbox: bool
    """Most of its time goes to executions in the sandbox: those of several episodes are asked for at a time."""

    def reset(self, problem: Problem, seed: int) -> list[Message]:
        """Return the messages that open the episode."""
        ...

    def step(self, message: Message) -> tuple[list[Message], bool]:
        """Return the environment's messages and whether the episode is over."""
        ...


class Grader(Protocol):
    """Turns an ended trajectory into reward terms."""

    waits_for_sandbox: bool
    """Most of its time goes to executions in the sandbox: several threads may ask for grades."""

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade; raises GraderError when grading itself failed."""
        ...
