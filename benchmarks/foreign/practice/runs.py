"""The course of a training run: which problems, how many attempts, how skill rises, and how a trainer dumps them."""

import math
import statistics
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from benchmarks.foreign.practice.acting import Scene, said
from benchmarks.foreign.practice.stories import Draw, Task, World

Row = dict[str, Any]


@dataclass(frozen=True)
class Attempt:
    """One attempt of a policy at a problem, before it is written down."""

    step: int
    progress: float
    """0 at the first step, 1 at the last."""
    task: Task
    number: int
    group: int
    right: bool
    rng: Draw


@dataclass(frozen=True)
class Plan:
    """Size and course of a run."""

    steps: int = 12
    problems: int = 10
    group: int = 8
    skill: tuple[float, float] = (-0.8, 1.0)
    """Logits at the first and last step."""
    pool: int = 0
    """Problems that are drawn again and again; 0 for new ones in each step."""


def attempts(
    rng: Draw, world: World | Scene, plan: Plan, harder: Callable[[float], float] = lambda at: 0.0
) -> Iterator[Attempt]:
    """Draw the attempts of a run in the order of training."""
    pool = [world.draw(rng, f"q{number:04d}") for number in range(plan.pool)]
    for step in range(plan.steps):
        at = step / max(1, plan.steps - 1)
        skill = plan.skill[0] + (plan.skill[1] - plan.skill[0]) * at
        new = [world.draw(rng, f"q{step * plan.problems + number:04d}") for number in range(plan.problems)]
        for place, task in enumerate(rng.sample(pool, plan.problems) if pool else new):
            chance = 1 / (1 + math.exp(task.difficulty + harder(at) - skill))
            for number in range(plan.group):
                yield Attempt(step, at, task, number, step * plan.problems + place, rng.random() < chance, rng)


def relative(
    rows: list[Row], key: str = "group", reward: str = "reward", into: str = "advantage", scaled: bool = True
) -> list[Row]:
    """Fill in group-relative advantages."""
    groups: dict[Any, list[Row]] = defaultdict(list)
    for row in rows:
        groups[row[key]].append(row)
    for members in groups.values():
        rewards = [float(row[reward]) for row in members]
        mean, deviation = statistics.fmean(rewards), statistics.pstdev(rewards)
        for row, value in zip(members, rewards, strict=True):
            row[into] = round((value - mean) / (deviation + 1e-6) if scaled else value - mean, 5)
    return rows


def num_tokens(text: str) -> int:
    """A rough count of tokens."""
    return max(1, len(text) // 4)


def written(world: World, attempt: Attempt, talk: float = 0.3) -> tuple[str, str]:
    """The text of an attempt and its final answer."""
    return world.answer(attempt.rng, attempt.task, attempt.right, talk)


def verl(attempt: Attempt, text: str, score: float, **more: Any) -> Row:
    """A line as verl's rollout_data_dir holds it."""
    return {
        "input": f"user\n{attempt.task.prompt}\nassistant\n",
        "output": text,
        "gts": attempt.task.answer,
        "score": score,
        "step": attempt.step + 1,
        **more,
    }


def trl(attempt: Attempt, text: str, rewards: dict[str, float], **more: Any) -> Row:
    """A line as TRL's completions hold it."""
    ends = {
        "prompt": [{"role": "user", "content": attempt.task.prompt}],
        "completion": [{"role": "assistant", "content": text}],
    }
    return {"step": attempt.step + 1, **ends, **rewards, **more}


def chatted(attempt: Attempt, messages: list[Row] | str, reward: float | None, **more: Any) -> Row:
    """A line of messages with a reward beside, as own scripts write it."""
    if isinstance(messages, str):
        messages = [{"role": "user", "content": attempt.task.prompt}, said(messages)]
    return {"problem_id": attempt.task.name, "step": attempt.step, "messages": messages, "reward": reward, **more}


def openrlhf(attempt: Attempt, text: str, reward: float, **more: Any) -> Row:
    """A line of OpenRLHF's batch inference with a reward."""
    return {"input": attempt.task.prompt, "output": text, "reward": reward, **more}


def verifiers(attempt: Attempt, messages: list[Row], reward: float, **more: Any) -> Row:
    """A line of verifiers' results.jsonl."""
    cut = next(place for place, message in enumerate(messages) if message["role"] == "assistant")
    return {
        "example_id": int(attempt.task.name[1:]),
        "prompt": messages[:cut],
        "completion": messages[cut:],
        "answer": attempt.task.answer,
        "task": attempt.task.family,
        "reward": reward,
        **more,
    }


def played(scene: Scene, attempt: Attempt, talk: float = 0.3) -> list[Row]:
    """The messages of an attempt with tools."""
    return scene.play(attempt.rng, attempt.task, attempt.right, talk)
