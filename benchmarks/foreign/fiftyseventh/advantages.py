"""Advantages of a run's draws, step by step, by an estimator of the open trainers."""

from collections import defaultdict

import numpy as np

from benchmarks.foreign.estimators import Estimator
from benchmarks.foreign.fiftyseventh.policy import Draw


def put(draws: list[Draw], estimator: Estimator) -> list[Draw]:
    """Set each draw's advantage from the rewards of its step."""
    by_step: dict[int, list[Draw]] = defaultdict(list)
    for draw in draws:
        by_step[draw.step].append(draw)
    unused = np.random.default_rng(0)
    for members in by_step.values():
        names = {name: n for n, name in enumerate(dict.fromkeys(d.group for d in members))}
        rewards = np.array([d.reward for d in members], float)
        groups = np.array([names[d.group] for d in members])
        lengths = np.array([d.tokens for d in members], float)
        for draw, value in zip(members, estimator(rewards, groups, lengths, unused), strict=True):
            draw.advantage = round(float(value), 6) + 0.0
    return draws
