"""What an attempt counts in its group or batch."""

from collections import defaultdict
from statistics import fmean, pstdev

from benchmarks.foreign.twentyfifth.course import Try


def _groups(tries: list[Try]) -> list[list[Try]]:
    groups: dict[tuple, list[Try]] = defaultdict(list)
    for done in tries:
        if done.split == "train":
            groups[(done.step, done.task.id)].append(done)
    return list(groups.values())


def grpo(tries: list[Try], scaled: bool = True) -> list[Try]:
    """Reward less the group's mean, over its deviation unless unscaled (Dr. GRPO)."""
    for group in _groups(tries):
        mean, spread = fmean(d.reward for d in group), pstdev(d.reward for d in group)
        for done in group:
            done.advantage = round((done.reward - mean) / (spread + 1e-4 if scaled else 1.0), 5)
    return tries


def rloo(tries: list[Try]) -> list[Try]:
    """Reward less the mean of the others of the group."""
    for group in _groups(tries):
        total = sum(d.reward for d in group)
        for done in group:
            others = (total - done.reward) / (len(group) - 1) if len(group) > 1 else done.reward
            done.advantage = round(done.reward - others, 5)
    return tries


def reinforce_pp(tries: list[Try]) -> list[Try]:
    """Reward less the batch's mean, over its deviation."""
    steps: dict[int, list[Try]] = defaultdict(list)
    for group in _groups(tries):
        steps[group[0].step].extend(group)
    for batch in steps.values():
        mean, spread = fmean(d.reward for d in batch), pstdev(d.reward for d in batch)
        for done in batch:
            done.advantage = round((done.reward - mean) / (spread + 1e-6), 5)
    return tries
