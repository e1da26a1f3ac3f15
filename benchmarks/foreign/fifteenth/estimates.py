"""Advantages of a run, and the small mishaps that every run has."""

from collections import defaultdict
from random import Random
from statistics import fmean, pstdev

from benchmarks.foreign.fifteenth.core import Episode


def groups_of(episodes: list[Episode]) -> list[list[Episode]]:
    """The attempts of each problem and step."""
    groups: dict[tuple, list[Episode]] = defaultdict(list)
    for e in episodes:
        groups[e.split, e.step, e.task.id].append(e)
    return list(groups.values())


def steps_of(episodes: list[Episode]) -> list[list[Episode]]:
    """The attempts of each step."""
    steps: dict[int, list[Episode]] = defaultdict(list)
    for e in episodes:
        steps[e.step].append(e)
    return list(steps.values())


def _scored(group: list[Episode]) -> list[Episode]:
    return [e for e in group if e.reward is not None and e.split == "train"]


def grpo(episodes: list[Episode]) -> list[Episode]:
    """Reward less the mean of its group, over the deviation of the group."""
    for group in groups_of(episodes):
        rewards = [e.reward for e in _scored(group)]
        for e in _scored(group):
            e.advantage = round((e.reward - fmean(rewards)) / (pstdev(rewards) + 1e-6), 5)
    return episodes


def centred(episodes: list[Episode]) -> list[Episode]:
    """Reward less the mean of its group."""
    for group in groups_of(episodes):
        for e in _scored(group):
            e.advantage = round(e.reward - fmean(x.reward for x in _scored(group)), 5)
    return episodes


def whitened(episodes: list[Episode]) -> list[Episode]:
    """Reward less the mean of the group, over the deviation of the whole batch."""
    centred(episodes)
    for batch in steps_of(episodes):
        spread = pstdev([e.advantage or 0.0 for e in _scored(batch)] or [0.0])
        for e in _scored(batch):
            e.advantage = round((e.advantage or 0.0) / (spread + 1e-6), 5)
    return episodes


def mishaps(rng: Random, episodes: list[Episode], cut: float = 0.015, lost: float = 0.006) -> list[Episode]:
    """Some wrong attempts were cut at the budget; of some the machine was lost, and they are not trained on."""
    for e in episodes:
        luck = rng.random()
        if luck < cut and not e.right and not e.last.get("tool_calls") and len(e.last["content"]) > 60:
            e.last["content"] = e.last["content"][: int(len(e.last["content"]) * rng.uniform(0.5, 0.8))]
            e.stop, e.reply.answer = "max_tokens", ""
        elif luck > 1 - lost:
            e.error, e.stop, e.reward, e.terms = rng.choice(["WorkerLost", "SandboxTimeout"]), "error", None, {}
            e.in_loss = False
    return episodes
