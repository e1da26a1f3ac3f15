"""A simulated policy that learns: its attempts by step, problem and group, scored and credited as a trainer would."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.foreign.estimators import Estimator, grpo
from benchmarks.foreign.fortieth.tasks import Task, World, count_tokens, write


@dataclass
class Attempt:
    """One attempt, before a system writes it down."""

    step: int
    task: Task
    number: int
    right: bool
    text: str
    answer: str
    progress: float
    tokens: int = 0
    reward: float | None = 0.0
    terms: dict = field(default_factory=dict)
    advantage: float | None = None
    split: str = "train"
    stop: str = "stop"
    in_loss: bool | None = True
    messages: list[dict] = field(default_factory=list)
    """Turns behind the prompt, where there are several."""
    extra: dict = field(default_factory=dict)
    group: str = ""
    logprob: float | None = None


Speak = Callable[[random.Random, Task, bool, float], tuple[str, str]]


def sigmoid(x: float) -> float:
    """Logistic function."""
    return 1 / (1 + math.exp(-x))


def chance(task: Task, progress: float, start: float, end: float) -> float:
    """How likely a right answer is after this share of the training."""
    return sigmoid(start + (end - start) * progress - task.hardness)


def plain_speech(form: str = "Answer: {}", remarks: int = 2) -> Speak:
    """Speech of the usual kind, with this line at its end."""
    return lambda rng, task, right, progress: write(rng, task, right, form, rng.randint(0, remarks))


def attempts_at(
    rng: random.Random, task: Task, step: int, size: int, progress: float, odds: float, speak: Speak | None = None
) -> list[Attempt]:
    """A group: attempts at one problem in one step."""
    speak, out = speak or plain_speech(), []
    tilt = min(0.99, max(0.003, odds + rng.gauss(0, 0.32 * odds * (1 - odds))))
    for number in range(size):
        right = rng.random() < tilt
        text, answer = speak(rng, task, right, progress)
        a = Attempt(step, task, number, right, text, answer, progress, count_tokens(text), 1.0 * right)
        a.group = f"s{step}-{task.pid}"
        a.logprob = round(-0.55 + 0.2 * progress + rng.gauss(0, 0.05), 4)
        out.append(a)
    return out


def campaign(
    rng: random.Random,
    world: World,
    steps: int = 14,
    problems: int = 6,
    size: int = 8,
    skill: tuple[float, float] = (-0.9, 1.2),
    speak: Speak | None = None,
    first: int = 0,
) -> list[Attempt]:
    """All attempts of a run in which new problems come at each step."""
    out = []
    for step in range(steps):
        progress = step / max(1, steps - 1)
        for _ in range(problems):
            task = world(rng)
            out += attempts_at(rng, task, first + step, size, progress, chance(task, progress, *skill), speak)
    return out


def weigh(attempts: list[Attempt], **weights: float) -> list[Attempt]:
    """Reward as the weighted sum of the terms."""
    for a in attempts:
        a.reward = round(sum(w * a.terms[name] for name, w in weights.items()), 6)
    return attempts


def credit(rng: random.Random, attempts: list[Attempt], estimator: Estimator = grpo) -> list[Attempt]:
    """Advantages of the rows that training used, step by step, in a stable order."""
    noise = np.random.default_rng(rng.randrange(2**32))
    steps: dict[int, list[Attempt]] = {}
    for a in attempts:
        if a.in_loss and a.reward is not None and a.split == "train":
            steps.setdefault(a.step, []).append(a)
        else:
            a.advantage = None
    for used in steps.values():
        rewards, lengths = np.array([float(a.reward or 0.0) for a in used]), np.array([a.tokens for a in used], float)
        values = estimator(rewards, np.array([a.group for a in used]), lengths, noise)
        for a, value in zip(used, values, strict=True):
            a.advantage = round(float(value), 6) + 0.0
    return attempts


def by_step(attempts: list[Attempt]) -> dict[int, list[Attempt]]:
    """Attempts of each step."""
    out: dict[int, list[Attempt]] = {}
    for a in attempts:
        out.setdefault(a.step, []).append(a)
    return out


def by_group(attempts: list[Attempt]) -> dict[str, list[Attempt]]:
    """Attempts of each group."""
    out: dict[str, list[Attempt]] = {}
    for a in attempts:
        out.setdefault(a.group, []).append(a)
    return out
