"""Replays and diagnosis of simulated attempts, beside the same by a plain Python loop and by pandas.

A replay and the loop start from what each likes best in memory: arrays for us, dicts for the loop. Both combine the
reward, mask, filter and compute group-normalised advantages. The diagnosis and pandas start from one JSONL file. The
harness gives every metric and finding, pandas eleven of the metrics, so a ratio below 1 says what the rest costs.
"""

import math
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pandas as pd

from benchmarks.speed.measure import Measure, compare
from evotrainer.algorithm.advantages import EPSILON
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.algorithm.rewards import combine, terms_of
from evotrainer.backtests.replay import CachedRows, ScoredColumns, scored_columns
from evotrainer.config import Config
from evotrainer.config.interventions import with_values
from evotrainer.evidence.export import export_rows
from evotrainer.evidence.frames import Frame
from evotrainer.records import HarnessReport, Message, Trajectory
from tasks.diagnose.foreign import diagnose_rows

GROUP, MAX_TOKENS, NUM_STEPS = 8, 48, 10
RECIPES: dict[str, dict[str, Any]] = {
    "reward": {"reward.partial": 0.3, "reward.format": 0.1, "reward.length_penalty": 0.05},
    "filter": {"filter.group": "group_variance"},
    "mask": {"filter.mask_truncated": True},
}
Looped = tuple[list[float], list[float]]
"""Rewards and advantages."""


def measure_evidence(count: int) -> Iterator[Measure]:
    """Yield the measures of `count` attempts: a replay of each recipe, and a diagnosis."""
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
    with TemporaryDirectory() as folder:
        path = Path(folder) / "rows.jsonl"
        export_rows(rows, path)
        yield compare(
            f"diagnosis of {count} rows of a file",
            "pandas, six of the metrics",
            lambda: diagnose_rows(path),
            lambda: _pandas(path),
            "the six metrics to 1e-5",
            _has_metrics,
        )


def simulated_attempts(count: int, seed: int = 0) -> list[Trajectory]:
    """Return `count` attempts, rounded down to whole groups with a problem's own chance of success, over ten steps."""
    rng, config = np.random.default_rng(seed), Config()
    rows = []
    for group in range(count // GROUP):
        step, chance = group * NUM_STEPS * GROUP // count, rng.beta(2, 2)
        for attempt in range(GROUP):
            rows.append(_attempt(rng, config, group, step, attempt, chance))
    return rows


def _attempt(
    rng: np.random.Generator, config: Config, group: int, step: int, attempt: int, chance: float
) -> Trajectory:
    correct, tokens, is_cut = float(rng.random() < chance), int(rng.integers(8, MAX_TOKENS)), bool(rng.random() < 0.03)
    terms = terms_of({"correct": correct, "format": 1.0, "partial": float(rng.random())}, tokens, MAX_TOKENS, is_cut)
    digits = rng.integers(0, 100, 6)
    text = ", ".join(f"{one}+{one}={2 * one}" for one in digits) + f"<answer>{digits.sum()}</answer>"
    return Trajectory(
        trajectory_id=f"v001.{group}.{attempt}",
        campaign="speed",
        version="v001",
        split="train",
        step=step,
        domain="math",
        problem_id=f"p{group}",
        group_id=f"v001.{group}",
        attempt=attempt,
        seed=attempt,
        policy_id="p",
        messages=[
            Message(role="user", content=f"the sum of {digits.tolist()}?"),
            Message(role="assistant", content=text, num_tokens=tokens, mean_logprob=-0.3),
        ],
        reward=combine(terms, config.reward),
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


def _pandas(path: Path) -> dict[str, float]:
    rows: Frame = pd.read_json(path, lines=True, convert_dates=False)
    return {
        "mean_reward": rows["reward"].mean(),
        "mean_correct": rows["correct"].mean(),
        "mean_num_tokens": rows["num_tokens"].mean(),
        "mean_num_turns": rows["num_turns"].mean(),
        "share_is_truncated": rows["is_truncated"].mean(),
        "share_format_ok": rows["format_ok"].astype(float).mean(),
    }


def _has_metrics(ours: HarnessReport, theirs: dict[str, float]) -> bool:
    return all(math.isclose(ours.metrics[name], value, rel_tol=1e-5) for name, value in theirs.items())
