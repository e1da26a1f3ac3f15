"""Memory while a program runs: of the first GPU as `nvidia-smi` sees the whole device, or of this process."""

import subprocess
import threading
from pathlib import Path

MEBIBYTE = 2**20
QUERY = ("nvidia-smi", "--id=0", "--query-gpu=memory.used", "--format=csv,noheader,nounits")
EVERY_MS = 100


class GpuMeter:
    """Looks at the GPU ten times a second until it is closed."""

    def __init__(self) -> None:
        self._before = _used_memory()
        self._most = self._before
        self._program = subprocess.Popen([*QUERY, f"--loop-ms={EVERY_MS}"], stdout=subprocess.PIPE, text=True)
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop looking."""
        self._program.terminate()
        self._program.wait()
        self._thread.join()

    def peak(self) -> int:
        """Return the most bytes of the device that were in use so far, without what was in use before."""
        return self._most - self._before

    def _read(self) -> None:
        assert self._program.stdout is not None
        for line in self._program.stdout:
            self._most = max(self._most, int(line) * MEBIBYTE)


class ProcessMeter:
    """Reads the most memory that this process ever held, from its start."""

    def close(self) -> None:
        """Nothing runs beside."""

    def peak(self) -> int:
        """Return VmHWM in bytes."""
        (line,) = (line for line in Path("/proc/self/status").read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024


def meter_of(device: str) -> GpuMeter | ProcessMeter:
    """Return the meter of a device."""
    return GpuMeter() if device == "cuda" else ProcessMeter()


def _used_memory() -> int:
    line = subprocess.run(QUERY, capture_output=True, text=True, check=True).stdout.splitlines()[0]
    return int(line) * MEBIBYTE
