"""The faults: each takes a checkout and a stream of drawn numbers, and does its harm to a campaign that runs there.

A fault raises InfrastructureError where this machine cannot do it.
"""

import array
import errno
import json
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from random import Random

import psutil

from benchmarks.faults.checkout import NAME, Checkout, wait_until
from evotrainer.errors import InfrastructureError
from evotrainer.sandbox import kernel

FIRST_SECONDS, SERVER = 6.0, "prefect server start"
HOUR_SECONDS, DISK_BYTES, SPARE_BYTES = 3600, 8 * 1024**3, 16_000
SUSPENDED_SECONDS, FREE_BYTES = 600.0, 2 * 10**9
PLACES = ("/validation/", "/.dvc/cache/", "/rollout/", "/model/", "/report/")
"""Parts of the paths of what is written: evidence, DVC's cache, rollouts, checkpoints, the report."""
GIT_LOCKS = (
    f"worktrees/{NAME}/index.lock",
    f"worktrees/{NAME}/HEAD.lock",
    f"refs/heads/campaign/{NAME}.lock",
    "packed-refs.lock",
    "config.lock",
)


@dataclass(frozen=True)
class Trial:
    """What a fault acts on."""

    checkout: Checkout
    draw: Random
    seconds: float
    """Of the undisturbed run."""

    def moment(self, number: int = 1) -> float:
        """Return a drawn moment of a run that is one of `number` parts of the campaign."""
        return self.draw.uniform(0.02, 0.9) * self.seconds / number


def killed(number: signal.Signals) -> Callable[[Trial], None]:
    """Kill the campaign's process, and no other, at three drawn moments."""

    def strike(trial: Trial) -> None:
        for _ in range(3):
            trial.checkout.run_until(trial.moment(3), lambda process: process.send_signal(number))

    return strike


def killed_at_the_start(trial: Trial) -> None:
    """Kill a campaign that has just begun, five times over."""
    for part in range(5):
        trial.checkout.run_until((part + trial.draw.random()) * FIRST_SECONDS / 5, lambda process: process.kill())


def server_killed(trial: Trial) -> None:
    """Kill the campaign's Prefect server, and each that takes its place, at three drawn moments of one run."""
    process = trial.checkout.start()
    for _ in range(3):
        wait_until(lambda: process.poll() is not None, trial.moment(3))
        wait_until(lambda: process.poll() is not None or trial.checkout.processes(SERVER), 30)
        for server in trial.checkout.processes(SERVER):
            with suppress(psutil.NoSuchProcess):
                server.kill()
    trial.checkout.end(process)


def dead_git(trial: Trial) -> None:
    """Kill the campaign, and leave lock files as a git does that was killed with it."""
    for lock in GIT_LOCKS:
        trial.checkout.run_until(trial.moment(len(GIT_LOCKS)), lambda process: process.kill())
        _leave(trial.checkout, lock)


def living_git(trial: Trial) -> None:
    """Hold a lock file by a git that works in the campaign, until one command has ended."""
    checkout = trial.checkout
    checkout.run_until(trial.moment(), lambda process: process.kill())
    _leave(checkout, GIT_LOCKS[0])
    with subprocess.Popen(["git", "hash-object", "-w", "--stdin"], cwd=checkout.root, stdin=subprocess.PIPE) as other:
        checkout.run()
        assert other.stdin is not None
        other.stdin.close()


def _leave(checkout: Checkout, lock: str) -> None:
    path = checkout.root / ".git" / lock
    if path.parent.is_dir():  # else the campaign has not come so far
        path.touch()


def refused_writes(number: int) -> Callable[[Trial], None]:
    """Fail the n-th write of evidence, cache, rollouts, checkpoint and report, each in turn, and all after it."""

    def strike(trial: Trial) -> None:
        order = trial.checkout.root.parent / f"{trial.checkout.root.name}.writes"
        trial.checkout.environment["FAILING_WRITES"] = str(order)
        for part in PLACES:
            order.write_text(json.dumps({"part": part, "at": trial.draw.randint(1, 3), "number": number}))
            trial.checkout.run()
            for path in (order, order.with_name(f"{order.name}.count")):
                path.unlink(missing_ok=True)

    return strike


def mounted(part: str, options: str) -> Callable[[Trial], None]:
    """Fill the disk of git or of all, or make it read-only, at three drawn moments; it is mended in between."""

    def strike(trial: Trial) -> None:
        with _own_disk(trial.checkout.root / part) as root:
            for _ in range(3):
                trial.checkout.run_until(trial.moment(3), lambda _: _mount(options, root))
                _mount(f"remount,rw,size={DISK_BYTES}", root)
            trial.checkout.run()

    return strike


@contextmanager
def _own_disk(folder: Path) -> Iterator[Path]:
    """Put a folder on a file system in memory, of its own, during the block; it lies on the disk again afterwards."""
    before = folder.with_name(f"{folder.name}.before")
    folder.rename(before)
    folder.mkdir()
    try:
        kernel.call("unshare", kernel.CLONE_NEWNS)
        kernel.make_mounts_private()
        subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={DISK_BYTES}", "tmpfs", str(folder)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        folder.rmdir()
        before.rename(folder)
        raise InfrastructureError(f"needs root, to mount a file system ({error})") from None
    subprocess.run(["cp", "-a", f"{before}/.", str(folder)], check=True)
    shutil.rmtree(before)
    try:
        yield folder
    finally:
        subprocess.run(["cp", "-a", f"{folder}/.", str(before)], check=True)
        subprocess.run(["umount", "--lazy", str(folder)], check=True)
        folder.rmdir()
        before.rename(folder)


def _mount(options: str, root: Path) -> None:
    """Mount a file system again; where it has grown meanwhile and cannot shrink so far, it is full already."""
    used = shutil.disk_usage(root).used
    subprocess.run(
        ["mount", "-o", options.format(full=used + SPARE_BYTES), str(root)], capture_output=True, check=False
    )


def clock_set_back(trial: Trial) -> None:
    """Set the wall clock of all processes back by an hour at a drawn moment."""
    compiler, folder = shutil.which("cc"), trial.checkout.root.parent
    if compiler is None:
        raise InfrastructureError("needs a C compiler, for a library that moves the clock")
    library, shift = folder / "clock.so", folder / f"{trial.checkout.root.name}.shift"
    source = Path(__file__).with_name("clock.c")
    subprocess.run([compiler, "-D_GNU_SOURCE", "-shared", "-fPIC", "-O1", "-o", str(library), str(source)], check=True)
    shift.write_bytes(array.array("l", [0]).tobytes())
    trial.checkout.environment |= {"LD_PRELOAD": str(library), "CLOCK_SHIFT": str(shift)}

    def set_back(_process: object) -> None:
        with shift.open("r+b") as file:
            file.write(array.array("l", [-HOUR_SECONDS]).tobytes())

    trial.checkout.run_until(trial.moment(), set_back)


def suspended(trial: Trial) -> None:
    """Stop every process of the campaign for ten minutes at a drawn moment, as a laptop does that is closed."""

    def sleep(process: subprocess.Popen[str]) -> None:
        tree = [*trial.checkout.processes(), *psutil.Process(process.pid).children(recursive=True)]
        for one in tree:
            one.suspend()
        time.sleep(SUSPENDED_SECONDS)  # nothing happens meanwhile: that is the fault
        for one in tree:
            one.resume()

    trial.checkout.run_until(trial.moment(), sleep)


def little_memory(trial: Trial) -> None:
    """Leave two GB of the machine's memory from the start to the end."""
    taken = psutil.virtual_memory().available - FREE_BYTES
    hold = f"import sys; held = bytearray({taken}); held[::4096] = b'x' * len(held[::4096]); print(); sys.stdin.read()"
    with subprocess.Popen([sys.executable, "-c", hold], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as ballast:
        assert ballast.stdin is not None and ballast.stdout is not None
        ballast.stdout.readline()
        trial.checkout.run()
        ballast.stdin.close()


def two_at_once(trial: Trial) -> None:
    """Run a second campaign in the same checkout, which must end too."""
    first, second = trial.checkout.start(), trial.checkout.start("d")
    second.wait()
    trial.checkout.end(first)
    trial.checkout.end(second, "d")


FAULTS: dict[str, Callable[[Trial], None]] = {
    "SIGKILL": killed(signal.SIGKILL),
    "SIGTERM": killed(signal.SIGTERM),
    "SIGINT": killed(signal.SIGINT),
    "killed in the first 6 s": killed_at_the_start,
    "Prefect server killed": server_killed,
    "git locks of the dead": dead_git,
    "git lock of a living git": living_git,
    "writes to a full disk": refused_writes(errno.ENOSPC),
    "writes to a read-only disk": refused_writes(errno.EROFS),
    "writes over quota": refused_writes(errno.EDQUOT),
    "git full": mounted(".git", "remount,size={full}"),
    "git read-only": mounted(".git", "remount,bind,ro"),
    "disk full": mounted("", "remount,size={full}"),
    "clock an hour back": clock_set_back,
    "suspended": suspended,
    "2 GB of memory": little_memory,
    "two campaigns": two_at_once,
}
