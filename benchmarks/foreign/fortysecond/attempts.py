"""One attempt as the simulation knows it, before a system's logger writes it down."""

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Task:
    """One problem: its name, what the policy is asked, and the right answer."""

    name: str
    prompt: str
    answer: str
    family: str
    difficulty: float = 0.0
    about: Any = None
    """What the writer of solutions needs to know."""


@dataclass
class Try:
    """One attempt at a task. `turns` are the messages after the prompt."""

    task: Task
    turns: list[dict]
    right: bool
    reward: float
    terms: dict[str, float] = field(default_factory=dict)
    stop: str = "stop"
    more: dict[str, Any] = field(default_factory=dict)
    system: str = ""
    step: int = 0
    group: str = ""
    attempt: int = 0
    advantage: float | None = None
    split: str = "train"
    in_loss: bool = True

    @property
    def text(self) -> str:
        """The last thing that the policy wrote."""
        return next((m["content"] for m in reversed(self.turns) if m["role"] == "assistant"), "")

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns, tool calls included."""
        return sum(tokens_of(spoken(m)) for m in self.turns if m["role"] == "assistant")


def spoken(message: dict) -> str:
    """All text of a message, with its calls."""
    calls = " ".join(f"{c['name']} {c['arguments']}" for c in message.get("tool_calls", ()))
    return f"{message['content']} {calls}"


def tokens_of(text: str) -> int:
    """How many tokens a text has: pieces of words up to five letters, and signs."""
    return len(re.findall(r"\w{1,5}|[^\w\s]", text)) + 1


def clip(text: str, limit: int) -> str:
    """The first `limit` tokens of a text."""
    ends = [m.end() for m in re.finditer(r"\w{1,5}|[^\w\s]", text)]
    return text if len(ends) < limit else text[: ends[limit - 2]]


def say(text: str) -> list[dict]:
    """The turns of an attempt that is one answer."""
    return [{"role": "assistant", "content": text}]


def call(content: str, name: str, arguments: dict, reply: str, ok: bool = True) -> list[dict]:
    """A turn of the policy with one tool call, and the tool's answer."""
    asked = {"role": "assistant", "content": content, "tool_calls": [{"name": name, "arguments": arguments}]}
    return [asked, {"role": "tool", "tool_name": name, "content": reply, "ok": ok}]


@dataclass(frozen=True)
class Moment:
    """Where in the run an attempt is made."""

    step: int
    progress: float
    attempt: int
    place: int
    """Which of the step's prompts this is."""


Attempt = Callable[[random.Random, Task, Moment], Try]


def play(
    rng: random.Random, tasks: Sequence[Task], steps: int, prompts: int, size: int, attempt: Attempt, first: int = 1
) -> list[Try]:
    """The attempts of a run: passes over shuffled tasks, `prompts` of them a step, `size` attempts each."""
    out: list[Try] = []
    queue: list[Task] = []
    for step in range(first, first + steps):
        if len(queue) < prompts:
            queue = rng.sample(list(tasks), len(tasks))
        chosen, queue = queue[:prompts], queue[prompts:]
        for place, task in enumerate(chosen):
            for number in range(size):
                moment = Moment(step, (step - first) / max(1, steps - 1), number, place)
                one = attempt(rng, task, moment)
                one.step, one.group, one.attempt = step, f"{step}-{task.name}", number
                out.append(one)
    return out
