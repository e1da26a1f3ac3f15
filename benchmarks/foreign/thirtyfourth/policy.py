"""A policy that learns: problems of some hardness, attempts in groups, chances that rise with the steps."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from benchmarks.foreign import estimators

Choice = str | list[str]


@dataclass
class Problem:
    """A task: its text, its answer, how hard it is, and what else its domain keeps."""

    id: str
    prompt: str
    gold: str
    family: str = ""
    hardness: float = 0.0
    data: dict = field(default_factory=dict)


@dataclass
class Attempt:
    """What one attempt wrote and earned, before a system writes it down."""

    problem: Problem
    step: int
    number: int
    reply: str = ""
    turns: list[dict] | None = None
    reward: float | None = 0.0
    right: float | None = None
    advantage: float | None = None
    terms: dict = field(default_factory=dict)
    extra: dict = field(default_factory=dict)
    split: str = "train"
    stop: str = "stop"
    in_loss: bool | None = None
    error: str | None = None

    @property
    def written(self) -> list[dict]:
        """Messages after the prompt."""
        return self.turns if self.turns is not None else [{"role": "assistant", "content": self.reply}]

    @property
    def length(self) -> int:
        """Sampled tokens: those of the policy's own messages."""
        return sum(tokens(said(m)) for m in self.written if m["role"] == "assistant")


Try = Callable[[Problem, int, float, int], Attempt]


def said(message: dict) -> str:
    """Content of a message with its calls."""
    calls = "".join(f"{c['name']}{c['arguments']}" for c in message.get("tool_calls", ()))
    return message["content"] + calls


def tokens(text: str) -> int:
    """Tokens of a text: four characters each."""
    return max(1, round(len(text) / 4))


def chance(problem: Problem, progress: float, start: float = -0.8, gain: float = 2.4) -> float:
    """How likely a right answer is at this point of training."""
    return 1 / (1 + math.exp(-(start + gain * progress - problem.hardness)))


def speak(rng: random.Random, *parts: Choice) -> str:
    """Sentences in turn; of a list one is drawn, and an empty one is left out."""
    drawn = [part if isinstance(part, str) else rng.choice(part) for part in parts]
    return " ".join(text for text in drawn if text)


def campaign(
    rng: random.Random, problems: list[Problem], steps: int, per_step: int, size: int, attempt: Try
) -> list[Attempt]:
    """Groups of attempts, step by step; problems come in a shuffled order, again when all were seen."""
    out: list[Attempt] = []
    queue: list[Problem] = []
    for step in range(steps):
        drawn: list[Problem] = []
        while len(drawn) < per_step:
            if not queue:
                queue = rng.sample(problems, len(problems))
            drawn.append(queue.pop())
        for problem in drawn:
            out += [attempt(problem, step, step / max(1, steps - 1), number) for number in range(size)]
    return out


def settle(attempts: list[Attempt], estimator: estimators.Estimator, seed: int = 0) -> list[Attempt]:
    """Give every rewarded attempt of training the advantage of an estimator, step by step."""
    draws = np.random.default_rng(seed)
    steps: dict[int, list[Attempt]] = {}
    for each in attempts:
        if each.split == "train" and each.reward is not None:
            steps.setdefault(each.step, []).append(each)
    for batch in steps.values():
        codes = {key: i for i, key in enumerate(dict.fromkeys(a.problem.id for a in batch))}
        groups = np.array([codes[a.problem.id] for a in batch])
        rewards = np.array([a.reward for a in batch], dtype=float)
        lengths = np.array([a.length for a in batch], dtype=float)
        for each, value in zip(batch, estimator(rewards, groups, lengths, draws), strict=True):
            each.advantage = round(float(value), 5)
    return attempts


def call(name: str, thought: str = "", **arguments: object) -> dict:
    """A message of the policy that calls one tool."""
    return {"role": "assistant", "content": thought, "tool_calls": [{"name": name, "arguments": arguments}]}


def told(name: str, text: str, ok: bool = True) -> dict:
    """What a tool answered."""
    return {"role": "tool", "tool_name": name, "content": text, "ok": ok}


def say(text: str) -> dict:
    """A message of the policy without calls."""
    return {"role": "assistant", "content": text}
