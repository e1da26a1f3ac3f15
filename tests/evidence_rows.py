"""Rows as a healthy campaign leaves them, simulated from a stated model, and ways to break them.

A problem has a difficulty; an attempt works in steps, mostly right, and ends with an answer. The groups' rewards,
advantages and signals come from the product's own credit assignment, so that what is healthy is so by construction.
"""

from collections.abc import Callable
from functools import lru_cache
from typing import Any

import numpy as np

from evotrainer.algorithm.advantages import spreads
from evotrainer.algorithm.credit import assign_credit, masked_rows, reward_matrix
from evotrainer.algorithm.filters import DEAD_SPREAD, GroupFilter
from evotrainer.algorithm.rewards import combine, terms_of
from evotrainer.config import Config
from evotrainer.records import Message, Signals, Trajectory
from tests.plain_records import plain_row, plain_signals

FAMILIES = ("add", "subtract", "multiply")
MAX_TOKENS = 48


def healthy_rows(
    seed: int = 0,
    *,
    num_groups: int = 64,
    group_size: int = 8,
    num_steps: int = 1,
    version: str = "v001",
    split: str = "train",
    config: Config | None = None,
    ease: tuple[float, float] = (2.0, 2.0),
    improvement: float = 0.0,
    decoding: str = "sampled",
) -> list[Trajectory]:
    """Return rows of `num_groups` groups a step; problems come again at later steps, as in training."""
    config = config or Config()
    rng = np.random.default_rng(seed)
    pool = 4 * num_groups
    chances = rng.beta(*ease, size=pool)
    letter = "p" if split in ("train", "probe") else "v"  # what is judged on is not trained on
    rows = []
    for step in range(num_steps):
        for problem in rng.choice(pool, num_groups, replace=False):
            chance = min(0.97, chances[problem] + improvement * step / max(num_steps - 1, 1))
            for attempt in range(group_size):
                rows.append(
                    _attempt(rng, config, version, split, step, int(problem), letter, attempt, chance, decoding)
                )
    return rows


def trained_rows(
    seed: int = 0, *, num_steps: int = 12, num_groups: int = 16, config: Config | None = None, improvement: float = 0.15
) -> tuple[list[Trajectory], list[Signals]]:
    """Return the rows of a training run with advantages, and its signals; under the standard recipe drawn once."""
    if config is None:
        rows, signals = _standard_run(seed, num_steps, num_groups, improvement)
        return [*rows], [*signals]
    return _trained(seed, num_steps, num_groups, config, improvement)


@lru_cache(maxsize=8)
def _standard_run(
    seed: int, num_steps: int, num_groups: int, improvement: float
) -> tuple[list[Trajectory], list[Signals]]:
    return _trained(seed, num_steps, num_groups, Config(), improvement)


def _trained(
    seed: int, num_steps: int, num_groups: int, config: Config, improvement: float
) -> tuple[list[Trajectory], list[Signals]]:
    rows = healthy_rows(seed, num_groups=num_groups, num_steps=num_steps, config=config, improvement=improvement)
    rng = np.random.default_rng(seed + 10_000)
    group_filter, credited, signals = GroupFilter(config.filter), [], []
    for step in range(num_steps):
        credit = assign_credit([row for row in rows if row.step == step], config, group_filter)
        group_filter = credit.group_filter
        credited += credit.rows
        signals.append(_signals(rng, credit.rows, step, config))
    return credited, signals


def change(rows: list[Trajectory], how: Callable[[Trajectory], dict]) -> list[Trajectory]:
    """Return the rows with the fields that `how` gives for each replaced."""
    return [row.model_copy(update=how(row)) for row in rows]


def with_reward(row: Trajectory, terms: dict[str, float], config: Config | None = None) -> dict:
    """Return the fields of a row whose terms changed."""
    weights = (config or Config()).reward
    return {"reward_terms": terms, "reward": combine(terms, weights)}


def _attempt(rng, config, version, split, step, problem, letter, attempt, chance, decoding) -> Trajectory:
    left, right = 10 + problem % 89, 11 + problem // 7 % 88
    truth = left + right
    is_right = bool(rng.random() < chance)
    answer = truth if is_right else truth + int(rng.choice([-20, -10, -2, -1, 1, 2, 10, 20, 100]))
    well_formed = bool(rng.random() < 0.96)
    digits = rng.integers(10, size=(rng.integers(2, 6), 2))
    digits[:2] = [[left % 10, right % 10], [left // 10, right // 10]]
    work = "".join(f"{first}+{second}={first + second}," for first, second in digits)
    content = f"{work}<answer>{answer}</answer>" if well_formed else f"{work}{answer + 1}"
    correct = float(is_right and well_formed)
    tokens = min(len(work) + 6, MAX_TOKENS)
    is_cut = bool(rng.random() < 0.03)
    if is_cut:
        correct, well_formed, tokens, content = 0.0, False, MAX_TOKENS, work
    grade = {"correct": correct, "format": float(well_formed), "partial": correct or float(rng.random() * 0.6)}
    logprob = float(-rng.gamma(8.0, 0.05))
    return graded_row(
        f"{version}.{split}.{step}.{letter}{problem}",
        attempt,
        terms_of(grade, tokens, MAX_TOKENS, is_cut),
        config,
        trajectory_id=f"{version}.{split}.{decoding}.{step}.{letter}{problem}.{attempt}",
        version=version,
        split=split,
        step=step,
        problem_id=f"{letter}{problem}",
        seed=int(rng.integers(2**62)),
        messages=[
            Message(role="user", content=f"{left}+{right}=?"),
            Message(role="assistant", content=content, num_tokens=tokens, mean_logprob=logprob),
        ],
        stop_reason="max_tokens" if is_cut else "stop",
        num_tokens=tokens,
        is_truncated=is_cut,
        extra={
            "family": FAMILIES[problem % 3],
            "decoding": decoding,
            "lenient_correct": correct,
            "answer": str(answer) if well_formed else None,
        },
    )


def graded_row(
    group: str, attempt: int, terms: dict[str, float], config: Config | None = None, **values: Any
) -> Trajectory:
    """Return an attempt that earned these terms."""
    reward = combine(terms, (config or Config()).reward)
    graded = {"reward": reward, "reward_terms": terms, "correct": terms["correct"], "format_ok": terms["format"] > 0}
    named = {"trajectory_id": f"{group}.{attempt}", "group_id": group, "attempt": attempt, "campaign": "demo"}
    return plain_row(**named | graded | values)


def _signals(rng, rows: list[Trajectory], step: int, config: Config) -> Signals:
    rewards = reward_matrix(rows, masked_rows(rows, config))
    return plain_signals(
        step,
        campaign="demo",
        loss=float(rng.normal(0, 0.01)),
        grad_norm=float(rng.gamma(9, 0.05)),
        kl=0.004 * step + float(rng.random()) * 0.001,
        entropy=0.5 + float(rng.normal(0, 0.02)),
        clip_fraction=0.01,
        dead_group_ratio=float((spreads(rewards) < DEAD_SPREAD).mean()),
        kept_groups=float(np.mean([bool(row.in_loss) for row in rows])),
        num_tokens=sum(r.num_tokens for r in rows),
    )


def repeated(rows: list[Trajectory], share: float) -> list[Trajectory]:
    """Return the rows with a share of the groups turned into copies of their first attempt."""
    first = {row.group_id: row for row in reversed(rows)}
    chosen = set(sorted(first)[: int(share * len(first))])
    fields = ("messages", "reward", "reward_terms", "correct", "format_ok", "extra", "is_truncated", "stop_reason")
    return change(
        rows, lambda row: {f: getattr(first[row.group_id], f) for f in fields} if row.group_id in chosen else {}
    )
