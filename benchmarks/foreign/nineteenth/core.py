"""What a run is made of: tasks, replies and attempts, and the messages in them."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.foreign.case import Row


@dataclass
class Reply:
    """What a policy did with a task: its messages, those of tools between them, and the answer it came to."""

    messages: list[Row]
    answer: str


Write = Callable[[Random, bool, float], Reply]
"""Of the draws, whether it shall be right, and how far training has come (0 to 1)."""


@dataclass
class Task:
    """A problem and how a policy replies to it."""

    prompt: str
    gold: str
    write: Write
    family: str = ""
    system: str = ""
    ease: float = 0.0
    id: str = ""
    extra: Row = field(default_factory=dict)
    scene: Any = None
    """What the task is made of, for those who write other replies to it."""


@dataclass
class Try:
    """One attempt at a task."""

    task: Task
    step: int
    number: int
    right: bool
    messages: list[Row]
    answer: str
    skill: float
    split: str = "train"
    reward: Any = None
    terms: Row = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool | None = True
    stop: str = "stop"
    error: str | None = None
    seconds: float = 0.0
    extra: Row = field(default_factory=dict)

    @property
    def group(self) -> tuple[int, str]:
        """What attempts at one problem in one step share."""
        return (self.step, self.task.id)

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(m["content"] or "" for m in self.messages if m["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens, about."""
        own = [m for m in self.messages if m["role"] == "assistant"]
        return sum(len(m["content"] or "") // 4 + 3 + len(str(m.get("tool_calls", ""))) // 5 for m in own)


def say(text: str) -> Row:
    """Give a message of the policy."""
    return {"role": "assistant", "content": text}


def call(text: str, name: str, **arguments: object) -> Row:
    """Give a message of the policy that calls a tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, content: str, ok: bool = True) -> Row:
    """Give what a tool answers."""
    return {"role": "tool", "tool_name": name, "content": content, "ok": ok}
