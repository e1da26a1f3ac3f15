"""Compiling kill_points.c, and running a campaign's command under it."""

import os
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from evotrainer.errors import ConfigError

SOURCE = Path(__file__).with_name("kill_points.c")
Action = Literal["kill", "full"]


@dataclass(frozen=True)
class Run:
    """One run of a command: how it ended, what it printed, and where it was struck; empty where it was not."""

    status: int
    output: str
    point: str

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
        """Run a command until it ends or meets a new point whose name contains one of `at`; all points where empty."""
        (self.state / "full").unlink(missing_ok=True)
        before = self.points()
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
        return Run(status, (self.state / "output").read_text(errors="replace"), met[0] if met else "")

    def points(self) -> list[str]:
        """Return the points that struck, in order."""
        path = self.state / "events"
        return path.read_text(errors="replace").splitlines() if path.is_file() else []


def _compile(library: Path) -> None:
    compiler = os.environ.get("CC") or shutil.which("cc")
    if compiler is None:
        raise ConfigError("kill points need a C compiler: install one, or name it in CC")
    subprocess.run([compiler, "-O1", "-Wall", "-shared", "-fPIC", "-o", library, SOURCE, "-ldl"], check=True)
