"""A run of a made trainer: tasks are drawn, answered in groups, graded and given advantages."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import Estimator, grpo

Rng = np.random.Generator
Turns = list[dict]
"""Messages of a chat."""


@dataclass
class Item:
    """One thing that is asked."""

    key: str
    ask: Turns
    truth: str
    facts: dict[str, Any]
    ease: float
    """In logits."""


class Task(Protocol):
    """What is asked, and how a policy answers it."""

    name: str

    def item(self, rng: Rng, number: int) -> Item:
        """Draw one item."""
        ...

    def attempt(self, rng: Rng, item: Item, is_right: bool, progress: float) -> Turns:
        """Write one attempt; `progress` goes from 0 to 1 over the run."""
        ...


@dataclass
class Sample:
    """One attempt, before it is written in a format."""

    item: Item
    step: int
    progress: float
    is_right: bool
    said: Turns
    reward: float | None = 0.0
    correct: float | None = None
    advantage: float | None = None
    split: str = "train"
    group: str = ""
    stop: str = "stop"
    error: str | None = None
    ask: Turns = field(default_factory=list)
    terms: dict[str, float] = field(default_factory=dict)
    more: Row = field(default_factory=dict)
    """Further columns."""

    @property
    def length(self) -> int:
        """Tokens, about."""
        texts = [str(m.get("content") or "") + str(m.get("tool_calls") or "") for m in self.said]
        return 3 + sum(len(t) for t, m in zip(texts, self.said, strict=True) if m["role"] == "assistant") // 4


Order = Callable[[Rng, int, int], Sequence[int]]


def in_turn(rng: Rng, step: int, count: int) -> Sequence[int]:
    """Every item once."""
    return range(step * count, step * count + count)


def epochs_of(count_items: int) -> Order:
    """Return an order that goes through so many items again and again, shuffled each time."""

    def order(rng: Rng, step: int, count: int) -> Sequence[int]:
        per_epoch = max(1, count_items // count)
        mixed = np.random.default_rng([7, step // per_epoch]).permutation(count_items)
        return [int(x) for x in mixed[(step % per_epoch) * count :][:count]]

    return order


@dataclass(frozen=True)
class Plan:
    """A run's shape."""

    task: Task
    steps: int = 10
    items: int = 8
    group: int = 6
    start: float = 0.35
    end: float = 0.6
    spread: float = 1.2
    order: Order = in_turn
    sizes: tuple[int, ...] = ()
    """Group sizes to choose from, in place of `group`."""


def play(rng: Rng, plan: Plan, split: str = "train", first_step: int = 0) -> list[Sample]:
    """Return the attempts of a run, in order, graded right or wrong."""
    drawn: dict[int, Item] = {}
    samples = []
    for step in range(plan.steps):
        progress = step / max(1, plan.steps - 1)
        level = plan.start + (plan.end - plan.start) * progress
        for place, number in enumerate(plan.order(rng, step, plan.items)):
            item = drawn.setdefault(number, plan.task.item(rng, number))
            size = int(rng.choice(plan.sizes)) if plan.sizes else plan.group
            for _ in range(size):
                chance = 1 / (1 + np.exp(-(np.log(level / (1 - level)) + plan.spread * item.ease)))
                is_right = bool(rng.random() < chance)
                said = plan.task.attempt(rng, item, is_right, progress)
                value = float(is_right)
                samples.append(
                    Sample(
                        *(item, first_step + step, progress, is_right, said, value, value),
                        split=split,
                        group=f"{split}/{first_step + step}/{place}",
                        ask=list(item.ask),
                    )
                )
    return samples


def give_advantages(rng: Rng, samples: Sequence[Sample], estimator: Estimator = grpo) -> None:
    """Set the advantages of training samples, step by step."""
    for step in sorted({s.step for s in samples}):
        part = [s for s in samples if s.step == step and s.split == "train" and s.reward is not None]
        if not part:
            continue
        names = {name: number for number, name in enumerate(dict.fromkeys(s.group for s in part))}
        groups = np.array([names[s.group] for s in part])
        rewards = np.array([float(s.reward or 0.0) for s in part])
        values = estimator(rewards, groups, np.array([float(s.length) for s in part]), rng)
        for sample, value in zip(part, values, strict=True):
            sample.advantage = float(value)


def say(content: str, *calls: dict) -> dict:
    """Return a message of the policy."""
    return {"role": "assistant", "content": content, **({"tool_calls": list(calls)} if calls else {})}


def use(name: str, **arguments: Any) -> dict:
    """Return a call as a chat template's parser writes it."""
    return {"name": name, "arguments": arguments}


def got(name: str, content: str) -> dict:
    """Return what a tool said."""
    return {"role": "tool", "tool_name": name, "content": content}


def asked(text: str, system: str = "") -> Turns:
    """Return a prompt."""
    return [*([{"role": "system", "content": system}] if system else []), {"role": "user", "content": text}]


def some(rng: Rng, texts: tuple[str, ...], low: int, high: int, **facts: object) -> str:
    """Return a few of these sentences in any order, with facts put in and numbers drawn."""
    chosen = rng.permutation(len(texts))[: int(rng.integers(low, high + 1))]
    return " ".join(texts[i].format(n=rng.integers(2, 400), m=rng.integers(2, 90), **facts) for i in chosen)


def ease(rng: Rng) -> float:
    """Return how easy an item is."""
    return float(rng.normal())


def choose(rng: Rng, share: float) -> bool:
    """Tell whether a draw falls into a share."""
    return bool(rng.random() < share)


def mean_logprobs(rng: Rng, said: Turns, mean: float) -> None:
    """Set the sampler's mean logprob of each message of the policy."""
    for message in said:
        if message["role"] == "assistant":
            message["mean_logprob"] = float(min(-1e-4, rng.normal(mean, abs(mean) * 0.15)))
