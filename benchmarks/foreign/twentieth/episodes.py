"""What a run is made of: tasks, replies and episodes, and how a learning policy plays them."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random
from typing import Any


@dataclass
class Task:
    """One problem with its reference answer."""

    prompt: str
    gold: str
    family: str = ""
    hard: float = 0.0
    system: str = ""
    pid: str = ""
    data: dict = field(default_factory=dict)


@dataclass
class Reply:
    """What the policy and its tools said after the prompt."""

    turns: list[dict]
    answer: str = ""
    data: dict = field(default_factory=dict)

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(turn.get("content") or "" for turn in self.turns if turn["role"] == "assistant")


@dataclass
class Episode:
    """One attempt."""

    task: Task
    step: int
    attempt: int
    reply: Reply
    right: bool
    reward: Any
    progress: float
    split: str = "train"
    stop: str = "stop"
    error: str | None = None
    advantage: float | None = None
    in_loss: bool = True
    terms: dict[str, float] = field(default_factory=dict)
    extra: dict = field(default_factory=dict)

    @property
    def group(self) -> tuple[str, int, str]:
        """Attempts at one problem in one step share it."""
        return self.split, self.step, self.task.pid

    @property
    def tokens(self) -> int:
        """About as many as a tokenizer would count."""
        calls = sum(len(str(t.get("tool_calls", ""))) for t in self.reply.turns)
        return max(2, round((len(self.reply.text) + calls) / 3.6))

    def score(self, **terms: float) -> None:
        """Set the terms, and the reward to their sum."""
        self.terms = {name: round(value, 4) for name, value in terms.items()}
        self.reward = round(sum(terms.values()), 4)


MakeTask = Callable[[Random], Task]
MakeReply = Callable[[Random, Task, bool, float], Reply]


@dataclass(frozen=True)
class Domain:
    """Problems and how a policy answers them; the last argument of a reply is the progress of training, 0 to 1."""

    prefix: str
    task: MakeTask
    reply: MakeReply


@dataclass(frozen=True)
class Plan:
    """Steps, problems a step, attempts a problem, and the curve of the policy in log-odds."""

    steps: int
    problems: int
    size: int
    start: float = -0.6
    gain: float = 1.8


def said(text: str) -> dict:
    """Give a message of the policy."""
    return {"role": "assistant", "content": text}


def called(text: str, name: str, /, **arguments: object) -> dict:
    """Give a message of the policy that calls a tool."""
    return {"role": "assistant", "content": text, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, text: str) -> dict:
    """Give what a tool answers."""
    return {"role": "tool", "tool_name": name, "content": text}


def draw(rng: Random, domain: Domain, count: int, first: int = 0) -> list[Task]:
    """Draw distinct tasks, each of its own difficulty."""
    tasks: dict[str, Task] = {}
    while len(tasks) < count:
        task = domain.task(rng)
        if task.prompt not in tasks:
            task.pid = f"{domain.prefix}-{first + len(tasks):04d}"
            task.hard += rng.gauss(0, 0.9)
            tasks[task.prompt] = task
    return list(tasks.values())


def chance(log_odds: float) -> float:
    """Turn log-odds into a probability."""
    return 1 / (1 + math.exp(-log_odds))


def attempt(rng: Random, domain: Domain, task: Task, at: tuple[int, int], ability: float, progress: float) -> Episode:
    """Play one attempt; a few are cut by the budget or lack their last line."""
    right = rng.random() < chance(ability - task.hard)
    reply = domain.reply(rng, task, right, progress)
    episode = Episode(task, at[0], at[1], reply, right, float(right), progress, terms={"correct": float(right)})
    last = reply.turns[-1]
    if rng.random() < 0.012 and len(last.get("content") or "") > 120:
        last["content"] = last["content"][: int(len(last["content"]) * rng.uniform(0.4, 0.7))]
        episode.stop, episode.right, reply.answer = "length", False, ""
        episode.score(correct=0.0)
    elif rng.random() < 0.01 and "\n" in (last.get("content") or ""):
        last["content"] = last["content"].rsplit("\n", 1)[0]
        episode.right, reply.answer = False, ""
        episode.score(correct=0.0)
    return episode


def play(rng: Random, domain: Domain, schedule: list[list[Task]], plan: Plan) -> list[Episode]:
    """Play the tasks of each step in groups; now and then an attempt is lost."""
    episodes = []
    for step, tasks in enumerate(schedule):
        progress = step / max(1, len(schedule) - 1)
        ability = plan.start + plan.gain * progress**0.85 + rng.gauss(0, 0.12)
        for task in tasks:
            group = [attempt(rng, domain, task, (step, n), ability, progress) for n in range(plan.size)]
            if rng.random() < 0.02:
                group.pop(rng.randrange(plan.size))
            episodes += group
    return episodes


def train(rng: Random, domain: Domain, plan: Plan) -> list[Episode]:
    """Play fresh tasks at each step."""
    tasks = draw(rng, domain, plan.steps * plan.problems)
    schedule = [tasks[n * plan.problems : (n + 1) * plan.problems] for n in range(plan.steps)]
    return play(rng, domain, schedule, plan)


def validate(rng: Random, domain: Domain, tasks: list[Task], steps: list[int], plan: Plan) -> list[Episode]:
    """Play held-out tasks at some steps."""
    episodes = []
    for step in steps:
        progress = step / max(1, plan.steps - 1)
        for task in tasks:
            for number in range(plan.size):
                ability = plan.start + plan.gain * progress
                episodes.append(attempt(rng, domain, task, (step, number), ability, progress))
    for e in episodes:
        e.split, e.in_loss = "validation", False
    return episodes
