"""Trackers: where the signals of a training run are shown while it runs, beside the evidence that is stored of it.

    with open_trackers(config.tracking, run, earlier) as trackers:
        trackers.log(signals)          after every optimiser step

What a tracker writes lies in scratch and is read by nobody who decides: results are the same with all trackers and with
none. A tracker that fails is named once and left out from then on; training goes on. Packages of trackers are imported
when one is opened.
"""

import importlib
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from evotrainer.config import TrackingConfig
from evotrainer.config.limits import find
from evotrainer.records import Signals
from evotrainer.training.tracking.base import TrackedRun, Tracker

TRACKERS = {
    "jsonl": "evotrainer.training.tracking.jsonl:JsonlTracker",
    "tensorboard": "evotrainer.training.tracking.tensorboard:TensorBoardTracker",
    "wandb": "evotrainer.training.tracking.wandb_runs:WandbTracker",
    "mlflow": "evotrainer.training.tracking.mlflow_runs:MlflowTracker",
    "trackio": "evotrainer.training.tracking.trackio_runs:TrackioTracker",
}


class Trackers:
    """The trackers of one run that still work."""

    def __init__(self, opened: dict[str, Tracker]) -> None:
        self._opened = opened

    def log(self, signals: Signals) -> None:
        """Show the signals of one step in every tracker."""
        for name, tracker in list(self._opened.items()):
            try:
                tracker.log(signals)
            except Exception as error:  # other people's code, disks and servers: training goes on without it
                self._drop(name, error)

    def close(self) -> None:
        """Finish every tracker."""
        for name, tracker in list(self._opened.items()):
            try:
                tracker.close()
            except Exception as error:  # as above
                self._drop(name, error)

    def _drop(self, name: str, error: Exception) -> None:
        _tell(name, error)
        del self._opened[name]


@contextmanager
def open_trackers(config: TrackingConfig, run: TrackedRun, earlier: Sequence[Signals] = ()) -> Iterator[Trackers]:
    """Open the trackers that a configuration names; `earlier` are the steps of a run that goes on.

    Raises ConfigError for a name that is none.
    """
    opened: dict[str, Tracker] = {}
    for name in config.trackers:
        module, _, kind = find(TRACKERS, "tracking.trackers", name).partition(":")
        try:
            opened[name] = getattr(importlib.import_module(module), kind)(run, earlier)
        except Exception as error:  # a package that is not installed, a server that does not answer
            _tell(name, error)
    trackers = Trackers(opened)
    try:
        yield trackers
    finally:
        trackers.close()


def _tell(name: str, error: Exception) -> None:
    said = " ".join(str(error).split())[:200]
    print(f"tracker {name} failed, training goes on without it: {type(error).__name__}: {said}", file=sys.stderr)
