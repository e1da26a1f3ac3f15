"""Replays of simulated attempts, beside the same by a plain Python loop.

Each starts from what it likes best in memory: arrays for us, dicts for the loop. Both combine the reward, mask, filter
and compute group-normalised advantages.
"""

from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np

from benchmarks.speed.measure import Measure, compare
from evotrainer.algorithm.advantages import EPSILON
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.algorithm.rewards import combine, terms_of
from evotrainer.backtests.replay import CachedRows, ScoredColumns, scored_columns
from evotrainer.config import Config
from evotrainer.config.interventions import with_values
from evotrainer.records import Message, Trajectory

GROUP, MAX_TOKENS = 8, 48
RECIPES: dict[str, dict[str, Any]] = {
    "reward": {"reward.partial": 0.3, "reward.format": 0.1, "reward.length_penalty": 0.05},
    "filter": {"filter.group": "group_variance"},
    "mask": {"filter.mask_truncated": True},
}
Looped = tuple[list[float], list[float]]
"""Rewards and advantages."""


def measure_evidence(count: int) -> Iterator[Measure]:
    """Yield the measures of `count` attempts: a replay of each recipe."""
    rows = simulated_attempts(count)
    cached = CachedRows.of(rows)
    plain = [{"terms": row.reward_terms, "group": row.group_id, "is_truncated": row.is_truncated} for row in rows]
    for name, setting in RECIPES.items():
        config = with_values(Config(), setting)
        yield compare(
            f"backtest of a {name}, {count} attempts",
            "Python loop over rows",
            lambda config=config: scored_columns(cached, config),
            lambda config=config: _loop(plain, config),
            "rewards bit by bit, advantages to 1e-9",
            _is_replayed,
        )


def simulated_attempts(count: int, seed: int = 0) -> list[Trajectory]:
    """Return `count` attempts, rounded down to whole groups with a problem's own chance of success."""
    rng = np.random.default_rng(seed)
    rows = []
    for group in range(count // GROUP):
        chance = rng.beta(2, 2)
        rows += [_attempt(rng, group, attempt, chance) for attempt in range(GROUP)]
    return rows


def _attempt(rng: np.random.Generator, group: int, attempt: int, chance: float) -> Trajectory:
    correct, tokens, is_cut = float(rng.random() < chance), int(rng.integers(8, MAX_TOKENS)), bool(rng.random() < 0.03)
    terms = terms_of({"correct": correct, "format": 1.0, "partial": float(rng.random())}, tokens, MAX_TOKENS, is_cut)
    return Trajectory(
        trajectory_id=f"v001.{group}.{attempt}",
        campaign="speed",
        version="v001",
        split="train",
        step=0,
        domain="math",
        problem_id=f"p{group}",
        group_id=f"v001.{group}",
        attempt=attempt,
        seed=attempt,
        policy_id="p",
        messages=[Message(role="assistant", num_tokens=tokens)],
        reward=combine(terms, Config().reward),
        reward_terms=terms,
        correct=correct,
        stop_reason="max_tokens" if is_cut else "stop",
        num_turns=1,
        num_tokens=tokens,
        is_truncated=is_cut,
        format_ok=True,
        extra={"family": "sum", "decoding": "sampled"},
    )


def _loop(rows: Sequence[dict[str, Any]], config: Config) -> Looped:
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
    return rewards, advantages


def _is_replayed(ours: ScoredColumns, theirs: Looped) -> bool:
    advantages = np.where(ours.credit.in_loss, ours.credit.advantages, 0.0)
    return ours.rewards.tolist() == theirs[0] and bool(np.allclose(advantages, theirs[1], rtol=1e-9, atol=1e-9))
