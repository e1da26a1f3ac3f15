"""Compiling kill_points.c, and running a campaign's command under it."""

import os
import shutil
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import psutil

from evotrainer.errors import ConfigError

SOURCE = Path(__file__).with_name("kill_points.c")
Action = Literal["kill", "full", "list", "list-full"]
ORPHAN_SECONDS = 5.0
"""How long processes of a killed campaign may live on: they look for their owner twice a second."""
POLL_SECONDS = 0.1
"""Between two looks at the process table, which has no event for the end of another's child."""


@dataclass(frozen=True)
class Run:
    """One run of a command: how it ended, what it printed, and where it was struck; empty where it was not."""

    status: int
    output: str
    point: str
    stages: list[str]
    """Stages that were started, in order."""
    orphans: list[str]
    """Processes that lived on after the campaign's: state, age and command."""

    @property
    def was_killed(self) -> bool:
        """Whether a kill point ended it."""
        return self.status == -signal.SIGKILL


class KillPoints:
    """The compiled library, and the marks of the points that have been met."""

    def __init__(self, folder: Path, root: Path):
        self.root, self.state = root, folder / "state"
        self._library = folder / "kill_points.so"
        (self.state / "seen").mkdir(parents=True, exist_ok=True)
        _compile(self._library)

    def run(
        self, command: Sequence[str], environment: Mapping[str, str], at: Sequence[str] = (), action: Action = "kill"
    ) -> Run:
        """Run a command until it ends or meets a new point whose name contains one of `at`; all points where empty.

        A text of `at` that begins with `=` is a whole name. With `list`, or `list-full` for writes, nothing ends it.
        """
        (self.state / "full").unlink(missing_ok=True)
        before, stages = self.points(), self._lines("stages")
        told = {"LD_PRELOAD": str(self._library), "CRASH_ROOT": str(self.root), "CRASH_STATE": str(self.state)}
        told |= {"CRASH_AT": "\n".join(at), "CRASH_ACTION": action}
        with (self.state / "output").open("w") as output:
            process = subprocess.Popen(
                ["sh", "-c", 'echo $$ >"$CRASH_STATE/pid"; exec "$@"', "sh", *command],
                cwd=self.root,
                env={**environment, **told},
                stdout=output,
                stderr=output,
            )
            status = process.wait()
        met = self.points()[len(before) :]
        output = (self.state / "output").read_text(errors="replace")
        started = self._lines("stages")[len(stages) :]
        return Run(status, output, met[0] if met else "", started, self._orphans())

    def points(self) -> list[str]:
        """Return the points that struck or were listed, in order."""
        return self._lines("events")

    def _orphans(self) -> list[str]:
        """Wait for the processes of the last run to end; return those that do not."""
        deadline = time.monotonic() + ORPHAN_SECONDS
        while (alive := self._alive()) and time.monotonic() < deadline:
            time.sleep(POLL_SECONDS)  # they are no children of this process: their end cannot be waited for
        return alive

    def _alive(self) -> list[str]:
        found = []
        for process in psutil.process_iter():
            with suppress(psutil.Error, OSError):  # it ended meanwhile, or is another person's
                if process.environ().get("CRASH_STATE") == str(self.state):
                    age = time.time() - process.create_time()
                    command = " ".join(process.cmdline()[:6])
                    found.append(f"{process.status()}, {age:.0f} s old: {command}" if command else "")
        return [command for command in found if command]

    def _lines(self, name: str) -> list[str]:
        path = self.state / name
        return path.read_text(errors="replace").splitlines() if path.is_file() else []


def _compile(library: Path) -> None:
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        raise ConfigError("kill points need a C compiler: install one, or name it in CC")
    subprocess.run([compiler, "-O1", "-Wall", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
