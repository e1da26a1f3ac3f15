"""Tasks, replies and episodes: what a run of any trainer consists of."""

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any


@dataclass
class Reply:
    """What a policy did in one attempt, its tools' answers in between."""

    messages: list[dict]
    answer: str
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """The last thing the policy wrote."""
        return self.messages[-1]["content"]

    @text.setter
    def text(self, value: str) -> None:
        self.messages[-1]["content"] = value

    @property
    def size(self) -> int:
        """Tokens the policy sampled, about."""
        mine = [m for m in self.messages if m["role"] == "assistant"]
        return sum(len(m["content"]) + 40 * len(m.get("tool_calls", ())) for m in mine) // 4 + 3


Write = Callable[[Random, bool], Reply]


@dataclass
class Task:
    """A problem with its gold answer, and how attempts at it read."""

    prompt: str
    gold: str
    write: Write
    family: str
    level: float = 0.0
    system: str = ""
    id: str = ""
    domain: str = "math"
    extra: dict = field(default_factory=dict)


@dataclass
class Episode:
    """One attempt at a task in one step."""

    task: Task
    step: int
    attempt: int
    reply: Reply
    right: bool
    reward: Any = 0.0
    terms: dict = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    policy: str = ""
    seconds: float = 0.0
    extra: dict = field(default_factory=dict)

    @property
    def group(self) -> tuple[str, int, str]:
        """What the attempts of one group share."""
        return self.split, self.step, self.task.id


def said(text: str, answer: str) -> Reply:
    """A reply of a single message."""
    return Reply([{"role": "assistant", "content": text}], answer)


def call(name: str, thought: str = "", **arguments: object) -> dict:
    """A message of the policy that calls a tool."""
    return {"role": "assistant", "content": thought, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, content: str, ok: bool = True) -> dict:
    """The answer of a tool."""
    return {"role": "tool", "content": content, "tool_name": name, "ok": ok}
