"""Tasks, attempts, and a simulated policy that learns: what every world of the part shares."""

import json
import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace

Message = dict
"""A message in the columns of docs/evidence.md."""


@dataclass
class Task:
    """A problem with its reference answer."""

    id: str
    prompt: str
    gold: str
    hardness: float = 0.0
    system: str = ""
    data: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """One rollout before a system writes it down."""

    task: Task
    talk: list[Message]
    answer: str
    right: float
    tool_seconds: float = 0.0
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    terms: dict = field(default_factory=dict)
    extra: dict = field(default_factory=dict)
    reward: float | None = None
    advantage: float | None = None
    in_loss: bool | None = True
    step: int = 0
    place: int = 0
    group: str = ""
    seconds: float = 0.0

    @property
    def tokens(self) -> int:
        """Sampled tokens over all turns."""
        return sum(spoken_tokens(m) for m in self.talk if m["role"] == "assistant")

    @property
    def turns(self) -> int:
        """Messages of the policy."""
        return sum(m["role"] == "assistant" for m in self.talk)


Play = Callable[[random.Random, Task, bool], Attempt]
Grade = Callable[[random.Random, Attempt], None]


def spoken_tokens(message: Message) -> int:
    """Tokens of a message: about four characters each in Latin script, more tokens for others."""
    text = message.get("content") or ""
    calls = "".join(json.dumps(call, ensure_ascii=False) for call in message.get("tool_calls", ()))
    wide = sum(ord(c) > 0x2FF for c in text)
    return max(1, round((len(text) - wide + len(calls)) / 3.9 + wide / 1.7))


class Talk:
    """Writes a conversation."""

    def __init__(self) -> None:
        self.messages: list[Message] = []

    def say(self, text: str) -> "Talk":
        """Let the policy speak."""
        self.messages.append({"role": "assistant", "content": text})
        return self

    def user(self, text: str) -> "Talk":
        """Let the user, or whoever is opposite, speak."""
        self.messages.append({"role": "user", "content": text})
        return self

    def call(self, text: str, name: str, arguments: dict, result: str, ok: bool = True) -> "Talk":
        """Let the policy call a tool that answers."""
        call = {"name": name, "arguments": arguments}
        self.messages.append({"role": "assistant", "content": text, "tool_calls": [call]})
        self.messages.append({"role": "tool", "tool_name": name, "content": result, "ok": ok})
        return self


@dataclass(frozen=True)
class Plan:
    """How a run is laid out, and how its policy grows."""

    steps: int = 20
    per_step: int = 5
    size: int = 8
    start: float = -0.7
    end: float = 1.1
    first: int = 1

    def skill(self, step: int) -> float:
        """Skill at a step, in logits: fast at first, then slower."""
        share = (step - self.first) / max(1, self.steps - 1)
        return self.start + (self.end - self.start) * (1 - math.exp(-2.2 * share)) / (1 - math.exp(-2.2))


def chance(skill: float, hardness: float) -> float:
    """How often a policy solves a problem."""
    return 1 / (1 + math.exp(-(skill - hardness)))


def pool(rng: random.Random, make: Callable[[random.Random, int], Task], count: int) -> list[Task]:
    """Different problems of one world."""
    tasks: list[Task] = []
    prompts: set[str] = set()
    while len(tasks) < count:
        task = make(rng, len(tasks))
        if task.prompt not in prompts:
            task.hardness += rng.gauss(0, 0.8)
            tasks.append(task)
            prompts.add(task.prompt)
    return tasks


def outcome(rng: random.Random, attempt: Attempt) -> None:
    """Grade by the outcome alone."""
    attempt.reward = float(attempt.right)
    attempt.terms = {"outcome": attempt.reward}


def sample_group(rng, task: Task, play: Play, size: int, skill: float, grade: Grade = outcome) -> list[Attempt]:
    """Draw the attempts of one group, graded."""
    out = []
    for place in range(size):
        attempt = play(rng, task, rng.random() < chance(skill, task.hardness))
        attempt.place = place
        attempt.seconds = round(attempt.tokens / rng.uniform(45, 75) + attempt.tool_seconds + rng.uniform(0.3, 1.1), 2)
        grade(rng, attempt)
        out.append(attempt)
    return out


def run(rng: random.Random, tasks: list[Task], play: Play, plan: Plan, grade: Grade = outcome) -> list[list[Attempt]]:
    """Draw a training run, step by step, which plays find in `task.data`; advantages are set later."""
    steps = []
    waiting: list[Task] = []
    for step in range(plan.first, plan.first + plan.steps):
        if len(waiting) < plan.per_step:
            waiting = rng.sample(tasks, len(tasks))
        batch = []
        for _ in range(plan.per_step):
            task = waiting.pop()
            task = replace(task, data={**task.data, "step": step})
            for attempt in sample_group(rng, task, play, plan.size, plan.skill(step) + rng.gauss(0, 0.1), grade):
                attempt.step, attempt.group = step, f"s{step}-{task.id}"
                batch.append(attempt)
        steps.append(batch)
    return steps


def evaluate(
    rng: random.Random, tasks: list[Task], play: Play, skill: float, size: int, step: int = 0, grade: Grade = outcome
) -> list[Attempt]:
    """Draw an evaluation: no training consumes it."""
    out = []
    for task in tasks:
        for attempt in sample_group(rng, task, play, size, skill, grade):
            attempt.step, attempt.group, attempt.split = step, f"e{step}-{task.id}", "validation"
            attempt.in_loss = None
            out.append(attempt)
    return out
