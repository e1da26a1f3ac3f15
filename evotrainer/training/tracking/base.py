"""What a tracker is, and what it shows of a step."""

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evotrainer.records import Signals

FIELDS = (
    "loss",
    "grad_norm",
    "kl",
    "entropy",
    "clip_fraction",
    "mean_ratio",
    "dead_group_ratio",
    "kept_groups",
    "num_tokens",
)


@dataclass(frozen=True)
class TrackedRun:
    """One training run."""

    project: str
    campaign: str
    version: str
    folder: Path
    """Where trackers keep files."""

    @property
    def name(self) -> str:
        """Name of the run among those of a project."""
        return f"{self.campaign}-{self.version}"


class Tracker(Protocol):
    """Shows the signals of one run. It is made of the run and of the steps that were taken before, if it goes on."""

    def log(self, signals: Signals) -> None:
        """Show one optimiser step."""
        ...

    def close(self) -> None:
        """Finish."""
        ...


def numbers(signals: Signals) -> dict[str, float]:
    """Return what is shown of a step: its signals, reward first; what was not measured is left out."""
    extra = {name: signals.extra[name] for name in sorted(signals.extra, key=lambda name: (name != "reward", name))}
    found = extra | {name: float(getattr(signals, name)) for name in FIELDS}
    return {name: value for name, value in found.items() if math.isfinite(value)}
