"""A task, an attempt at it, and the messages that an attempt is made of."""

import random
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

Message = dict[str, Any]


@dataclass
class Task:
    """One task as the environment poses it."""

    key: str
    prompt: str
    family: str
    difficulty: float
    gold: str
    facts: dict[str, Any] = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt of the policy, with what trainer and environment noted."""

    task: Task
    step: int
    index: int
    messages: list[Message]
    answer: str
    right: bool
    skill: float = 0.0
    reward: float | None = 0.0
    advantage: float | None = None
    terms: dict[str, float] = field(default_factory=dict)
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    in_loss: bool = True
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def group(self) -> str:
        """Name of the group that the attempt belongs to."""
        return f"{self.split}-{self.step}-{self.task.key}"

    @property
    def tokens(self) -> int:
        """Sampled tokens, at four signs a token."""
        return max(1, sum(len(written(m)) for m in self.messages if m["role"] == "assistant") // 4)


@dataclass(frozen=True)
class World:
    """How tasks of an environment are drawn, and how an attempt at one goes."""

    name: str
    system: str
    draw: Callable[[random.Random], Task]
    play: Callable[[random.Random, Task, bool], tuple[list[Message], str]]


def written(message: Message) -> str:
    """All that the policy wrote in a message."""
    calls = "".join(
        c["name"] + " ".join(str(v) for v in c["arguments"].values()) for c in message.get("tool_calls", [])
    )
    return message["content"] + calls


def says(content: str, name: str = "", **arguments: Any) -> Message:
    """A message of the policy, with a call where a tool is named."""
    if not name:
        return {"role": "assistant", "content": content}
    return {"role": "assistant", "content": content, "tool_calls": [{"name": name, "arguments": arguments}]}


def tool(name: str, content: str, ok: bool = True) -> Message:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": ok}


def user(content: str) -> Message:
    """What a simulated user says."""
    return {"role": "user", "content": content}


def code_of(rng: random.Random, begin: str) -> str:
    """An id such as systems give."""
    return f"{begin}-{rng.randrange(10000, 99999)}"
