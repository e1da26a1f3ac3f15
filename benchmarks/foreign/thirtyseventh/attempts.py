"""A simulated policy that learns: items, attempts at them by step, and the advantages that training took."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

import numpy as np

from benchmarks.foreign import estimators

Reply = Callable[[Random, bool], tuple[str, str]]
"""Draws a reply that is right, or plausibly wrong: its text, and the answer it gives."""


@dataclass
class Item:
    """A problem with its key, and how replies to it come about."""

    key: str
    prompt: str
    gold: str
    reply: Reply
    family: str = ""
    level: float = 0.5
    system: str = ""
    turns: list[dict] = field(default_factory=list)
    """Messages behind the prompt that come before the policy's reply."""
    data: dict = field(default_factory=dict)


@dataclass
class Try:
    """One attempt."""

    item: Item
    step: int
    group: str
    attempt: int
    text: str
    answer: str
    right: float | Any
    """None where nothing tells."""
    reward: float | None = None
    terms: dict = field(default_factory=dict)
    advantage: float | None = None
    in_loss: bool | None = True
    stop: str = "stop"
    split: str = "train"
    extra: dict = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Sampled tokens, about one for four signs."""
        return max(1, round(len(self.text) / 4.1))

    @property
    def prompt_messages(self) -> list[dict]:
        """What stood before the reply."""
        system = [{"role": "system", "content": self.item.system}] if self.item.system else []
        return [*system, {"role": "user", "content": self.item.prompt}, *self.item.turns]


def skill(step: int, steps: int, start: float, end: float, level: float) -> float:
    """Chance of a right reply: it grows with steps, and is less on hard items."""
    done = step / max(1, steps - 1)
    mean = start + (end - start) * (1 - (1 - done) ** 1.5)
    return min(0.97, max(0.03, mean + (0.5 - level) * 0.55))


def group_of(rng: Random, item: Item, step: int, place: int, size: int, chance: float, **more: Any) -> list[Try]:
    """Attempts at one item in one step."""
    out = []
    for attempt in range(size):
        right = rng.random() < chance
        text, answer = item.reply(rng, right)
        out.append(Try(item, step, f"s{step}-{place}", attempt, text, answer, float(right), float(right), **more))
    return out


def run(
    rng: Random,
    items: Sequence[Item],
    steps: int = 20,
    groups: int = 8,
    size: int = 4,
    start: float = 0.3,
    end: float = 0.7,
) -> list[Try]:
    """A training run that takes the items in order, and learns; the reward is 1 for right ones."""
    out: list[Try] = []
    for step in range(steps):
        for place in range(groups):
            item = items[(step * groups + place) % len(items)]
            out += group_of(rng, item, step, place, size, skill(step, steps, start, end, item.level))
    return out


def exam(
    rng: Random, items: Sequence[Item], at: Sequence[int], steps: int, start: float, end: float, size: int = 1
) -> list[Try]:
    """Evaluations of the same held items at some steps."""
    out: list[Try] = []
    for step in at:
        for place, item in enumerate(items):
            chance = skill(step, steps, start, end, item.level)
            out += group_of(rng, item, step, place, size, chance, split="validation", in_loss=None)
    for one in out:
        one.group = "v" + one.group
    return out


def estimate(tries: list[Try], estimator: estimators.Estimator = estimators.grpo, seed: int = 0) -> list[Try]:
    """Set the advantages of trained attempts, step by step."""
    rng = np.random.default_rng(seed)
    trained = [one for one in tries if one.split == "train" and one.in_loss and one.reward is not None]
    for step in sorted({one.step for one in trained}):
        rows = [one for one in trained if one.step == step]
        names = sorted({one.group for one in rows})
        groups = np.array([names.index(one.group) for one in rows])
        rewards = np.array([one.reward for one in rows], dtype=float)
        lengths = np.array([one.tokens for one in rows], dtype=float)
        for one, value in zip(rows, estimator(rewards, groups, lengths, rng), strict=True):
            one.advantage = round(float(value), 6)
    return tries


def by_group(tries: Sequence[Try]) -> list[list[Try]]:
    """The attempts, group by group."""
    groups: dict[str, list[Try]] = {}
    for one in tries:
        groups.setdefault(one.group, []).append(one)
    return list(groups.values())


def pay(tries: list[Try], **terms: Callable[[Try], float]) -> list[Try]:
    """Set the reward to the sum of the terms."""
    for one in tries:
        one.terms = {name: round(float(term(one)), 4) for name, term in terms.items()}
        one.reward = round(sum(one.terms.values()), 4)
    return tries
