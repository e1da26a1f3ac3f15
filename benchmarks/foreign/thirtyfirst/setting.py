"""A simulated training: tasks, attempts, a policy whose skill grows, and the advantages that its trainer computes."""

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

import numpy as np

from benchmarks.foreign.estimators import Estimator


@dataclass
class Task:
    """A problem: its prompt, what is right, and how hard it is (0 is middling)."""

    id: str
    prompt: str
    gold: str = ""
    hard: float = 0.0
    family: str = ""
    data: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """One attempt: what followed the prompt, and what the grader made of it."""

    task: Task
    turns: list[dict]
    reward: float | None
    correct: float | None = None
    terms: dict[str, float] = field(default_factory=dict)
    stop: str = "stop"
    extra: dict = field(default_factory=dict)
    error: str | None = None
    in_loss: bool | None = True
    split: str = "train"
    advantage: float | None = None
    step: int = 0
    k: int = 0

    @property
    def text(self) -> str:
        """All that the policy wrote."""
        return "\n".join(t["content"] for t in self.turns if t["role"] == "assistant")

    @property
    def tokens(self) -> int:
        """Sampled tokens, with those of calls."""
        return sum(sampled(t) for t in self.turns if t["role"] == "assistant")


def count(text: str) -> int:
    """Tokens of a text, about as a tokenizer would count them."""
    return max(1, round(max(len(text.split()) * 1.35, len(text) / 4.2)))


def sampled(turn: dict) -> int:
    """Tokens of a message of the policy, with those of its calls."""
    return count(turn["content"] + str(turn.get("tool_calls", "")))


def say(text: str, **calls: dict) -> dict:
    """A message of the policy; further arguments are calls, by the tool's name."""
    made = [{"name": name, "arguments": arguments} for name, arguments in calls.items()]
    return {"role": "assistant", "content": text, **({"tool_calls": made} if made else {})}


def told(tool: str, text: str, ok: bool = True) -> dict:
    """What a tool answered."""
    return {"role": "tool", "tool_name": tool, "content": text, "ok": ok}


def level(step: int, steps: int, start: float, end: float) -> float:
    """Skill at a step: fast at first, slower later."""
    return start + (end - start) * (1 - math.exp(-2.5 * step / max(1, steps - 1))) / (1 - math.exp(-2.5))


def chance(skill: float, hard: float) -> float:
    """Chance that an attempt at a task is right."""
    return 1 / (1 + math.exp(-1.4 * (skill - hard)))


def rollouts(
    rng: Random,
    tasks: list[Task],
    act: Callable[[Task, float, int], Attempt],
    *,
    steps: int = 20,
    per_step: int = 6,
    size: int = 8,
    start: float = -0.6,
    end: float = 1.3,
) -> list[Attempt]:
    """Attempts of a run: at each step groups at some tasks, passing through the data before a task comes again."""
    out: list[Attempt] = []
    queue: list[Task] = []
    for step in range(steps):
        skill = level(step, steps, start, end) + rng.gauss(0, 0.08)
        if len(queue) < per_step:
            waiting = {t.id for t in queue}
            queue += [t for t in rng.sample(tasks, len(tasks)) if t.id not in waiting]
        for task in [queue.pop(0) for _ in range(per_step)]:
            for k in range(size):
                attempt = act(task, chance(skill, task.hard), step)
                attempt.step, attempt.k = step, k
                out.append(attempt)
    return out


def evaluate(tasks: list[Task], act: Callable[[Task, float, int], Attempt], at: dict[int, float]) -> list[Attempt]:
    """Attempts at held tasks, one each, at steps with the skill that the policy then has."""
    out = []
    for step, skill in at.items():
        for task in tasks:
            attempt = act(task, chance(skill, task.hard), step)
            attempt.step, attempt.split, attempt.in_loss = step, "validation", None
            out.append(attempt)
    return out


def give(rng: Random, attempts: list[Attempt], estimator: Estimator) -> list[Attempt]:
    """Write the advantages of an estimator on the attempts of training that have a reward, step by step."""
    noise = np.random.default_rng(rng.getrandbits(32))
    for step in sorted({a.step for a in attempts}):
        rows = [a for a in attempts if a.step == step and a.split == "train" and a.reward is not None]
        if not rows:
            continue
        names = {name: i for i, name in enumerate(dict.fromkeys(a.task.id for a in rows))}
        values = estimator(
            np.array([a.reward for a in rows], dtype=float),
            np.array([names[a.task.id] for a in rows]),
            np.array([a.tokens for a in rows], dtype=float),
            noise,
        )
        for row, value in zip(rows, values, strict=True):
            row.advantage = float(value)
    return attempts


def ramp(step: int, begin: int, end: int, low: float = 0.0, high: float = 1.0) -> float:
    """A share that goes from low to high between two steps."""
    return low + (high - low) * min(1.0, max(0.0, (step - begin) / max(1, end - begin)))
