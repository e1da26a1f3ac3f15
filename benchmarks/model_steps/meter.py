"""Memory and use while a program runs: of the first GPU as `nvidia-smi` sees the whole device, or of this process."""

import subprocess
import threading
import time
from collections.abc import Sequence
from pathlib import Path

MEBIBYTE = 2**20
QUERY = ("nvidia-smi", "--id=0", "--query-gpu=utilization.gpu,memory.used", "--format=csv,noheader,nounits")
EVERY_MS = 100

Span = tuple[float, float]
"""Begin and end in `time.monotonic`."""


class GpuMeter:
    """Looks at the GPU ten times a second until it is closed."""

    def __init__(self) -> None:
        self._before = _used_memory()
        self._seen: list[tuple[float, int, int]] = []
        self._program = subprocess.Popen([*QUERY, f"--loop-ms={EVERY_MS}"], stdout=subprocess.PIPE, text=True)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._program.terminate()
        self._program.wait()
        self._thread.join()

    def peak(self, spans: Sequence[Span]) -> int:
        """Return the most bytes of the device in use in these spans, without what was in use before."""
        return max((used * MEBIBYTE - self._before for _, _, used in self._within(spans)), default=0)

    def mean_use(self, spans: Sequence[Span]) -> float:
        """Return the mean share of time in which a kernel ran."""
        found = [use for _, use, _ in self._within(spans)]
        return sum(found) / len(found) / 100 if found else 0.0

    def _within(self, spans: Sequence[Span]) -> list[tuple[float, int, int]]:
        return [one for one in self._seen if any(start <= one[0] <= end for start, end in spans)]

    def _read(self) -> None:
        assert self._program.stdout is not None
        for line in self._program.stdout:
            use, used = line.split(",")
            self._seen.append((time.monotonic(), int(use), int(used)))


class ProcessMeter:
    """Reads the most memory that this process ever held, from its start; a processor's use is not measured."""

    def close(self) -> None:
        """Nothing runs beside."""

    def peak(self, spans: Sequence[Span]) -> int:
        """Return VmHWM in bytes, whatever the spans."""
        (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024

    def mean_use(self, spans: Sequence[Span]) -> float:
        """Return 0."""
        return 0.0


def meter_of(device: str) -> GpuMeter | ProcessMeter:
    """Return the meter of a device."""
    return GpuMeter() if device == "cuda" else ProcessMeter()


def _used_memory() -> int:
    line = subprocess.run(QUERY, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return int(line.split(",")[1]) * MEBIBYTE
