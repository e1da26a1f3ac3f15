"""Problems, attempts and the messages that they are made of."""

import random
from dataclasses import dataclass, field


@dataclass
class Problem:
    """One task: its prompt, the answer that its grader knows, and what its environment holds."""

    pid: str
    family: str
    system: str
    prompt: str
    gold: str
    data: dict


@dataclass
class Attempt:
    """One rollout, before a system writes it down."""

    problem: Problem
    step: int
    index: int
    right: bool
    messages: list[dict]
    answer: str
    reward: float | None = 0.0
    advantage: float | None = None
    split: str = "train"
    stop: str = "stop"
    terms: dict[str, float] = field(default_factory=dict)
    extra: dict = field(default_factory=dict)

    @property
    def group(self) -> str:
        """Attempts at one problem in one step share it."""
        return f"{self.split}-{self.step}-{self.problem.pid}"

    @property
    def tokens(self) -> int:
        """About one token in four signs of what the policy wrote."""
        return sum(num_tokens(message) for message in self.messages if message["role"] == "assistant")


def num_tokens(message: dict) -> int:
    """Tokens of one message, its calls included."""
    calls = sum(len(str(call)) for call in message.get("tool_calls", ()))
    return max(1, (len(message["content"]) + calls) // 4)


def say(text: str) -> dict:
    """The policy speaks."""
    return {"role": "assistant", "content": text}


def call(text: str, tool: str, **arguments: object) -> dict:
    """The policy speaks and calls a tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": tool, "arguments": arguments}]}


def told(tool: str, text: str, ok: bool = True) -> dict:
    """A tool answers."""
    return {"role": "tool", "tool_name": tool, "content": text, "ok": ok}


def user(text: str) -> dict:
    """A user, or one who plays it, speaks."""
    return {"role": "user", "content": text}


def pick(rng: random.Random, *texts: str) -> str:
    """One of several wordings."""
    return rng.choice(texts)
