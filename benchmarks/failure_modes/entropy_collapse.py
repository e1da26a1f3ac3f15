"""Inject a collapse or an explosion of entropy: tokens become certain and attempts alike, or fall apart.

Over the steps of a run the share of attempts grows to the strength. Collapsed ones copy the first attempt at their
problem and are sampled near probability 1; exploded ones are sampled at many nats a token, and fail.
"""

from collections.abc import Sequence

from benchmarks.failure_modes.base import Rng, choose_late, graded_as
from evotrainer.records import Trajectory

DOMAIN = "swe"
STRENGTHS = (0.1, 0.25, 0.5, 0.9)
_COPIED = ("messages", "reward", "reward_terms", "correct", "num_turns", "num_tokens", "stop_reason", "is_truncated")


def inject(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
    """Return the rows with that share of the last attempts collapsed, or exploded."""
    chosen = choose_late(rows, strength, rng)
    if rng.random() < 0.5:
        first = {row.group_id: row for row in reversed(rows)}
        return [_sure(row, first[row.group_id], rng) if row.trajectory_id in chosen else row for row in rows]
    return [_wild(row, rng) if row.trajectory_id in chosen else row for row in rows]


def _sure(row: Trajectory, twin: Trajectory, rng: Rng) -> Trajectory:
    copied = {name: getattr(twin, name) for name in _COPIED} | {"extra": {**twin.extra}}
    return _sampled_at(row.model_copy(update=copied), -0.02, rng)


def _wild(row: Trajectory, rng: Rng) -> Trajectory:
    row = _sampled_at(row, -3.0, rng)
    return graded_as(row, 0.0, partial=0.0) if rng.random() < 0.7 else row


def _sampled_at(row: Trajectory, logprob: float, rng: Rng) -> Trajectory:
    messages = [
        message.model_copy(update={"mean_logprob": logprob * float(rng.uniform(0.8, 1.2))})
        if message.role == "assistant"
        else message
        for message in row.messages
    ]
    return row.model_copy(update={"messages": messages})
