"""A policy that learns: which problems come when, and how often each is solved."""

import math
from collections.abc import Callable
from random import Random

from benchmarks.foreign.eighteenth.shapes import Episode, Task

MakeTask = Callable[[Random], Task]


def distinct(rng: Random, make: MakeTask, count: int, prefix: str) -> list[Task]:
    """Tasks of different prompts, with ids that look like those of a data set."""
    found: dict[str, Task] = {}
    while len(found) < count:
        task = make(rng)
        found.setdefault(task.prompt, task)
    first = rng.randrange(100, 9000)
    tasks = list(found.values())
    for number, task in enumerate(tasks):
        task.id = f"{prefix}-{first + 7 * number}"
        task.level += rng.gauss(0, 0.9)
    return tasks


def pages(tasks: list[Task], steps: int) -> list[list[Task]]:
    """The tasks of each step, each task once."""
    size = len(tasks) // steps
    return [tasks[size * i : size * (i + 1)] for i in range(steps)]


def climb(rng: Random, start: float, gain: float, steps: int) -> list[float]:
    """Skill by step: rises, faster at first, with noise."""
    return [start + gain * (i / max(1, steps - 1)) ** 0.8 + rng.gauss(0, 0.12) for i in range(steps)]


def chance(skill: float, task: Task) -> float:
    """How probably a policy of this skill solves the task."""
    return 1 / (1 + math.exp(task.level - skill))


def attempt(rng: Random, task: Task, step: int, number: int, skill: float) -> Episode:
    """One attempt with the plain reward of its outcome; one in eighty is cut by the budget."""
    right = rng.random() < chance(skill, task)
    reply = task.write(rng, right)
    episode = Episode(task, step, number, reply, right)
    if rng.random() < 1 / 80 and len(reply.text) > 80:
        reply.text = reply.text[: int(len(reply.text) * rng.uniform(0.35, 0.7))]
        reply.answer, episode.right, episode.stop = "", False, "length"
    elif rng.random() < 0.02:
        reply.text += rng.choice((" ", "\n", "\n\n"))
    episode.reward = float(episode.right)
    episode.terms = {"correct": episode.reward}
    episode.seconds = round(2 + reply.size * rng.uniform(0.02, 0.04) + rng.expovariate(0.8), 2)
    return episode


def play(rng: Random, batches: list[list[Task]], size: int, skills: list[float]) -> list[Episode]:
    """All attempts of a run, in the order of its steps."""
    episodes = []
    for step, (batch, skill) in enumerate(zip(batches, skills, strict=True)):
        for task in batch:
            episodes += [attempt(rng, task, step, n, skill) for n in range(size)]
    return episodes


def run(rng: Random, make: MakeTask, steps: int, per_step: int, size: int, prefix: str = "p") -> list[Episode]:
    """A whole run over fresh tasks with a usual learning curve."""
    tasks = distinct(rng, make, steps * per_step, prefix)
    skills = climb(rng, rng.uniform(-0.9, -0.4), rng.uniform(1.5, 2.1), steps)
    return play(rng, pages(tasks, steps), size, skills)


def groups(episodes: list[Episode]) -> list[list[Episode]]:
    """Episodes by group, in order."""
    found: dict[tuple, list[Episode]] = {}
    for e in episodes:
        found.setdefault(e.group, []).append(e)
    return list(found.values())
