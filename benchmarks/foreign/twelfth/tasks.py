"""A task, a reply to it, and the messages of which replies are made."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random


@dataclass
class Reply:
    """What an attempt adds to the prompt, and the answer that it ends with."""

    messages: list[dict]
    answer: str
    notes: dict = field(default_factory=dict)


Write = Callable[[Random, bool, float], Reply]
"""From a draw, whether the attempt is right, and how far the training is (0 to 1)."""


@dataclass
class Task:
    """One problem with its reference and its way of being answered."""

    key: str
    family: str
    prompt: str
    gold: str
    write: Write
    hard: float = 0.0
    system: str = ""
    facts: dict = field(default_factory=dict)


Make = Callable[[Random, int], Task]


def say(text: str) -> dict:
    """A message of the policy without a call."""
    return {"role": "assistant", "content": text}


def call(text: str, name: str, **arguments: object) -> dict:
    """A message of the policy with one call."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def tool(name: str, text: str, ok: bool = True) -> dict:
    """What a tool answers."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}


def user(text: str) -> dict:
    """A message of a simulated person."""
    return {"role": "user", "content": text}


def slip(rng: Random, value: float, digits: int = 0) -> float:
    """A number near another one, and not it."""
    scale = max(abs(value) * 0.15, 3 * 10**-digits)
    moved = round(value + rng.choice([-1, 1]) * rng.uniform(0.2, 1.0) * scale, digits)
    if moved == value:
        moved = value + 10**-digits
    return int(moved) if digits == 0 else round(moved, digits)
