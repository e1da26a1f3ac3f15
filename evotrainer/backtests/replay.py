"""Replay of a recipe's rewards, filters and advantages on cached groups: what of the evidence would reach the loss.

The rules of training (rewards.py, masks.py, credit.py) see the same attempts under another recipe, as columns: no
record is made, unless the recipe has code or masks by what was done with tools. A response budget below the cached one
cuts attempts: a cut attempt is wrong, truncated and without format.

*Signal quality* is what an optimiser can draw from a batch whose step length it fixes itself (Adam): the projection of
the advantages A on centred correctness d, over the length of A,

    quality = sum_i A_i d_i / sqrt(sum_i A_i^2),          d_i = correct_i - mean of its group

It ignores any common scale, falls when advantages reward something else than correctness, and grows like the root of
the number of groups that carry signal. A group whose outcome is constant has d = 0; where a reward term spreads it all
the same, it counts by what that term is worth in mixed groups (its correlation with correctness there, at half
weight), and at nothing if it is worth nothing: a phantom advantage.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.algorithm.credit import CreditColumns, credit_columns, kept_by_code
from evotrainer.algorithm.filters import DEAD_SPREAD, GroupFilter
from evotrainer.algorithm.groups import Groups, disorder, order_violations
from evotrainer.algorithm.masks import Episodes, masked_columns, read_episodes
from evotrainer.algorithm.rewards import combine, combine_columns
from evotrainer.config import Config
from evotrainer.config.code import CODE_TERMS, code_of
from evotrainer.evidence.rows import Rows
from evotrainer.records import Trajectory

REVIVED_WEIGHT = 0.5
"""Worth of a group of constant outcome that a correlated term spreads, relative to a mixed group. An assumption."""

_CUT_TERMS = {"length": 1.0, "overlong": 1.0}
"""All that an attempt earns which the budget would cut."""


@dataclass(frozen=True, eq=False)
class CachedRows:
    """Graded attempts, with their groups."""

    attempts: Rows
    _episodes: dict[str, Episodes] = field(default_factory=dict)

    @classmethod
    def of(cls, rows: "Sequence[Trajectory] | Rows | CachedRows") -> "CachedRows":
        """Return rows as cached ones; those that are, as they are."""
        return rows if isinstance(rows, CachedRows) else cls(Rows.of(rows))

    def __len__(self) -> int:
        """Return the number of attempts."""
        return len(self.attempts)

    @cached_property
    def groups(self) -> Groups:
        """The groups that the attempts were sampled in."""
        return Groups(self.attempts.group.codes)

    @cached_property
    def correct(self) -> np.ndarray:
        """Outcome, 0 where it is not known; [N]."""
        return np.nan_to_num(self.attempts.correct)

    @cached_property
    def gaps(self) -> np.ndarray:
        """Outcome minus its mean in the group, [N]."""
        return self.groups.centred(self.correct)

    def episodes(self, config: Config) -> Episodes:
        """Return what the attempts did with their tools, by the table of actions of a recipe."""
        actions = repr(config.harness.actions)
        if actions not in self._episodes:
            self._episodes[actions] = read_episodes(self.attempts, config)
        return self._episodes[actions]


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


def replay(rows: Sequence[Trajectory] | Rows | CachedRows, config: Config, code: RecipeCode = NO_CODE) -> SignalReplay:
    """Return what `config` makes of these graded rows; `code` holds the texts that it names. Raises CodeError."""
    cached = CachedRows.of(rows)
    scored, groups, num_tokens = scored_columns(cached, config, code), cached.groups, cached.attempts.num_tokens
    credit = scored.credit
    advantages_N = np.where(credit.in_loss, credit.advantages, 0.0)
    was_right_N = cached.correct != 0
    is_alive_P = groups.greatest(np.abs(advantages_N)) > DEAD_SPREAD
    signal = _signal(cached, scored)
    return SignalReplay(
        usable_groups=float((is_alive_P * signal.worth_by_group).mean()) if len(is_alive_P) else 0.0,
        kept_groups=credit.num_kept / max(1, len(credit.known)),
        order_violations=order_violations(scored.rewards, scored.correct != 0, groups),
        disorder=disorder(scored.rewards, scored.correct != 0, groups),
        mistruncated_correct=int((scored.is_cut & was_right_N).sum()) / max(1, int(was_right_N.sum())),
        mass=float(np.abs(advantages_N).mean()) if len(cached) else 0.0,
        quality=_quality(signal, advantages_N),
        mean_tokens=float(np.minimum(num_tokens, _budget(config)).mean()) if len(cached) else 0.0,
    )


def _budget(config: Config) -> int:
    return config.sampling.max_response_tokens * config.sampling.max_turns


class ScoredColumns(NamedTuple):
    """Cached rows as a recipe would have scored and used them; columns [N]."""

    rewards: np.ndarray
    correct: np.ndarray
    is_cut: np.ndarray
    """Whether the recipe's budget cuts it."""
    credit: CreditColumns


def scored_columns(cached: CachedRows, config: Config, code: RecipeCode = NO_CODE) -> ScoredColumns:
    """Return what `rescored`, code and credit assignment make of each row, bit by bit; raises CodeError."""
    is_cut_N = cached.attempts.num_tokens > _budget(config)
    correct_N = np.where(is_cut_N, 0.0, cached.correct) if is_cut_N.any() else cached.correct
    rewards_N = _rewards(cached.attempts, is_cut_N, config)
    masked_N = masked_columns(cached.attempts.is_truncated | is_cut_N, partial(cached.episodes, config), config)
    rows: list[Trajectory] = []
    if code_of(config).keys() - {"data.weight_code"}:
        rows = code.rewarded([rescored(row, config) for row in cached.attempts], config.reward)
        rewards_N = np.array([row.reward for row in rows], dtype=float)
        masked_N[list(code.masked(rows, config.filter))] = True
    kept_P = kept_by_code(rows, ~masked_N, cached.groups, config, code)
    counted_N = np.where(masked_N, np.nan, rewards_N) if masked_N.any() else rewards_N
    credit = credit_columns(counted_N, cached.groups, config, GroupFilter(config.filter), kept_P)
    return ScoredColumns(rewards_N, correct_N, is_cut_N, credit)


def _rewards(attempts: Rows, is_cut_N: np.ndarray, config: Config) -> np.ndarray:
    """Return the rewards that `rescored` gives, [N]."""
    terms_N = {name: values for name, values in attempts.terms.items() if name not in CODE_TERMS}
    terms_N["length"] = np.minimum(1.0, attempts.num_tokens / _budget(config))
    rewards_N = combine_columns(terms_N, config.reward, len(attempts))
    rewards_N[is_cut_N] = combine(_CUT_TERMS, config.reward)
    return rewards_N


def rescored(row: Trajectory, config: Config) -> Trajectory:
    """Return a cached row as this recipe would have scored it, without the terms of code."""
    budget = _budget(config)
    graded = {name: value for name, value in row.reward_terms.items() if name not in CODE_TERMS}
    terms = graded | {"length": min(1.0, row.num_tokens / budget)}
    if row.num_tokens <= budget:
        return row.model_copy(update={"reward": combine(terms, config.reward), "reward_terms": graded})
    terms = dict.fromkeys(terms, 0.0) | _CUT_TERMS
    cut = {"reward": combine(terms, config.reward), "correct": 0.0, "is_truncated": True, "num_tokens": budget}
    return row.model_copy(update=cut)


class _Signal(NamedTuple):
    """What correctness says of rows and groups."""

    gaps: np.ndarray
    """Correctness minus its mean in the group, [N]."""
    is_mixed: np.ndarray
    """Whether the outcome varies in the row's group, [N]."""
    worth: float
    """Correlation of all other terms with correctness in mixed groups, at least 0."""
    worth_by_group: np.ndarray
    """1 for a group where the outcome varies, else `worth`; [P]."""


def _signal(cached: CachedRows, scored: ScoredColumns) -> _Signal:
    groups = cached.groups
    gaps_N = groups.centred(scored.correct) if scored.is_cut.any() else cached.gaps
    extra_N = groups.centred(scored.rewards - scored.correct)
    is_mixed_P = groups.greatest(np.abs(gaps_N)) > 0
    is_mixed_N = is_mixed_P[groups.codes]
    worth = max(0.0, _correlation(extra_N[is_mixed_N], gaps_N[is_mixed_N])) if is_mixed_P.any() else 0.0
    return _Signal(gaps_N, is_mixed_N, worth, np.where(is_mixed_P, 1.0, worth))


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
