"""Problems, attempts at them, and the course of a run: which problem comes at which step."""

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Problem:
    """One prompt of a data set, with what its grader knows."""

    name: str
    text: str
    gold: str = ""
    hard: float = 0.0
    system: str = ""
    data: dict[str, Any] = field(default_factory=dict)

    def prompt(self) -> list[dict]:
        """The messages that the policy is shown at first."""
        head = [{"role": "system", "content": self.system}] if self.system else []
        return [*head, {"role": "user", "content": self.text}]


@dataclass
class Try:
    """One attempt, before a layout writes it down."""

    problem: Problem
    step: int
    attempt: int
    reply: list[dict]
    reward: float | None
    correct: float | None = None
    terms: dict[str, float] = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool | None = None
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    domain: str = "other"
    extra: dict[str, Any] = field(default_factory=dict)

    @property
    def group(self) -> str:
        """Name of the attempts at one problem in one step."""
        return f"s{self.step:03d}-{self.problem.name}"

    @property
    def text(self) -> str:
        """What the policy wrote last."""
        said = [m["content"] for m in self.reply if m["role"] == "assistant"]
        return said[-1] if said else ""

    @property
    def num_tokens(self) -> int:
        """Sampled tokens over all turns."""
        return sum(message_tokens(m) for m in self.reply if m["role"] == "assistant")


def message_tokens(message: dict) -> int:
    """Tokens of a message, its calls and its end mark included."""
    calls = message.get("tool_calls") or []
    return 1 + count_tokens(message["content"]) + sum(count_tokens(str(c)) for c in calls)


def count_tokens(text: str) -> int:
    """Tokens as a tokenizer of the day has them: four Latin letters each, or one and a half of other scripts."""
    other = sum(ord(c) > 0x2FF for c in text)
    return round((len(text) - other) / 4.2 + other / 1.7)


def say(text: str) -> list[dict]:
    """A reply of one message."""
    return [{"role": "assistant", "content": text}]


def call(thought: str, name: str, **arguments: Any) -> dict:
    """A message of the policy with one call."""
    return {"role": "assistant", "content": thought, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, text: str, ok: bool = True) -> dict:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}


def course(
    rng: random.Random, problems: list[Problem], steps: int, per_step: int, size: int, first: int = 1
) -> Iterator[tuple[int, float, Problem, int]]:
    """Step, share of the run that is done, problem, and number of the attempt; the data are shuffled each epoch."""
    queue: list[Problem] = []
    for number in range(steps):
        batch: list[Problem] = []
        while len(batch) < per_step:
            if not queue:
                queue = rng.sample(problems, len(problems))
            nxt = queue.pop()
            if all(nxt.name != p.name for p in batch):
                batch.append(nxt)
        for problem in batch:
            for attempt in range(size):
                yield first + number, number / max(1, steps - 1), problem, attempt
