"""One JSON object a step, in signals.jsonl: what `evotrainer watch` reads while training runs."""

import json
import time
from collections.abc import Sequence

from evotrainer.campaign.atomic import write_atomic
from evotrainer.records import Signals
from evotrainer.training.tracking.base import TrackedRun, numbers

FILE = "signals.jsonl"


class JsonlTracker:
    """Appends to a file. A run that goes on starts it anew with the steps it has, so that no step stands twice."""

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
