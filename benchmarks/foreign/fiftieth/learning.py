"""A policy that learns: its chance of a right attempt rises with the steps and falls with the task's level."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

import numpy as np

from benchmarks.foreign.estimators import Estimator
from benchmarks.foreign.fiftieth.episodes import Episode, Task, own_tokens

Act = Callable[[Random, Task, float, int], Episode]


@dataclass
class Sample:
    """One attempt of a run, with what the trainer makes of it."""

    step: int
    task: Task
    group: int
    attempt: int
    episode: Episode
    seed: int
    reward: float | None = None
    advantage: float | None = None
    split: str = "train"
    terms: dict = field(default_factory=dict)
    more: dict = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Tokens that the policy sampled."""
        return own_tokens(self.episode.turns)


def chance(task: Task, progress: float, start: float = -0.7, gain: float = 1.9) -> float:
    """How likely an attempt is right when this share of the run is done."""
    return 1 / (1 + math.exp(task.level - start - gain * progress))


@dataclass(frozen=True)
class Plan:
    """How a run is laid out."""

    steps: int = 16
    problems: int = 5
    size: int = 8
    start: float = -0.7
    gain: float = 1.9

    @property
    def needed(self) -> int:
        """Tasks of a run in which none comes twice."""
        return self.steps * self.problems


def play(rng: Random, plan: Plan, tasks: Sequence[Task], act: Act) -> list[Sample]:
    """Draw groups of attempts step by step; tasks come in order, and again once all came."""
    samples, group = [], 0
    for step in range(plan.steps):
        progress = step / max(1, plan.steps - 1)
        for _ in range(plan.problems):
            task = tasks[group % len(tasks)]
            skill = chance(task, progress, plan.start, plan.gain)
            for attempt in range(plan.size):
                episode = act(rng, task, skill, step)
                samples.append(Sample(step, task, group, attempt, episode, rng.randrange(2**31)))
            group += 1
    return samples


def held_out(
    rng: Random, plan: Plan, tasks: Sequence[Task], act: Act, every: int, frozen: bool = False
) -> list[Sample]:
    """Attempts at held tasks at every few steps; a frozen policy stays what it was at first."""
    samples, group = [], 10_000
    for step in range(0, plan.steps, every):
        progress = 0.0 if frozen else step / max(1, plan.steps - 1)
        for task in tasks:
            skill = chance(task, progress, plan.start, plan.gain)
            episode = act(rng, task, skill, 0 if frozen else step)
            samples.append(Sample(step, task, group, 0, episode, rng.randrange(2**31), split="validation"))
            group += 1
    return samples


def pay(samples: list[Sample], price: Callable[[Sample], float] | None = None) -> list[Sample]:
    """Reward every sample by a price, or by whether the world is as asked."""
    for sample in samples:
        sample.reward = float(sample.episode.right) if price is None else round(float(price(sample)), 4)
    return samples


def credit(samples: list[Sample], estimator: Estimator, by: Callable[[Sample], int] | None = None) -> list[Sample]:
    """Give every trained sample its advantage, step by step; `by` says what the estimator takes for its group."""
    steps: dict[int, list[Sample]] = {}
    for sample in samples:
        if sample.split == "train" and sample.reward is not None:
            steps.setdefault(sample.step, []).append(sample)
    for members in steps.values():
        rewards = np.array([sample.reward for sample in members], dtype=float)
        groups = np.array([by(sample) if by else sample.group for sample in members])
        lengths = np.array([sample.tokens for sample in members], dtype=float)
        for sample, value in zip(members, estimator(rewards, groups, lengths, np.random.default_rng(0)), strict=True):
            sample.advantage = round(float(value), 6)
    return samples
