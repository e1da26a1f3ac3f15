"""What an attempt is made of: a task, its turns, and whether the world ended up as asked."""

import re
from dataclasses import dataclass, field
from random import Random


@dataclass(frozen=True)
class Task:
    """One problem of a world; `facts` is all that the world knows about it."""

    key: str
    system: str
    prompt: str
    gold: str
    facts: dict
    level: float = 0.0


@dataclass
class Episode:
    """The turns behind the prompt, how they ended, and what the world then held."""

    turns: list[dict]
    right: bool
    answer: str = ""
    stop: str = "stop"
    state: dict = field(default_factory=dict)


def count(text: str) -> int:
    """Tokens of a text: words in pieces of six letters, and signs."""
    return sum(1 + (len(piece) - 1) // 6 for piece in re.findall(r"\w+|[^\w\s]", text))


class Talk:
    """Collects the turns of one attempt."""

    def __init__(self) -> None:
        self.turns: list[dict] = []

    def say(self, text: str) -> "Talk":
        """Let the policy speak."""
        self.turns.append({"role": "assistant", "content": text})
        return self

    def hear(self, text: str) -> "Talk":
        """Let the simulated user speak."""
        self.turns.append({"role": "user", "content": text})
        return self

    def call(self, thought: str, tool: str, reply: str, ok: bool = True, **arguments: object) -> "Talk":
        """Let the policy call a tool, which replies."""
        calls = [{"name": tool, "arguments": arguments}]
        self.turns.append({"role": "assistant", "content": thought, "tool_calls": calls})
        self.turns.append({"role": "tool", "tool_name": tool, "content": reply, "ok": ok})
        return self


def own_tokens(turns: list[dict]) -> int:
    """Tokens that the policy sampled."""
    total = 0
    for turn in turns:
        if turn["role"] == "assistant":
            total += count(turn["content"]) + sum(count(str(call)) for call in turn.get("tool_calls", ()))
    return total


def one(rng: Random, *choices: str) -> str:
    """One of several wordings."""
    return rng.choice(choices)


def some(rng: Random, share: float, *choices: str) -> str:
    """One of several further sentences, or none."""
    return " " + rng.choice(choices) if rng.random() < share else ""
