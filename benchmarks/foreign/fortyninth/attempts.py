"""Tasks, attempts at them, and a policy that learns while it attempts them."""

import math
import random
import re
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass
class Task:
    """A problem as an environment poses it."""

    domain: str
    family: str
    prompt: str
    gold: str
    hard: float = 0.0
    system: str = ""
    data: dict = field(default_factory=dict)
    uid: str = ""
    split: str = "train"


@dataclass
class Attempt:
    """One attempt: what was written and called, and what was made of it."""

    task: Task
    messages: list[dict]
    right: bool
    reward: float = 0.0
    terms: dict = field(default_factory=dict)
    step: int = 0
    group: str = ""
    place: int = 0
    stop: str = "stop"
    advantage: float | None = None
    extra: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """What the policy wrote last."""
        return self.messages[-1]["content"]

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns."""
        return sum(tokens_of(spoken(m)) for m in self.messages if m["role"] == "assistant")


Draw = Callable[[random.Random], Task]
Play = Callable[[random.Random, Task, bool, float], Attempt]


def spoken(message: dict) -> str:
    """Text of a message with the calls in it."""
    calls = " ".join(f"{c['name']} {c['arguments']}" for c in message.get("tool_calls", []))
    return f"{message['content']} {calls}"


def tokens_of(text: str) -> int:
    """Tokens of a text: pieces of words of up to six letters, digits one by one, signs."""
    return max(1, len(re.findall(r"[^\W\d]{1,6}|\d|[^\w\s]", text)))


def say(content: str, *calls: tuple[str, dict]) -> dict:
    """A message of the policy, with calls of tools."""
    message: dict = {"role": "assistant", "content": content}
    if calls:
        message["tool_calls"] = [{"name": name, "arguments": arguments} for name, arguments in calls]
    return message


def told(name: str, content: str, ok: bool = True) -> dict:
    """What a tool answered."""
    return {"role": "tool", "content": content, "tool_name": name, "ok": ok}


def chance(hard: float, t: float, start: float = -0.5, gain: float = 1.7) -> float:
    """Probability that the policy is right at a problem of this hardness, at share t of the run."""
    return 1 / (1 + math.exp(-(start + gain * t - hard)))


def roll(
    rng: random.Random,
    draw: Draw,
    play: Play,
    steps: int,
    groups: int,
    size: int,
    start: float = -0.5,
    gain: float = 1.7,
    prefix: str = "p",
) -> list[Attempt]:
    """Attempts of a run over fresh problems; no reward but 1 for right and 0 for wrong is given yet."""
    out: list[Attempt] = []
    seen: set[str] = set()
    for step in range(steps):
        t = step / max(1, steps - 1)
        for number in range(groups):
            task = fresh(rng, draw, seen)
            task.uid = task.uid or f"{prefix}-{task.domain}-{len(seen):04d}"
            out += group_of(rng, task, play, step, t, size, f"s{step}-g{number}", start, gain)
    return out


def fresh(rng: random.Random, draw: Draw, seen: set[str]) -> Task:
    """A task whose prompt was not drawn before."""
    task = draw(rng)
    for _ in range(60):
        if task.prompt not in seen:
            break
        task = draw(rng)
    seen.add(task.prompt)
    return task


def group_of(
    rng: random.Random,
    task: Task,
    play: Play,
    step: int,
    t: float,
    size: int,
    group: str,
    start: float = -0.5,
    gain: float = 1.7,
) -> list[Attempt]:
    """The attempts at one task in one step."""
    out = []
    for place in range(size):
        attempt = play(rng, task, rng.random() < chance(task.hard, t, start, gain), t)
        attempt.step, attempt.group, attempt.place = step, group, place
        out.append(attempt)
    return out


def mixed(parts: list[tuple[Draw, float]]) -> Draw:
    """Draw from several domains by weight."""
    draws, weights = [d for d, _ in parts], [w for _, w in parts]
    return lambda rng: rng.choices(draws, weights)[0](rng)


def paid(attempt: Attempt, reward: float, **terms: float) -> Attempt:
    """The attempt with its reward and the terms of it."""
    attempt.reward, attempt.terms = reward, terms or {"correct": reward}
    return attempt


def of_groups(attempts: list[Attempt]) -> list[list[Attempt]]:
    """The attempts by group, in order."""
    found: dict[str, list[Attempt]] = {}
    for attempt in attempts:
        found.setdefault(attempt.group, []).append(attempt)
    return list(found.values())
