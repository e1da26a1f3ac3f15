"""Candidates of several pools, each change of one incumbent once: later pools repeat what was not tried."""

from collections.abc import Sequence
from dataclasses import dataclass

from benchmarks.regret.arithmetic import gains, noise_floor
from benchmarks.regret.measured.records import TrainedCandidate, TrainedPool


@dataclass(frozen=True)
class Distinct:
    """One candidate as its first pool has it; gain and noise floor in percentage points."""

    seed: int
    version: str
    candidate: TrainedCandidate
    gain: float
    floor: float


def distinct(pools: Sequence[TrainedPool]) -> list[Distinct]:
    """Return the candidates of these pools, one of a campaign, incumbent and change."""
    found: dict[tuple[int, str, str], Distinct] = {}
    for pool in pools:
        floor = noise_floor(pool)
        for one, gain in zip(pool.candidates, gains(pool).mean(1).tolist(), strict=True):
            key = (pool.seed, pool.incumbent, one.intervention.intervention_id)
            found.setdefault(key, Distinct(pool.seed, pool.version, one, gain, floor))
    return list(found.values())


def change_of(candidate: TrainedCandidate) -> str:
    """Return the factor with what becomes of each key: the ratio of numbers, else the new value."""
    intervention = candidate.intervention
    return " ".join([intervention.factor, *(_step(old, new) for old, new in intervention.diff.values())])


def _step(old: object, new: object) -> str:
    if isinstance(old, int | float) and isinstance(new, int | float) and not isinstance(old, bool) and old * new > 0:
        return f"x{new / old:.2g}"
    return f"={new}"
