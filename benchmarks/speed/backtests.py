"""Replay of a reward, a filter and a mask on cached attempts, beside a plain Python loop over rows in memory.

Both start from what each likes best in memory: arrays for us, dicts for the loop. The loop combines the reward, masks,
filters and computes group-normalised advantages, as the replay does before it sums up.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from benchmarks.speed.attempts import simulated_attempts
from benchmarks.speed.measure import Measure, compare
from evotrainer.algorithm.advantages import EPSILON
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.backtests.cached_rows import CachedRows
from evotrainer.backtests.replay import ScoredColumns, scored_columns
from evotrainer.config import Config
from evotrainer.config.interventions import with_values
from evotrainer.records import Trajectory

RECIPES: dict[str, dict[str, Any]] = {
    "reward": {"reward.partial": 0.3, "reward.format": 0.1, "reward.length_penalty": 0.05},
    "filter": {"filter.group": "group_variance"},
    "mask": {"filter.mask_truncated": True},
}


@dataclass(frozen=True)
class _Looped:
    rewards: list[float]
    advantages: list[float]


def measure_backtests(count: int) -> list[Measure]:
    """Return one measure a recipe, over `count` attempts."""
    rows = simulated_attempts(count)
    cached, plain = CachedRows.of(rows), [_plain(row) for row in rows]
    found = []
    for name, setting in RECIPES.items():
        config = with_values(Config(), setting)
        found.append(
            compare(
                f"backtest of a {name}, {count} attempts",
                "Python loop over rows",
                lambda config=config: scored_columns(cached, config),
                lambda config=config: _loop(plain, config),
                "rewards bit by bit, advantages to 1e-9",
                _is_equal,
            )
        )
    return found


def _plain(row: Trajectory) -> dict[str, Any]:
    return {"terms": row.reward_terms, "group": row.group_id, "is_truncated": row.is_truncated}


def _loop(rows: Sequence[dict[str, Any]], config: Config) -> _Looped:
    paid, masks = config.reward, config.filter
    rewards, groups = [], {}
    for place, row in enumerate(rows):
        terms = row["terms"]
        reward = paid.correct * terms["correct"] + paid.format * terms["format"] + paid.partial * terms["partial"]
        reward -= paid.length_penalty * terms["length"]
        rewards.append(reward - paid.overlong_penalty * terms["overlong"])
        members = groups.setdefault(row["group"], [])
        if not (masks.mask_truncated and row["is_truncated"]):
            members.append(place)
    advantages = [0.0] * len(rows)
    for members in groups.values():
        if not members:
            continue
        mean = sum(rewards[place] for place in members) / len(members)
        spread = (sum((rewards[place] - mean) ** 2 for place in members) / max(1, len(members) - 1)) ** 0.5
        if masks.group == "none" or spread >= DEAD_SPREAD:
            for place in members:
                advantages[place] = (rewards[place] - mean) / (spread + EPSILON)
    return _Looped(rewards, advantages)


def _is_equal(ours: ScoredColumns, theirs: _Looped) -> bool:
    advantages = np.where(ours.credit.in_loss, ours.credit.advantages, 0.0)
    is_close = np.allclose(advantages, theirs.advantages, rtol=1e-9, atol=1e-9)
    return ours.rewards.tolist() == theirs.rewards and bool(is_close)
