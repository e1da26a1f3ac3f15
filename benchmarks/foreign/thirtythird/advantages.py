"""Advantages of attempts, step by step, with the estimator that a system uses."""

import numpy as np

from benchmarks.foreign import estimators
from benchmarks.foreign.thirtythird.policy import Attempt


def assign(attempts: list[Attempt], estimator: estimators.Estimator = estimators.grpo) -> list[Attempt]:
    """Give training attempts the advantages of their step; attempts whose machine failed have none."""
    rng = np.random.default_rng(0)
    for step in sorted({attempt.step for attempt in attempts}):
        batch = [a for a in attempts if a.step == step and a.split == "train" and a.error is None]
        if not batch:
            continue
        ids = {task: number for number, task in enumerate(dict.fromkeys(a.task.id for a in batch))}
        values = estimator(
            np.array([a.reward for a in batch]),
            np.array([ids[a.task.id] for a in batch]),
            np.array([a.tokens for a in batch]),
            rng,
        )
        for attempt, value in zip(batch, values, strict=True):
            attempt.advantage = round(float(value), 6)
    return attempts


def across(attempts: list[Attempt], prompts: int, size: int) -> list[Attempt]:
    """Standardise runs of `size` rows of device batches that hold `prompts` prompts in turn."""
    for start in range(0, len(attempts), prompts * size):
        block = attempts[start : start + prompts * size]
        turn = [block[p * size + g] for g in range(size) for p in range(prompts)]
        for first in range(0, len(turn), size):
            rows = turn[first : first + size]
            rewards = np.array([row.reward for row in rows])
            values = (rewards - rewards.mean()) / (rewards.std(ddof=1) + 1e-4)
            for row, value in zip(rows, values, strict=True):
                row.advantage = round(float(value), 6)
    return attempts
