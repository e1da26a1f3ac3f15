"""One failure mode: how it is injected into healthy evidence, and at which strengths."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.failure_modes.base import SHARES, Rng, choose
from evotrainer.records import Trajectory

Injection = Callable[[Any, float, Rng], Any]
"""From evidence, a strength and random numbers to the same evidence with the mode: of rows, a `Case` or a lineage."""
MODES: dict[str, "FailureMode"] = {}


@dataclass(frozen=True)
class FailureMode:
    """A mode by its name in docs/failure_modes.md. Strengths were fixed before any limit of a diagnostic was chosen."""

    name: str
    domain: str
    strengths: Sequence[float]
    inject: Injection
    changes_frames: bool
    """Whether it takes a `Case` or a lineage, not rows."""
    falsifies: bool
    """Whether a score with the mode is worth nothing: its findings are to be `invalid`."""
    variant: Injection | None = None
    """Another way to the same mode, which shows that a detector does not know the first one."""


def attempt_mode(domain: str, *, falsifies: bool = False) -> Callable[[Callable], Callable]:
    """Register a change of one attempt, named as its mode, which is made to a share of the attempts drawn evenly."""

    def register(change: Callable[[Trajectory, Rng], Trajectory]) -> Callable:
        def inject(rows: Sequence[Trajectory], strength: float, rng: Rng) -> list[Trajectory]:
            chosen = choose(rows, strength, rng)
            return [change(row, rng) if row.trajectory_id in chosen else row for row in rows]

        _add(FailureMode(change.__name__, domain, SHARES, inject, False, falsifies))
        return change

    return register


def row_mode(domain: str, strengths: Sequence[float], *, falsifies: bool = False) -> Callable[[Injection], Injection]:
    """Register an injection into rows, named as its mode."""
    return _registered(domain, strengths, False, falsifies)


def frame_mode(domain: str, strengths: Sequence[float], *, falsifies: bool = False) -> Callable[[Injection], Injection]:
    """Register an injection into frames or a lineage, named as its mode."""
    return _registered(domain, strengths, True, falsifies)


def variant_of(mode: Injection) -> Callable[[Injection], Injection]:
    """Register another way to a mode that is registered."""

    def register(inject: Injection) -> Injection:
        known = MODES[mode.__name__]
        MODES[known.name] = FailureMode(**{**vars(known), "variant": inject})
        return inject

    return register


def _registered(
    domain: str, strengths: Sequence[float], changes_frames: bool, falsifies: bool
) -> Callable[[Injection], Injection]:
    def register(inject: Injection) -> Injection:
        _add(FailureMode(inject.__name__, domain, strengths, inject, changes_frames, falsifies))
        return inject

    return register


def _add(mode: FailureMode) -> None:
    assert mode.name not in MODES
    MODES[mode.name] = mode
