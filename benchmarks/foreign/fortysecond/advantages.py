"""Advantages set on attempts by the estimators of trainers, step by step."""

import random

import numpy as np

from benchmarks.foreign import estimators
from benchmarks.foreign.fortysecond.attempts import Try


def by_step(tries: list[Try]) -> dict[int, list[Try]]:
    """The attempts of each step, in order."""
    out: dict[int, list[Try]] = {}
    for one in tries:
        out.setdefault(one.step, []).append(one)
    return out


def by_group(tries: list[Try]) -> dict[str, list[Try]]:
    """The attempts of each group, in order."""
    out: dict[str, list[Try]] = {}
    for one in tries:
        out.setdefault(one.group, []).append(one)
    return out


def assign(tries: list[Try], estimator: estimators.Estimator) -> list[Try]:
    """Set the advantage of each attempt from the rewards of its step."""
    for members in by_step(tries).values():
        rewards = np.array([t.reward for t in members], float)
        groups = np.array([t.group for t in members])
        lengths = np.array([t.tokens for t in members], float)
        found = estimator(rewards, groups, lengths, np.random.default_rng(0))
        for one, value in zip(members, found, strict=True):
            one.advantage = round(float(value), 6)
    return tries


def with_critic(rng: random.Random, tries: list[Try], bias: float = 0.0) -> list[Try]:
    """PPO: reward minus a critic's value, whitened over the step. The value is logged as `value_mean`."""
    for members in by_step(tries).values():
        mean = sum(t.reward for t in members) / len(members)
        raw = []
        for one in members:
            value = mean - 0.08 * one.task.difficulty + rng.gauss(0, 0.08) + bias
            one.more["value_mean"] = round(value, 4)
            one.more["return"] = one.reward
            raw.append(one.reward - one.more["value_mean"])
        found = (np.array(raw) - np.mean(raw)) / (np.std(raw) + 1e-8)
        for one, value in zip(members, found, strict=True):
            one.advantage = round(float(value), 6)
    return tries
