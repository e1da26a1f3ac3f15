"""A fresh clone in which a short campaign runs as a person would type it, and what it left."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from benchmarks.speed.fixed_cost import TRIVIAL

NAME = "c"
SETTINGS = ("num_versions=2", *TRIVIAL)
"""Two versions of the embedded math policy, with next to nothing to train on."""
MARK = "FAULTS_CHECKOUT"
"""Environment variable by which the processes of a checkout are known."""
WITHOUT = ("/costs/", "/receipt.json", "budget.json", "report/")
"""Clocks, costs and receipts differ between two runs of the same campaign."""
ORPHAN_SECONDS, POLL_SECONDS, MAX_SECONDS = 15.0, 0.05, 900.0


@dataclass(frozen=True)
class Ended:
    """How one command ended."""

    status: int
    text: str
    """What it printed on both streams."""

    @property
    def errors(self) -> list[str]:
        """The lines that a person takes for errors."""
        return [line for line in self.text.splitlines() if line.startswith(("error:", "Traceback", "fatal:"))]


@dataclass
class Checkout:
    """One clone and the processes that work in it."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)
    ended: list[Ended] = field(default_factory=list)
    orphans: int = 0

    def start(self, name: str = NAME) -> subprocess.Popen[str]:
        """Start the command; both streams go to a file."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PREFECT", "DVC", "GIT_"))}
        own = {"HOME": str(self.root.parent), "PYTHONPATH": str(self.root), "EVOTRAINER_PYTHON": sys.executable}
        with (self.root.parent / f"{self.root.name}.{name}.log").open("w") as log:
            return subprocess.Popen(
                [sys.executable, "-m", "cli.main", "campaign", "run", name, *SETTINGS],
                cwd=self.root,
                env={**kept, **own, MARK: str(self.root), **self.environment},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                text=True,
            )

    def end(self, process: subprocess.Popen[str], name: str = NAME) -> Ended:
        """Wait for a command and for all that it started; count what outlives it."""
        process.wait(timeout=MAX_SECONDS)
        text = (self.root.parent / f"{self.root.name}.{name}.log").read_text(errors="replace")
        ended = Ended(process.returncode, text)
        self.ended.append(ended)
        wait_until(lambda: not self.processes(), ORPHAN_SECONDS)
        left = self.processes()
        self.orphans += len(left)
        for one in left:
            one.kill()
        return ended

    def run(self) -> Ended:
        """Run the command to its end."""
        return self.end(self.start())

    def run_until(self, seconds: float, strike: Callable[[subprocess.Popen[str]], None]) -> Ended:
        """Start the command, do something to it after a while unless it has ended by then, and wait for its end."""
        process = self.start()
        if not wait_until(lambda: process.poll() is not None, seconds):
            strike(process)
        return self.end(process)

    def processes(self, word: str = "") -> list[psutil.Process]:
        """Return the processes that carry the checkout's mark, with a word in their command; sandboxes carry none."""
        found = psutil.process_iter(["status", "environ", "cmdline"])  # None where a process ended, or is another's
        return [
            one
            for one in found
            if (one.info["environ"] or {}).get(MARK) == str(self.root)
            and one.info["status"] != psutil.STATUS_ZOMBIE
            and word in " ".join(one.info["cmdline"] or [])
        ]

    def git(self, *words: str) -> str:
        """Return what a git command prints."""
        return subprocess.run(["git", *words], cwd=self.root, check=True, capture_output=True, text=True).stdout

    def left(self) -> dict[str, str]:
        """Return {path: hash} of what the campaign's branch holds, and its tags: two runs of one campaign agree."""
        lines = self.git("ls-tree", "-r", f"campaign/{NAME}").splitlines()
        found = {line.partition("\t")[2]: line.split()[2] for line in lines}
        tags = {f"tag {tag}": "" for tag in self.git("tag", "--list", f"version/{NAME}/*").split()}
        return {
            path: digest for path, digest in found.items() if not any(part in f"/{path}" for part in WITHOUT)
        } | tags


def make_template(main: Path, folder: Path) -> Path:
    """Clone the repository's last commit, with the module that can fail writes committed to it, once for each."""
    commit = subprocess.run(
        ["git", "rev-parse", "--short", "HEAD"], cwd=main, check=True, capture_output=True, text=True
    )
    root = folder / f"template-{commit.stdout.strip()}"
    if not root.is_dir():
        subprocess.run(["git", "clone", "--quiet", str(main), str(root)], check=True)
        shutil.copy(Path(__file__).with_name("failing_writes.py"), root / "sitecustomize.py")
        identity = ("-c", "user.name=bench", "-c", "user.email=bench@localhost")
        for words in (("add", "sitecustomize.py"), (*identity, "commit", "--quiet", "-m", "Writes that can fail")):
            subprocess.run(["git", *words], cwd=root, check=True)
    return root


def make_checkout(template: Path, name: str) -> Checkout:
    """Clone the template beside it, in place of an earlier clone."""
    root = template.parent / name
    shutil.rmtree(root, ignore_errors=True)
    subprocess.run(["git", "clone", "--quiet", str(template), str(root)], check=True)
    return Checkout(root)


def wait_until(is_so: Callable[[], object], seconds: float) -> bool:
    """Look until something is so, for a time at most; return whether it is."""
    end = time.monotonic() + seconds
    while not (found := is_so()) and time.monotonic() < end:
        time.sleep(POLL_SECONDS)  # processes of others tell nobody of their end
    return bool(found)
