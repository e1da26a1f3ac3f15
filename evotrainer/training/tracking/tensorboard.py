"""Event files for TensorBoard: `tensorboard --logdir campaigns/NAME/scratch/train` shows each version as a run."""

from collections.abc import Sequence

from tensorboardX import SummaryWriter

from evotrainer.records import Signals
from evotrainer.training.tracking.base import TrackedRun, numbers


class TensorBoardTracker:
    """Writes an event file. A run that goes on writes it anew: what a killed process had not flushed is in none."""

    def __init__(self, run: TrackedRun, earlier: Sequence[Signals]) -> None:
        for path in run.folder.glob("events.out.tfevents.*"):
            path.unlink()
        self._writer = SummaryWriter(str(run.folder), flush_secs=10)
        for signals in earlier:
            self.log(signals)

    def log(self, signals: Signals) -> None:
        """Write one scalar a signal."""
        for name, value in numbers(signals).items():
            self._writer.add_scalar(f"train/{name}", value, signals.step)

    def close(self) -> None:
        """Flush and close the files."""
        self._writer.close()
