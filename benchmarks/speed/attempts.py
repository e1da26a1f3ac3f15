"""Simulated attempts for measures of speed: groups of 8 with a problem's own chance of success, lengths and terms."""

import numpy as np

from evotrainer.algorithm.rewards import combine, terms_of
from evotrainer.config import Config
from evotrainer.records import Message, Trajectory

GROUP, MAX_TOKENS, NUM_STEPS = 8, 48, 10


def simulated_attempts(count: int, seed: int = 0) -> list[Trajectory]:
    """Return `count` attempts, rounded down to whole groups, of a run of ten steps."""
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
