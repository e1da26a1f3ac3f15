"""Advantages as other trainers compute them: GRPO, Dr. GRPO, RLOO, REINFORCE++, DAPO, PPO. Rewards in, advantages out.

Each takes the rewards of one step, the group of each row, and its length in tokens. Sources: TRL `GRPOTrainer`, verl
`core_algos.py`.
"""

from collections.abc import Callable

import numpy as np

Estimator = Callable[[np.ndarray, np.ndarray, np.ndarray, np.random.Generator], np.ndarray]


def _by_group(rewards: np.ndarray, groups: np.ndarray, value: Callable[[np.ndarray], np.ndarray]) -> np.ndarray:
    out = np.zeros(len(rewards))
    for group in np.unique(groups):
        members = groups == group
        out[members] = value(rewards[members])
    return out


def grpo(rewards: np.ndarray, groups: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Centred and divided by the group's sample standard deviation."""
    return _by_group(rewards, groups, lambda r: (r - r.mean()) / ((r.std(ddof=1) if len(r) > 1 else 0.0) + 1e-4))


def centred(rewards: np.ndarray, groups: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Dr. GRPO: centred on the group."""
    return _by_group(rewards, groups, lambda r: r - r.mean())


def leave_one_out(rewards: np.ndarray, groups: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """RLOO: against the mean of the others of the group."""
    return _by_group(rewards, groups, lambda r: (r - r.mean()) * len(r) / max(1, len(r) - 1))


def whole_batch(rewards: np.ndarray, groups: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """REINFORCE++: standardised over the batch."""
    return (rewards - rewards.mean()) / (rewards.std() + 1e-8)


def whole_batch_baseline(
    rewards: np.ndarray, groups: np.ndarray, lengths: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """REINFORCE++ with a baseline: centred on the group, standardised over the batch."""
    centred_ = centred(rewards, groups, lengths, rng)
    return (centred_ - centred_.mean()) / (centred_.std() + 1e-8)


def critic(rewards: np.ndarray, groups: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """PPO: reward minus a critic's value, averaged over tokens by GAE, whitened over the batch."""
    known = _by_group(rewards, groups, lambda r: np.full(len(r), r.mean()))
    values = 0.6 * known + 0.4 * rewards.mean() + rng.normal(0, 0.15, len(rewards))
    raw = (rewards - values) * (1 - 0.95 ** np.maximum(lengths / 20, 1.0)) + rng.normal(0, 0.05, len(rewards))
    return (raw - raw.mean()) / (raw.std() + 1e-8)


def with_kl(rewards: np.ndarray, groups: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """RLOO with the KL penalty inside the reward, which the row does not show."""
    penalty = 0.02 * lengths / 50 + np.abs(rng.normal(0, 0.04, len(rewards)))
    return leave_one_out(rewards - penalty, groups, lengths, rng)


def clipped(rewards: np.ndarray, groups: np.ndarray, lengths: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """GRPO, clipped to one standard deviation."""
    return np.clip(grpo(rewards, groups, lengths, rng), -1.0, 1.0)


def token_averaged(
    rewards: np.ndarray, groups: np.ndarray, lengths: np.ndarray, rng: np.random.Generator
) -> np.ndarray:
    """GRPO, spread over the tokens of the answer: long answers have small advantages a token."""
    return grpo(rewards, groups, lengths, rng) * lengths.mean() / lengths
