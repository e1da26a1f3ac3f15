"""Trackio: local by default, in TRACKIO_DIR or the cache of Hugging Face; `trackio show` opens it."""

from collections.abc import Sequence

import trackio  # pyright: ignore[reportMissingImports]  # an extra

from evotrainer.records import Signals
from evotrainer.training.tracking.base import TrackedRun, numbers


class TrackioTracker:
    """Logs to one Trackio run."""

    def __init__(self, run: TrackedRun, earlier: Sequence[Signals]) -> None:
        self._run = trackio.init(project=run.project, name=run.name, config={"campaign": run.campaign})
        for signals in earlier:
            self.log(signals)

    def log(self, signals: Signals) -> None:
        """Log one step."""
        self._run.log(numbers(signals), step=signals.step)

    def close(self) -> None:
        """Finish the run."""
        self._run.finish()
