"""What a domain is: all that is particular to one kind of problem, in one object.

A domain is a `Domain` in domain.py of its folder and one line of the registry (domains/__init__.py), or an object of a
person's own package. Parts that are costly to import are named by `lazy`.

An environment is built from a plain JSON spec, so that a remote worker can rebuild it. A grader turns an ended
trajectory into reward terms, or raises GraderError: an infrastructure failure, never a reward of 0.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

from evotrainer.actions.tool_call_formats import ToolSchemas
from evotrainer.config import DomainConfig
from evotrainer.config.factors import EPISODE_MASKS, Factor
from evotrainer.config.limits import lazy as lazy
from evotrainer.domains.problem_sets.rows import SYSTEM_PROMPT, Row
from evotrainer.records import AccessPolicy, Message, Problem


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


class SingleTurnEnvironment:
    """Shows the problem; the policy's first message ends the episode. Nothing is random: the seed is not used."""

    waits_for_sandbox = False

    def __init__(self, domain: DomainConfig) -> None:
        self._system_prompt = domain.system_prompt

    def reset(self, problem: Problem, seed: int) -> list[Message]:
        """Return the system message that is configured, else that of the row, and the problem."""
        system = self._system_prompt or problem.data.get(SYSTEM_PROMPT, "")
        opening = [Message(role="system", content=system)] if system else []
        return [*opening, Message(role="user", content=problem.prompt)]

    def step(self, message: Message) -> tuple[list[Message], bool]:
        """Return no messages: the episode is over."""
        return [], True


class Grader(Protocol):
    """Turns an ended trajectory into reward terms."""

    waits_for_sandbox: bool
    """Most of its time goes to executions in the sandbox: several threads may ask for grades."""

    def grade(self, problem: Problem, messages: Sequence[Message], stop_reason: str) -> Grade:
        """Return the grade; raises GraderError when grading itself failed."""
        ...


def last_answer(messages: Sequence[Message]) -> str:
    """Return what the policy said last; empty where it said nothing."""
    return next((message.content for message in reversed(messages) if message.role == "assistant"), "")


class WeaknessKind(StrEnum):
    """Why the verdicts on a problem mean nothing."""

    CANNOT_RUN = "tests cannot run"
    UNSOLVED = "reference fails"
    FREE = "passes without work"


@dataclass(frozen=True)
class Weakness:
    """What is weak about a problem's verifier, in a few words."""

    kind: WeaknessKind
    reason: str


@dataclass(frozen=True)
class Domain:
    """One kind of problem. The first four are its own; all else has a default that fits most."""

    name: str
    environment: Callable[[DomainConfig], Environment]
    grader: Callable[[DomainConfig], Grader]
    parse_row: Callable[[dict[str, Any], str], Row]
    """One line of a problem file, and its place (file:line), to a row; raises DataError naming the place."""
    problem_rows: Callable[[], Iterable[tuple[str, dict[str, Any]]]] = tuple
    """(split, row) of every problem of the built-in sets."""
    weakness_of: Callable[[Row], Weakness | None] | None = None
    """A row to what is weak about its verifier; None where there is nothing to run."""
    agree: Callable[[str, str], bool] = field(default=lambda first, other: True)
    """Whether two true answers to one statement can both be right."""
    anchored: Callable[[dict[str, Any], str], dict[str, Any]] = field(default=lambda values, place: values)
    """Values of a row that is copied elsewhere, and its place, to values with relative places made absolute."""
    access: tuple[AccessPolicy, ...] = (AccessPolicy(),)
    """What an episode may read or call, from open to strict."""
    factors: tuple[Factor, ...] = ()
    """What an intervention may change here beside the factors of every recipe."""
    rubric: str = "1.0: solves the problem. 0.5: the right idea, with a fault. 0.0: does not solve it."
    """By which a judge scores an answer from 0 to 1."""
    tools: Callable[[], ToolSchemas] = tuple
    """JSON Schemas of what a policy may call, in OpenAI's form: its chat template shows them."""
    has_tools: bool = False
    """Whether every episode is meant to call several tools over several turns."""


JUDGE_REWARD = Factor(
    "judge_reward",
    ("reward.judge",),
    ({"reward.judge": 0.0}, {"reward.judge": 0.2}),
    "pay for what a rubric judge says",
)
EPISODE_MASK = Factor(
    "episode_mask",
    EPISODE_MASKS,
    (dict.fromkeys(EPISODE_MASKS, True), *({key: True} for key in EPISODE_MASKS)),
    "whether episodes that gave up, did nothing or went in circles reach the loss",
)
