"""Replay of a recipe's rewards, filters and advantages on cached groups: what of the evidence would reach the loss.

The same functions as in training (rewards.py, credit.py) see the same rows under another recipe. A response budget
below the cached one cuts attempts: a cut attempt is wrong, truncated and without format.

*Signal quality* is what an optimiser can draw from a batch whose step length it fixes itself (Adam): the projection of
the advantages A on centred correctness d, over the length of A,

    quality = sum_i A_i d_i / sqrt(sum_i A_i^2),          d_i = correct_i - mean of its group

It ignores any common scale, falls when advantages reward something else than correctness, and grows like the root of
the number of groups that carry signal. A group whose outcome is constant has d = 0; where a reward term spreads it all
the same, it counts by what that term is worth in mixed groups (its correlation with correctness there, at half
weight), and at nothing if it is worth nothing: a phantom advantage.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.algorithm.credit import assign_credit, group_rows
from evotrainer.algorithm.filters import DEAD_SPREAD, create_filter
from evotrainer.algorithm.order import order_violations
from evotrainer.algorithm.rewards import combine
from evotrainer.config import Config
from evotrainer.config.code import CODE_TERMS
from evotrainer.records import Trajectory

REVIVED_WEIGHT = 0.5
"""Worth of a group of constant outcome that a correlated term spreads, relative to a mixed group. An assumption."""


@dataclass(frozen=True)
class SignalReplay:
    """What a recipe makes of cached groups. Shares in [0, 1]."""

    usable_groups: float
    """Groups in the loss with an advantage that correctness shares, over all groups: one whose outcome is constant
    counts by what the term that spreads it is worth, so a phantom advantage is no use."""
    kept_groups: float
    order_violations: float
    mistruncated_correct: float
    mass: float
    """Mean |advantage| over all attempts."""
    quality: float
    mean_tokens: float


def replay(rows: Sequence[Trajectory], config: Config, code: RecipeCode = NO_CODE) -> SignalReplay:
    """Return what `config` makes of these graded rows; `code` holds the texts that it names. Raises CodeError."""
    replayed = code.rewarded([rescored(row, config) for row in rows], config.reward)
    credit = assign_credit(replayed, config, create_filter(config.filter), code)
    groups = group_rows(rows)
    advantages = np.array([row.advantage or 0.0 for row in credit.rows])
    alive = np.array([bool(np.abs(advantages[members]).max() > DEAD_SPREAD) for members in groups])
    signal = _signal(replayed, groups)
    budget = config.sampling.max_response_tokens * config.sampling.max_turns
    right = [row for row in rows if row.correct]
    return SignalReplay(
        usable_groups=float((alive * signal.group_worth).mean()) if groups else 0.0,
        kept_groups=credit.num_kept / max(1, credit.num_groups),
        order_violations=order_violations(replayed, groups),
        mistruncated_correct=sum(row.num_tokens > budget for row in right) / max(1, len(right)),
        mass=float(np.abs(advantages).mean()) if len(rows) else 0.0,
        quality=_quality(signal, advantages),
        mean_tokens=float(np.mean([min(row.num_tokens, budget) for row in rows])) if rows else 0.0,
    )


def rescored(row: Trajectory, config: Config) -> Trajectory:
    """Return a cached row as this recipe would have scored it, without the terms of code."""
    budget = config.sampling.max_response_tokens * config.sampling.max_turns
    graded = {name: value for name, value in row.reward_terms.items() if name not in CODE_TERMS}
    terms = graded | {"length": min(1.0, row.num_tokens / budget)}
    if row.num_tokens <= budget:
        return row.model_copy(update={"reward": combine(terms, config.reward)})
    terms = dict.fromkeys(terms, 0.0) | {"length": 1.0, "overlong": 1.0}
    cut = {"reward": combine(terms, config.reward), "correct": 0.0, "is_truncated": True, "num_tokens": budget}
    return row.model_copy(update=cut)


class _Signal(NamedTuple):
    """What correctness says of rows and groups."""

    gaps: np.ndarray
    """[rows] Correctness minus its mean in the group."""
    is_mixed: np.ndarray
    """[rows] Whether the outcome varies in the row's group."""
    worth: float
    """Correlation of all other terms with correctness in mixed groups, at least 0."""
    group_worth: np.ndarray
    """[groups] 1 where the outcome varies, else `worth`."""


def _signal(rows: Sequence[Trajectory], groups: Sequence[Sequence[int]]) -> _Signal:
    correct = np.array([float(row.correct or 0.0) for row in rows])
    rewards = np.array([row.reward or 0.0 for row in rows])
    gaps, extra, is_mixed = np.zeros(len(rows)), np.zeros(len(rows)), np.zeros(len(rows), dtype=bool)
    for members in groups:
        gaps[members] = correct[members] - correct[members].mean()
        others = rewards[members] - correct[members]
        extra[members] = others - others.mean()
        is_mixed[members] = np.abs(gaps[members]).max() > 0
    worth = max(0.0, _correlation(extra[is_mixed], gaps[is_mixed])) if is_mixed.any() else 0.0
    group_worth = np.array([1.0 if is_mixed[members[0]] else worth for members in groups])
    return _Signal(gaps, is_mixed, worth, group_worth)


def _quality(signal: _Signal, advantages: np.ndarray) -> float:
    gaps, is_mixed = signal.gaps, signal.is_mixed
    length = float(np.sqrt((advantages**2).sum()))
    if length == 0 or not is_mixed.any():
        return 0.0
    revived = np.abs(advantages[~is_mixed]).sum() * np.abs(gaps[is_mixed]).mean()
    return float((advantages @ gaps + REVIVED_WEIGHT * signal.worth * revived) / length)


def _correlation(first: np.ndarray, second: np.ndarray) -> float:
    scale = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float(first @ second) / scale if scale > 0 else 0.0
