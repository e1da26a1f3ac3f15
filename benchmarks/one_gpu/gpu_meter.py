"""Use and memory of the first GPU while a program runs, as `nvidia-smi` sees the whole device."""

import subprocess
import threading
import time
from collections.abc import Sequence

MEBIBYTE = 2**20
QUERY = ("nvidia-smi", "--id=0", "--query-gpu=utilization.gpu,memory.used", "--format=csv,noheader,nounits")
EVERY_MS = 100


class GpuMeter:
    """Looks at the GPU ten times a second until it is closed."""

    def __init__(self) -> None:
        self._seen: list[tuple[float, int, int]] = []
        self._program = subprocess.Popen([*QUERY, f"--loop-ms={EVERY_MS}"], stdout=subprocess.PIPE, text=True)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._program.terminate()
        self._program.wait()
        self._thread.join()

    def peak(self, spans: Sequence[tuple[float, float]]) -> int:
        """Return the most bytes of the device that were in use in these spans of `time.monotonic`."""
        return max((used for _, _, used in self._within(spans)), default=0) * MEBIBYTE

    def mean_use(self, spans: Sequence[tuple[float, float]]) -> float:
        """Return the mean share of time in which a kernel ran."""
        found = [use for _, use, _ in self._within(spans)]
        return sum(found) / len(found) / 100 if found else 0.0

    def _within(self, spans: Sequence[tuple[float, float]]) -> list[tuple[float, int, int]]:
        return [one for one in self._seen if any(start <= one[0] <= end for start, end in spans)]

    def _read(self) -> None:
        assert self._program.stdout is not None
        for line in self._program.stdout:
            use, used = line.split(",")
            self._seen.append((time.monotonic(), int(use), int(used)))


def used_memory() -> int:
    """Return the bytes of the device that are in use now, by whatever program."""
    line = subprocess.run(QUERY, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return int(line.split(",")[1]) * MEBIBYTE
