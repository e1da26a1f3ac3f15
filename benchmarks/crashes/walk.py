"""One campaign that is killed at each new kind of point and run again until it ends, beside one that is left alone.

    folder/alone/    a clone whose campaign runs undisturbed          folder/marks/    the points that were met
    folder/killed/   a clone whose campaign is killed again and again

Each point strikes once, so that one campaign meets all of them, in the order in which it comes to them. Both clones
report to one Prefect server, which is started here: a restart then costs seconds.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from benchmarks.crashes.kill_points import KillPoints
from benchmarks.crashes.results import left_by, leftovers
from evotrainer.errors import InfrastructureError
from flows.serving.server import free_port, own_server

NAME = "c"


@dataclass(frozen=True)
class Walk:
    """What came of a walk."""

    points: list[str]
    """Where the campaign was killed, in order."""
    differences: list[str]
    """Paths that the two campaigns left with other bytes, and versions that one of them lacks."""
    leftovers: list[str]
    """Partial files and lock files of git at the end."""
    seconds: float


def walk(
    main: Path, folder: Path, settings: Sequence[str], at: Sequence[str], max_points: int, told: Callable[[str], None]
) -> Walk:
    """Walk the points whose name contains one of `at` (all, where it is empty), at most `max_points` of them."""
    started = time.monotonic()
    alone, killed = _clone(main, folder / "alone"), _clone(main, folder / "killed")
    command = [sys.executable, "-m", "cli.main", "campaign", "run", NAME]
    with own_server(main, free_port(), folder / "prefect.db"):
        _finish([*command, *settings], alone)
        points = KillPoints(folder / "marks", killed)
        while True:
            at_end = ["no further point"] if len(points.points()) >= max_points else at
            new = [] if (killed / "campaigns" / NAME).is_dir() else list(settings)
            run = points.run([*command, *new], _environment(killed), at_end)
            if not run.was_killed:
                break
            told(f"{len(points.points())} {run.point}")
        if run.status != 0:
            raise InfrastructureError(f"after {points.points()[-1:]} the campaign ended with: {run.output[-2000:]}")
    one, other = left_by(alone, NAME), left_by(killed, NAME)
    different = sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))
    return Walk(points.points(), different, leftovers(killed, NAME), time.monotonic() - started)


def _clone(main: Path, folder: Path) -> Path:
    """Return a clone of the checkout with its problem sets; the one that an earlier call made, where there is one."""
    if not (folder / "data").is_dir():
        subprocess.run(["git", "clone", "--quiet", str(main), str(folder)], check=True)
        _finish([sys.executable, "-m", "cli.main", "data", "build"], folder)
    return folder


def _finish(command: Sequence[str], root: Path) -> None:
    done = subprocess.run(command, cwd=root, env=_environment(root), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InfrastructureError(f"{' '.join(command[2:])} failed in {root}: {done.stderr[-2000:]}")


def _environment(root: Path) -> dict[str, str]:
    """Return an environment whose programs run the clone's code."""
    return {**os.environ, "PYTHONPATH": str(root), "EVOTRAINER_PYTHON": sys.executable}
