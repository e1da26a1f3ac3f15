"""Trackers: where the signals of a training run are shown while it runs, beside the evidence that is stored of it.

    with closing(Trackers(config.tracking, run, earlier)) as trackers:
        trackers.log(signals)          after every optimiser step

What a tracker writes lies in scratch and is read by nobody who decides: results are the same with all trackers and with
none. A tracker that fails is named once and left out from then on; training goes on. Packages of trackers are imported
when one is opened. A tracker of a person's own is `module:Class` in place of a name.
"""

import importlib
import importlib.util
import json
import math
import os
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from evotrainer.campaign.documents import write_atomic
from evotrainer.config import TrackingConfig
from evotrainer.config.limits import load_named
from evotrainer.errors import ConfigError
from evotrainer.records import Signals

FILE = "signals.jsonl"
_FIELDS = [name for name in Signals.model_fields if name not in ("campaign", "version", "step", "seconds", "extra")]


@dataclass(frozen=True)
class TrackedRun:
    """One training run, and the folder where trackers keep its files."""

    project: str
    campaign: str
    version: str
    folder: Path

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
    found = extra | {name: float(getattr(signals, name)) for name in _FIELDS}
    return {name: value for name, value in found.items() if math.isfinite(value)}


class JsonlTracker:
    """One JSON object a step, for programs of a person's own. A run that goes on starts the file anew."""

    def __init__(self, run: TrackedRun, earlier: Sequence[Signals]) -> None:
        run.folder.mkdir(parents=True, exist_ok=True)
        path = run.folder / FILE
        write_atomic(path, "".join(_line(signals, None) for signals in earlier))
        self._stream = path.open("a", encoding="utf-8", buffering=1)

    def log(self, signals: Signals) -> None:
        """Append one line."""
        self._stream.write(_line(signals, time.time()))

    def close(self) -> None:
        """Close the file."""
        self._stream.close()


def _line(signals: Signals, now: float | None) -> str:
    """Return a line; `time` is when the step ended, in seconds since 1970, null for a step of an earlier process."""
    return json.dumps({"step": signals.step, "time": now and round(now, 3), **numbers(signals)}) + "\n"


class TensorBoardTracker:
    """An event file; a run that goes on writes it anew, since what a killed process had not flushed is in none."""

    def __init__(self, run: TrackedRun, earlier: Sequence[Signals]) -> None:
        for path in run.folder.glob("events.out.tfevents.*"):
            path.unlink()
        self._writer = importlib.import_module("tensorboardX").SummaryWriter(str(run.folder), flush_secs=10)
        for signals in earlier:
            self.log(signals)

    def log(self, signals: Signals) -> None:
        """Write one scalar a signal."""
        for name, value in numbers(signals).items():
            self._writer.add_scalar(f"train/{name}", value, signals.step)

    def close(self) -> None:
        """Flush and close the files."""
        self._writer.close()


class WandbTracker:
    """Weights & Biases; a run that goes on goes on with it. Without WANDB_API_KEY it is offline: `wandb sync` later."""

    def __init__(self, run: TrackedRun, earlier: Sequence[Signals]) -> None:
        wandb = importlib.import_module("wandb")
        run.folder.mkdir(parents=True, exist_ok=True)
        mode = os.environ.get("WANDB_MODE") or ("online" if os.environ.get("WANDB_API_KEY") else "offline")
        self._run = wandb.init(
            project=run.project,
            group=run.campaign,
            name=run.name,
            id=run.name,
            dir=str(run.folder),
            resume="allow" if mode == "online" else None,
            mode=mode,
            settings=wandb.Settings(silent=True),
        )

    def log(self, signals: Signals) -> None:
        """Log one step."""
        self._run.log(numbers(signals), step=signals.step)

    def close(self) -> None:
        """Finish the run."""
        self._run.finish()


TRACKERS: dict[str, Callable[[TrackedRun, Sequence[Signals]], Tracker]] = {
    "jsonl": JsonlTracker,
    "tensorboard": TensorBoardTracker,
    "wandb": WandbTracker,
}
PACKAGES = {"tensorboard": "tensorboardX", "wandb": "wandb"}
"""What trackers need that is not installed with EvoTrainer."""


def check_trackers(names: Sequence[str]) -> None:
    """Raise ConfigError for a tracker that is none, cannot be imported, or lacks its package."""
    for name in names:
        load_named(TRACKERS, "tracking.trackers", name)
        if (package := PACKAGES.get(name)) and importlib.util.find_spec(package) is None:
            raise ConfigError(f"tracking.trackers={name} needs {package}: `pip install {package}`, or leave it out")


class Trackers:
    """The trackers that a configuration names and that still work; `earlier` are the steps of a run that goes on.

    Raises:
        ConfigError: a name is none, or a class cannot be imported.

    """

    def __init__(self, config: TrackingConfig, run: TrackedRun, earlier: Sequence[Signals] = ()) -> None:
        self._opened: dict[str, Tracker] = {}
        for name in config.trackers:
            make = load_named(TRACKERS, "tracking.trackers", name)
            try:
                self._opened[name] = make(run, earlier)
            except Exception as error:  # a package that is not installed, a server that does not answer
                _report(name, error)

    def log(self, signals: Signals) -> None:
        """Show the signals of one step in every tracker."""
        self._each("log", signals)

    def close(self) -> None:
        """Finish every tracker."""
        self._each("close")

    def _each(self, method: str, *arguments: Signals) -> None:
        for name, tracker in list(self._opened.items()):
            try:
                getattr(tracker, method)(*arguments)
            except Exception as error:  # other people's code, disks and servers: training goes on without it
                _report(name, error)
                del self._opened[name]


def _report(name: str, error: Exception) -> None:
    reason = " ".join(str(error).split())[:200]
    print(f"tracker {name} failed, training goes on without it: {type(error).__name__}: {reason}", file=sys.stderr)
