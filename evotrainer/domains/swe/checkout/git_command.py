"""One git command of an episode: real git, in the sandbox, in a checkout made for it.

What .git holds between two commands travels as a value (`GitState`), so that an episode has no folder, two episodes
never meet, and a command with its state before always has the same answer: that answer is remembered in the process.
The checkout costs a few milliseconds for a small repository; one on disk is copied file by file for each command.

git has one configuration and one environment: nothing of the machine or its user.
"""

import hashlib
import json
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

from evotrainer.domains.swe.checkout.files import space
from evotrainer.domains.swe.checkout.git_words import WRITING
from evotrainer.domains.swe.checkout.host_git import ENVIRONMENT
from evotrainer.domains.swe.checkout.repository import (
    AUTHOR_EMAIL,
    AUTHOR_NAME,
    COMMIT_INTERVAL_SECONDS,
    MODE_FILE,
    Snapshot,
)
from evotrainer.errors import GraderError, SandboxError
from evotrainer.sandbox import Execution, Limits, Program, Sandbox
from evotrainer.sandbox.namespaces import readable_paths
from evotrainer.sandbox.program import calling
from evotrainer.sandbox.sandbox import shared_sandbox

_SETTINGS = {
    "core": "repositoryformatversion=0 bare=false logAllRefUpdates=true abbrev=7 hooksPath=/dev/null fsmonitor=false "
    "attributesFile=/dev/null excludesFile=/dev/null pager=cat autocrlf=false fsync=none "
    "packedGitWindowSize=32m packedGitLimit=256m",
    "advice": "detachedHead=false statusHints=false resetNoRefresh=false addIgnoredFile=false addEmptyPathspec=false "
    "mergeConflict=false sequencerInUse=false",
    "branch": "autoSetupMerge=false",
    "commit": "gpgSign=false",
    "fastimport": "unpackLimit=0",
    "fetch": "recurseSubmodules=false",
    "gc": "auto=0",
    "grep": "threads=1",
    "index": "threads=1",
    "log": "showSignature=false",
    "maintenance": "auto=false",
    "pack": "threads=1",
    "protocol": "allow=never",
    "submodule": "recurse=false",
    "user": "useConfigOnly=true",
}
CONFIG = "".join(
    f"[{section}]\n" + "".join(f"\t{pair.replace('=', ' = ')}\n" for pair in pairs.split())
    for section, pairs in _SETTINGS.items()
)
"""The file .git/config of a checkout. No command line that is taken changes it, and no tool can."""


def environment(seconds: int) -> dict[str, str]:
    """Return the environment of a command that is given at a time, in seconds since 1970."""
    who = {"NAME": AUTHOR_NAME, "EMAIL": AUTHOR_EMAIL, "DATE": f"{seconds} +0000"}
    return {
        **ENVIRONMENT,
        **{f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()},
        "GIT_TEST_DATE_NOW": str(seconds),  # git's own clock for relative dates
        "GIT_EDITOR": ":",
        "GIT_PAGER": "cat",
    }


CPU_SECONDS, WALL_SECONDS = 10.0, 60.0
"""Of one command, the making of its checkout included."""
OUTPUT_BYTES = 256 * 1024
"""What is kept of an answer; a policy is shown `max_observation_chars` of it."""
STATE_BYTES = 48 * 1024**2
"""What .git and the changed files may hold after a command, as base64."""
MEMORY_BYTES, FILE_BYTES = 2 * 1024**3, 128 * 1024**2
_REMEMBERED = 256
_INSIDE = "evotrainer.domains.swe.checkout.git_inside"

File = tuple[str, str]
"""Mode, as git writes it, and text."""


@dataclass(frozen=True)
class GitState:
    """What .git of an episode holds, path -> base64; None before the first command. `key` says how it came about."""

    files: Mapping[str, str] | None = None
    num_commands: int = 0
    key: str = ""


@dataclass(frozen=True)
class GitResult:
    """What git said, whether it ended well, what .git holds now, and which files it changed (None: gone)."""

    text: str
    ok: bool
    state: GitState
    changes: Mapping[str, File | None]


class Command:
    """A command with all that its answer follows from. Equal where these are: a hash of the files stands for them."""

    def __init__(self, snapshot: Snapshot, modes: Mapping[str, str], state: GitState, words: tuple[str, ...]) -> None:
        """`modes`: of the files that are not plain ones."""
        self.snapshot, self.modes, self.state, self.words = snapshot, modes, state, words
        parts = [state.key, snapshot.key, sorted(modes.items()), words]
        self.key = hashlib.sha256(json.dumps(parts).encode()).hexdigest()

    def __hash__(self) -> int:
        return hash(self.key)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Command)
            and self.key == other.key
            and self.snapshot.repository is other.snapshot.repository
        )

    @property
    def next_state(self) -> GitState:
        """The state after a command that left .git as it was: time has passed."""
        return GitState(self.state.files, self.state.num_commands + 1, self.key)


@lru_cache(maxsize=_REMEMBERED)
def run_command(command: Command) -> GitResult:
    """Run a checked command line, or return what it did before.

    Raises SandboxError where git cannot be run, GraderError where it refuses the commits of the problem.
    """
    execution = _execute(command)
    if execution.outcome == "timeout":
        text = f"error: git was stopped after {CPU_SECONDS:g} s, nothing was changed: ask for less"
        return GitResult(text, False, command.next_state, {})
    if execution.outcome == "output_limit" or (execution.outcome == "ok" and "full" in execution.value):
        text = f"error: no space left: .git and changed files hold at most {STATE_BYTES} bytes, nothing was changed"
        return GitResult(text, False, command.next_state, {})
    if execution.outcome != "ok":
        reason = (execution.stderr.strip() or execution.outcome).splitlines()[-1]
        raise SandboxError(f"git could not run in the sandbox: {reason}")
    return _result(command, execution.value)


def _result(command: Command, answer: Mapping[str, Any]) -> GitResult:
    if "failed" in answer:
        raise GraderError(f"git refuses the commits of a problem: {answer['failed'].strip()}")
    repository = command.snapshot.repository
    repository.git_start = answer.get("start", repository.git_start)
    state = GitState(answer.get("state", command.state.files), command.state.num_commands + 1, command.key)
    changes = {path: file and (file[0], file[1]) for path, file in answer.get("changes", {}).items()}
    said, status = answer["out"] + answer["err"], answer["status"]
    silent = "(no output)" if status == 0 else f"(no output, exit status {status})"
    return GitResult(said or silent, status == 0, state, changes)


def _execute(command: Command) -> Execution:
    snapshot, state = command.snapshot, command.state
    repository = snapshot.repository
    kept = repository.git_start if state.files is None else state.files
    binary, paths = _program()
    request = {
        "program": binary,
        "words": command.words,
        "environment": environment(repository.seconds + (state.num_commands + 1) * COMMIT_INTERVAL_SECONDS),
        "config": CONFIG,
        "commits": repository.commits if kept is None else None,
        "state": repository.bare_files if kept is None else kept,
        "is_first": kept is None,
        "alternates": repository.bare and str(repository.bare / "objects"),
        "base": repository.root and str(repository.root),
        "files": _placed(command),
        "is_writing": command.words[0] in WRITING,
        "output_bytes": OUTPUT_BYTES,
    }
    limits = Limits(CPU_SECONDS, WALL_SECONDS, MEMORY_BYTES, STATE_BYTES, FILE_BYTES + 2 * space(snapshot.files))
    program = Program(calling(_INSIDE, "run"), function="run", arguments=(request,), can_execute=True)
    return _sandbox(repository.root, paths).run(program, limits)


def _placed(command: Command) -> dict[str, File | None]:
    """Return the files to write: all, or over those of a repository on disk what differs from it."""
    snapshot, modes = command.snapshot, command.modes
    base = snapshot.repository.modes
    paths = {*snapshot.changes, *(path for path in {*modes, *base} if modes.get(path) != base.get(path))}
    wanted = snapshot.files if snapshot.repository.root is None else sorted(paths)
    return {
        path: (modes.get(path, MODE_FILE), snapshot.files[path]) if path in snapshot.files else None for path in wanted
    }


@cache
def _program() -> tuple[str, tuple[str, ...]]:
    """Return git's own binary and what a sandbox must show beyond the system's libraries to run it."""
    try:
        done = subprocess.run(["git", "--exec-path"], capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise SandboxError(f"git could not be run: install git 2.34 or newer ({error})") from None
    folder = Path(done.stdout.strip())
    binary = (folder / "git").resolve()
    shown = readable_paths(())
    outside = [place for place in (folder, binary) if not any(place.is_relative_to(path) for path in shown)]
    return str(folder / "git"), tuple(str(place) for place in outside)


def _sandbox(root: Path | None, paths: tuple[str, ...]) -> Sandbox:
    """Return the process's sandbox; one of its own for a repository on disk, which it may read."""
    wanted = (*paths, *([str(root.parent)] if root else []))
    return shared_sandbox(readable_paths=wanted, own_modules=(_INSIDE,))
