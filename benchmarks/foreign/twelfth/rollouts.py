"""Rollouts of a policy that learns: which tasks come at which step, and how its attempts end."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from benchmarks.foreign.twelfth.tasks import Make, Reply, Task

LIMIT_TOKENS = 320
LIMIT_CHARS = 1180
"""What the limit of tokens is in signs, about."""


@dataclass
class Episode:
    """One attempt."""

    task: Task
    step: int
    attempt: int
    right: bool
    messages: list[dict]
    answer: str
    reward: Any = 0.0
    """A number; None where nothing was graded."""
    terms: dict = field(default_factory=dict)
    advantage: Any = None
    in_loss: bool = True
    stop: str = "stop"
    error: str | None = None
    split: str = "train"
    seconds: float = 1.0
    tokens: int = 0
    extra: dict = field(default_factory=dict)

    @property
    def group(self) -> str:
        """Name of the attempts at one problem in one step."""
        return f"{self.split}-{self.step}-{self.task.key}"


@dataclass(frozen=True)
class Shape:
    """How many steps, problems a step and attempts a problem."""

    steps: int
    problems: int
    size: int


def shape(
    rng: Random,
    sizes: Sequence[int] = (4, 5, 6, 8),
    rows: tuple[int, int] = (340, 620),
    steps: tuple[int, int] = (7, 13),
) -> Shape:
    """A usual size of a run."""
    return shaped(rng, rng.randint(*steps), rng.choice(sizes), rows)


def shaped(rng: Random, steps: int, size: int, rows: tuple[int, int]) -> Shape:
    """As many problems a step as make about that many rows."""
    return Shape(steps, max(4, round(rng.randint(*rows) / steps / size)), size)


def distinct(rng: Random, make: Make, count: int) -> list[Task]:
    """Tasks of different prompts."""
    found: dict[str, Task] = {}
    tries = 0
    while len(found) < count and tries < count * 60:
        task = make(rng, len(found))
        found.setdefault(task.prompt, task)
        tries += 1
    return list(found.values())


def schedule(rng: Random, tasks: Sequence[Task], run: Shape) -> list[list[Task]]:
    """Tasks of each step, in shuffled epochs."""
    queue: list[Task] = []
    plan = []
    for _ in range(run.steps):
        chosen: list[Task] = []
        while len(chosen) < run.problems:
            if not queue:
                queue = rng.sample(list(tasks), len(tasks))
            task = queue.pop()
            if task not in chosen:
                chosen.append(task)
        plan.append(chosen)
    return plan


def climb(rng: Random, start: float, gain: float, steps: int) -> list[float]:
    """Log-odds of success on a problem of usual difficulty, step by step."""
    return [start + gain * (s / max(1, steps - 1)) ** 0.8 + rng.gauss(0, 0.08) for s in range(steps)]


def chance(skill: float) -> float:
    """Log-odds as a probability."""
    return 1 / (1 + math.exp(-skill))


def count_tokens(messages: Sequence[dict]) -> int:
    """Sampled tokens, about."""
    return sum(
        max(3, round(len(m["content"]) / 3.7) + 14 * len(m.get("tool_calls", ())))
        for m in messages
        if m["role"] == "assistant"
    )


def rewrite(episode: Episode, reply: Reply) -> None:
    """Let an attempt have said something else."""
    episode.messages, episode.answer = reply.messages, reply.answer
    episode.extra |= reply.notes
    episode.tokens = count_tokens(reply.messages)


def attempt(rng: Random, task: Task, place: tuple[int, int], right: bool, progress: float) -> Episode:
    """One attempt, rewarded for being right."""
    step, number = place
    episode = Episode(task, step, number, right, [], "")
    rewrite(episode, task.write(rng, right, progress))
    episode.seconds = round(episode.tokens * rng.uniform(0.012, 0.03) + rng.expovariate(0.8), 2)
    return judge(episode, right)


def judge(episode: Episode, right: bool, name: str = "correct") -> Episode:
    """Reward an attempt by its outcome alone."""
    episode.right, episode.reward, episode.terms = right, float(right), {name: float(right)}
    return episode


def play(rng: Random, plan: Sequence[Sequence[Task]], size: int, skills: Sequence[float]) -> list[Episode]:
    """All attempts of a plan."""
    episodes = []
    for step, (tasks, skill) in enumerate(zip(plan, skills, strict=True)):
        progress = step / max(1, len(plan) - 1)
        for task in tasks:
            luck = skill - task.hard + rng.gauss(0, 0.35)
            for number in range(size):
                right = rng.random() < chance(luck)
                episodes.append(attempt(rng, task, (step, number), right, progress))
    return roughen(rng, episodes)


def train(rng: Random, make: Make, run: Shape, start: float = -0.5, gain: float = 1.9) -> list[Episode]:
    """A usual run on one kind of task, in a little more than one epoch."""
    tasks = distinct(rng, make, max(run.problems + 1, round(run.steps * run.problems * rng.uniform(0.75, 1.0))))
    return play(rng, schedule(rng, tasks, run), run.size, climb(rng, start, gain, run.steps))


def cut(rng: Random, episode: Episode) -> None:
    """Let an attempt go round in its last message until the limit of tokens: it breaks off there, and is wrong."""
    *before, last = episode.messages
    lines = last["content"].split("\n")
    text, pool = "\n".join(lines[:-1]), lines[:-1] or lines
    while len(text) < LIMIT_CHARS:
        text = f"{text}\n{rng.choice(pool) or '...'}"
    episode.messages = [*before, last | {"content": text[: LIMIT_CHARS + rng.randint(-40, 0)].strip()}]
    episode.answer, episode.stop, episode.tokens = "", "length", LIMIT_TOKENS
    episode.extra |= {k: v for k, v in {"tests_passed": 0, "items_met": 1}.items() if k in episode.extra}
    judge(episode, False)


def roughen(rng: Random, episodes: list[Episode]) -> list[Episode]:
    """A few attempts are cut, and a few are slow."""
    for e in episodes:
        lot = rng.random()
        if lot < 0.012:
            cut(rng, e)
        elif lot < 0.03:
            e.seconds = round(e.seconds * rng.uniform(2, 5), 2)
        elif lot < 0.07:
            last = e.messages[-1]
            e.messages[-1] = last | {"content": last["content"] + rng.choice(("\n", " ", "\n\n"))}
    return episodes


def groups(episodes: Sequence[Episode]) -> dict[str, list[Episode]]:
    """Attempts by group, in order."""
    found: dict[str, list[Episode]] = {}
    for e in episodes:
        found.setdefault(e.group, []).append(e)
    return found
