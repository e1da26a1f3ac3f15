"""What a generator of problems must give: a family of one kind of problem, drawn at will, with a worked solution.

A family knows when two of its problems are the same up to a trivial change (47+38 and 38+47): its canonical form. The
split of a problem is a hash of that form, so that no such pair can stand on both sides of a split.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from evotrainer.records import Message

_NUMBER = re.compile(r"[0-9]+")


@dataclass(frozen=True)
class Draw:
    """One problem with its solution. `thought` is the chain of thought of a demonstration; difficulty in [0, 1]."""

    prompt: str
    answer: str
    thought: str
    difficulty: float


@dataclass(frozen=True)
class DemonstratedTurn:
    """What the policy says, as it is sampled (tool calls in the Hermes form), and what the environment answers."""

    response: str
    answers: tuple[Message, ...] = ()
    is_taught: bool = True
    """False: it stands in the context only, as a mistake from which the next turns recover."""


ALPHABET = "\n" + "".join(map(chr, range(32, 127)))
"""What an embedded policy has tokens for: printable ASCII, so that it can be shown a person's own problems too."""


@dataclass(frozen=True)
class Demonstration:
    """One worked episode. A domain gives `demonstrations(seed)`, without end, and the `pieces` they are written in."""

    opening: tuple[Message, ...]
    turns: tuple[DemonstratedTurn, ...]
    identity: str
    """What the problem is compared by in the search for near-duplicates (rows.py)."""


@dataclass(frozen=True)
class Family:
    """One kind of problem.

    `skeleton` is its prompts' shape: `#` for a number, no spaces. `normalise` maps the numbers of a prompt, in order,
    to those of its canonical form. A held-out family gives test and holdout problems only: reinforcement learning never
    meets it, demonstrations may.
    """

    name: str
    skeleton: str
    draw: Callable[[Random], Draw]
    normalise: Callable[[list[str]], Sequence[str]]
    is_held_out: bool = False

    def canonical(self, prompt: str) -> str:
        """Return the form that all trivial variants of `prompt` share."""
        return f"{self.name}:{' '.join(self.normalise(_NUMBER.findall(prompt)))}"


def skeleton_of(prompt: str) -> str:
    """Return the shape of a prompt: lower case, `#` for each number, no spaces."""
    return "".join(_NUMBER.sub("#", prompt.lower()).split())


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
