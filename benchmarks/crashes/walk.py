"""One campaign that is killed at each new kind of point and run again until it ends, beside one that is left alone.

    folder/alone/    a clone whose campaign runs undisturbed          folder/listed/   the points that it met
    folder/killed/   a clone whose campaign is killed again and again        folder/marks/    the points that struck

Each point strikes once, so that one campaign meets all of them, in the order in which it comes to them. With the action
`full` a point is a write, from which on the disk of that run is full. Both clones report to one Prefect server, which
is started here: a restart then costs seconds.
"""

import os
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from benchmarks.crashes.kill_points import Action, KillPoints, Run
from benchmarks.crashes.results import left_by, leftovers
from benchmarks.crashes.sample import kind_of, sampled
from evotrainer.errors import InfrastructureError
from flows.serving.server import free_port, own_server

NAME = "c"
SEED = 0
"""Of the sample of points."""
LISTED: dict[str, Action] = {"kill": "list", "full": "list-full"}
FULL = ("No space left", "disk is full")


@dataclass(frozen=True)
class Killed:
    """One kill, and what the run before it did."""

    point: str
    repeated: list[str]
    """Stages that this run started though an earlier one had."""
    orphans: list[str]


@dataclass(frozen=True)
class Walk:
    """What came of a walk."""

    points: int
    """Kill points that the undisturbed campaign met."""
    kinds: int
    kills: list[Killed]
    """Where the other campaign was struck, in order, and its last run, which ended: there the point is empty."""
    differences: list[str]
    """Paths that the two campaigns left with other bytes, and versions that one of them lacks."""
    leftovers: list[str]
    """Partial files and lock files of git at the end."""
    seconds: float


def walk(
    main: Path,
    folder: Path,
    settings: Sequence[str],
    at: Sequence[str],
    count: int,
    told: Callable[[str], None],
    action: Literal["kill", "full"] = "kill",
) -> Walk:
    """Walk `count` of the points whose name contains one of `at` (any, where it is empty), sampled over their kinds.

    With the action `full` the points are writes: from there on the disk of that run is full.
    """
    started = time.monotonic()
    alone, killed = clone(main, folder / "alone"), clone(main, folder / "killed")
    command = [sys.executable, "-m", "cli.main", "campaign", "run", NAME]
    with own_server(main, free_port(), folder / "prefect.db"):
        listing = KillPoints(folder / "listed", alone)
        finished(listing.run([*command, *settings], environment(alone), at, LISTED[action]), "undisturbed")
        met = listing.points()
        told(f"{len(met)} points")
        points = KillPoints(folder / "marks", killed)
        kills = _strike(points, command, settings, sampled(met, count, SEED), action, told)
    one, other = left_by(alone, NAME), left_by(killed, NAME)
    different = sorted(path for path in one.keys() | other.keys() if one.get(path) != other.get(path))
    seconds, kinds = time.monotonic() - started, len({kind_of(point) for point in met})
    return Walk(len(met), kinds, kills, different, leftovers(killed, NAME), seconds)


def _strike(
    points: KillPoints,
    command: list[str],
    settings: Sequence[str],
    at: Sequence[str],
    action: Action,
    told: Callable[[str], None],
) -> list[Killed]:
    """Run the campaign again and again until it ends by itself."""
    kills: list[Killed] = []
    done: set[str] = set()
    exact = [f"={point}" for point in at]
    while True:
        new = [] if (points.root / "campaigns" / NAME).is_dir() else list(settings)
        run = points.run([*command, *new], environment(points.root), exact, action)
        is_ended = not run.point or (action == "full" and run.status == 0)
        if is_ended:
            finished(run, f"after {kills[-1].point if kills else 'no kill'}")
        repeated = [stage for stage in run.stages if stage in done]
        kills.append(Killed(run.point, repeated, run.orphans))
        done.update(run.stages)
        if repeated:
            told(f"  started again: {', '.join(repeated)}")
        if is_ended:
            return kills
        told(f"{len(kills)} {run.point}")
        if action == "full" and not any(words in run.output for words in FULL):
            told(f"  does not name the full disk: {run.output.strip()[-300:]}")
        for orphan in run.orphans:
            told(f"  lived on: {orphan}")


def finished(run: Run, when: str) -> None:
    """Raise InfrastructureError where a run did not end well."""
    if run.status != 0:
        raise InfrastructureError(f"{when} the campaign ended with status {run.status}: {run.output[-2000:]}")


def clone(main: Path, folder: Path) -> Path:
    """Return a clone of the checkout with its problem sets; the one that an earlier call made, where there is one."""
    if not (folder / "data").is_dir():
        subprocess.run(["git", "clone", "--quiet", str(main), str(folder)], check=True)
        _finish([sys.executable, "-m", "flows.workspace.byte_code"], folder)
        _finish([sys.executable, "-m", "cli.main", "data", "build"], folder)
    return folder


def _finish(command: Sequence[str], root: Path) -> None:
    done = subprocess.run(command, cwd=root, env=environment(root), capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise InfrastructureError(f"{' '.join(command[2:])} failed in {root}: {done.stderr[-2000:]}")


def environment(root: Path) -> dict[str, str]:
    """Return an environment whose programs run the clone's code."""
    return {**os.environ, "PYTHONPATH": str(root), "EVOTRAINER_PYTHON": sys.executable}
