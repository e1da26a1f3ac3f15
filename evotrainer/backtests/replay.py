"""Replay of a recipe's rewards, filters and advantages on cached groups: what of the evidence would reach the loss.

Each attempt is scored anew by the functions of training (rewards.py, credit.py). A response budget below the
cached one cuts attempts: a cut attempt is wrong, truncated and without format.

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

import numpy as np

from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.algorithm.credit import assign_credit
from evotrainer.algorithm.filters import DEAD_SPREAD, GroupFilter
from evotrainer.algorithm.groups import Groups, disorder, order_violations
from evotrainer.algorithm.rewards import combine
from evotrainer.config import Config
from evotrainer.config.code import CODE_TERMS
from evotrainer.records import Trajectory

REVIVED_WEIGHT = 0.5
"""Worth of a group of constant outcome that a correlated term spreads, relative to a mixed group. An assumption."""

_CUT_TERMS = {"length": 1.0, "overlong": 1.0}
"""All that an attempt earns which the budget would cut."""


@dataclass(frozen=True)
class SignalReplay:
    """What a recipe makes of cached groups. Shares in [0, 1]."""

    usable_groups: float
    """Groups in the loss with an advantage that correctness shares, over all groups: one whose outcome is constant
    counts by what the term that spreads it is worth, so a phantom advantage is no use."""
    kept_groups: float
    order_violations: float
    disorder: float
    """Order violations with equal pay counted half: a false pass that earns what a right attempt earns is one."""
    mistruncated_correct: float
    mass: float
    """Mean |advantage| over all attempts."""
    quality: float
    mean_tokens: float


def replay(rows: Sequence[Trajectory], config: Config, code: RecipeCode = NO_CODE) -> SignalReplay:
    """Return what `config` makes of these graded rows; `code` holds the texts that it names. Raises CodeError."""
    scored, groups = code.rewarded([rescored(row, config) for row in rows], config.reward), Groups.of(rows)
    credit = assign_credit(scored, config, GroupFilter(config.filter), code)
    rewards_N, correct_N, tokens_N, advantages_N = (
        np.array(values, dtype=float)
        for values in (
            [row.reward for row in scored],
            [row.correct or 0.0 for row in scored],
            [row.num_tokens for row in scored],
            [row.advantage or 0.0 for row in credit.rows],
        )
    )
    gaps_N, extra_N = groups.centred(correct_N), groups.centred(rewards_N - correct_N)
    is_mixed_P = groups.greatest(np.abs(gaps_N)) > 0
    is_mixed_N = is_mixed_P[groups.codes]
    worth = max(0.0, _correlation(extra_N[is_mixed_N], gaps_N[is_mixed_N]))
    is_alive_P = groups.greatest(np.abs(advantages_N)) > DEAD_SPREAD
    num_cut = sum(bool(old.correct) and old.num_tokens > new.num_tokens for old, new in zip(rows, scored, strict=True))
    return SignalReplay(
        usable_groups=float((is_alive_P * np.where(is_mixed_P, 1.0, worth)).mean()) if len(rows) else 0.0,
        kept_groups=credit.num_kept / max(1, credit.num_groups),
        order_violations=order_violations(rewards_N, correct_N != 0, groups),
        disorder=disorder(rewards_N, correct_N != 0, groups),
        mistruncated_correct=num_cut / max(1, sum(bool(row.correct) for row in rows)),
        mass=float(np.abs(advantages_N).mean()) if len(rows) else 0.0,
        quality=_quality(advantages_N, gaps_N, is_mixed_N, worth),
        mean_tokens=float(tokens_N.mean()) if len(rows) else 0.0,
    )


def rescored(row: Trajectory, config: Config) -> Trajectory:
    """Return a cached row as this recipe would have scored it, without the terms of code."""
    budget = config.sampling.max_response_tokens * config.sampling.max_turns
    graded = {name: value for name, value in row.reward_terms.items() if name not in CODE_TERMS}
    terms = graded | {"length": min(1.0, row.num_tokens / budget)}
    if row.num_tokens <= budget:
        return row.model_copy(update={"reward": combine(terms, config.reward), "reward_terms": graded})
    terms = dict.fromkeys(terms, 0.0) | _CUT_TERMS
    cut = {"reward": combine(terms, config.reward), "correct": 0.0, "is_truncated": True, "num_tokens": budget}
    return row.model_copy(update=cut)


def _quality(advantages: np.ndarray, gaps: np.ndarray, is_mixed: np.ndarray, worth: float) -> float:
    """`worth`: correlation of all other terms with correctness in mixed groups, at least 0."""
    length = float(np.sqrt((advantages**2).sum()))
    if length == 0 or not is_mixed.any():
        return 0.0
    revived = np.abs(advantages[~is_mixed]).sum() * np.abs(gaps[is_mixed]).mean()
    return float((advantages @ gaps + REVIVED_WEIGHT * worth * revived) / length)


def _correlation(first: np.ndarray, second: np.ndarray) -> float:
    scale = float(np.sqrt((first**2).sum() * (second**2).sum()))
    return float(first @ second) / scale if scale > 0 else 0.0
