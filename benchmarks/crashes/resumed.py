"""What one kill costs: a campaign that is killed once and run again, beside one that is left alone.

CPU seconds are of the command and of all processes below it, looked up a few times a second: what a killed process has
used is known up to the last look. The Prefect server is started once for both, and not counted.
"""

import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from benchmarks.crashes.kill_points import KillPoints, Run
from benchmarks.crashes.results import left_by
from benchmarks.crashes.walk import NAME, clone, environment, finished
from benchmarks.process_tree import tree_seconds
from flows.serving.server import free_port, own_server

LOOK_SECONDS = 0.2


@dataclass(frozen=True)
class Resumed:
    """One kill: where, and CPU seconds of the undisturbed run, of the killed one and of the one that ended it."""

    point: str
    alone: float
    killed: float
    resumed: float
    is_same: bool
    """Whether both campaigns left the same bytes."""

    @property
    def ratio(self) -> float:
        """How much both runs took, over the undisturbed one."""
        return (self.killed + self.resumed) / self.alone


def kill_once(main: Path, folder: Path, settings: Sequence[str], share: float, told: Callable[[str], None]) -> Resumed:
    """Kill a campaign behind a share of the points that an undisturbed one meets, and run it again."""
    alone, killed = clone(main, folder / "alone"), clone(main, folder / "killed")
    command = [sys.executable, "-m", "cli.main", "campaign", "run", NAME]
    with own_server(main, free_port(), folder / "prefect.db"):
        listing = KillPoints(folder / "listed", alone)
        undisturbed, seconds = _run(listing, [*command, *settings], (), "list")
        finished(undisturbed, "undisturbed")
        met = listing.points()
        point = met[int(share * (len(met) - 1))]
        told(f"undisturbed: {seconds:.1f} CPU s, {len(met)} points; killed at: {point}")
        points = KillPoints(folder / "marks", killed)
        _, first = _run(points, [*command, *settings], [f"={point}"], "kill")
        again, second = _run(points, command, [f"={point}"], "kill")
        finished(again, f"after {point}")
    return Resumed(point, seconds, first, second, left_by(alone, NAME) == left_by(killed, NAME))


def _run(points: KillPoints, command: Sequence[str], at: Sequence[str], action: str) -> tuple[Run, float]:
    """Return a run and its CPU seconds."""
    found, done = [0.0], threading.Event()
    place = points.state / "pid"
    place.unlink(missing_ok=True)

    def look() -> None:
        while not done.wait(LOOK_SECONDS):
            with suppress(OSError, ValueError):  # it has not begun, or has ended
                found.append(tree_seconds(int(place.read_text())))

    looker = threading.Thread(target=look)
    looker.start()
    try:
        run = points.run(command, environment(points.root), at, action)  # type: ignore[arg-type]
    finally:
        done.set()
        looker.join()
    return run, max(found)
