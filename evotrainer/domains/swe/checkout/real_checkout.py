"""A real checkout with real git, in a folder of its own: what the audit replays an episode in.

Its commits are made by git itself, from the problem's history (`git fast-import`), or are those of the sanitised clone.
Beside it runs the working copy in memory: a git command that this refuses is not given to real git either, which has
options that run programs. `differences` tells where the two came apart.
"""

import os
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from evotrainer.domains.swe.checkout.git.options import split
from evotrainer.domains.swe.checkout.git.patches import quoted
from evotrainer.domains.swe.checkout.git_process import checked_git, run_git_process
from evotrainer.domains.swe.checkout.memory_checkout import MemoryPlace
from evotrainer.domains.swe.checkout.objects import decode, encode
from evotrainer.domains.swe.checkout.opening import open_repository
from evotrainer.domains.swe.checkout.repository import (
    AUTHOR,
    BRANCH,
    HEAD_REF,
    UPSTREAM_REF,
    commit_seconds,
    history_of,
)
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy
from evotrainer.domains.swe.tools.calls import Answer
from evotrainer.errors import GraderError
from evotrainer.records import Problem

_SHORT = frozenset({"-s", "--short", "--porcelain", "-sb"})
"""Without one of these, `git status` is answered as `git status --short --branch`."""


class RealPlace:
    """Files and git of a checkout in `folder`, which must be empty."""

    def __init__(self, problem: Problem, folder: Path, sanitize: bool) -> None:
        """Make the checkout; raises GraderError where git fails, or gives other commits than the emulation."""
        self._folder = folder
        self._shadow = MemoryPlace(WorkingCopy(open_repository(problem, sanitize)))
        self.closed, self.base = self._shadow.closed, self._shadow.base
        self.differences: list[str] = []
        _check_out(problem, folder, sanitize)
        self._compare_commits()

    def read_all(self) -> Mapping[str, str]:
        """Return the working tree, links left out."""
        found = {}
        for folder, folders, names in os.walk(self._folder):
            folders[:] = [name for name in folders if name != ".git" and not (Path(folder) / name).is_symlink()]
            for name in names:
                path = Path(folder) / name
                if not path.is_symlink():
                    found[path.relative_to(self._folder).as_posix()] = decode(path.read_bytes())
        return found

    def write(self, path: str, text: str) -> None:
        """Write a file, here and in the shadow."""
        place = self._folder / path
        if not place.parent.resolve().is_relative_to(self._folder.resolve()):
            raise GraderError(f"{path} leads out of the checkout")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(encode(text))
        self._shadow.write(path, text)

    def git(self, arguments: str) -> Answer:
        """Answer a git command line by real git, where the emulation takes it."""
        return self.git_twice(arguments)[1]

    def git_twice(self, arguments: str) -> tuple[Answer, Answer]:
        """Return the answers of the emulation and of real git; the same one twice where the first is a refusal."""
        copy = self._shadow.copy
        emulated = self._shadow.git(arguments)
        if not emulated.ok:
            return emulated, emulated
        words = split(arguments)
        name, *rest = words
        date = copy.git.who().split("> ")[1]
        who = {"NAME": AUTHOR.partition(" <")[0], "EMAIL": AUTHOR.partition("<")[2].rstrip(">"), "DATE": date}
        extra = {f"GIT_{role}_{key}": value for role in ("AUTHOR", "COMMITTER") for key, value in who.items()}
        more = ("--short", "--branch") if name == "status" and _SHORT.isdisjoint(rest) else ()
        ended = run_git_process(self._folder, [name, *more, *rest], extra=extra)
        said = decode(ended.stdout + ended.stderr)
        if ended.returncode != 0:
            self.differences.append(f"git {arguments}: real git refuses it: {said.strip().partition(chr(10))[0]}")
        return emulated, Answer(said or "(no output)", ended.returncode == 0)

    def check(self) -> None:
        """Note where the files of the checkout and of the emulation differ."""
        real, emulated = self.read_all(), self._shadow.read_all()
        paths = sorted(path for path in {*real, *emulated} if real.get(path) != emulated.get(path))
        self.differences += [f"{path} differs between the checkout and the emulation" for path in paths]

    def _compare_commits(self) -> None:
        state = self._shadow.copy.git
        head = checked_git(self._folder, "rev-parse", "HEAD").decode().strip()
        if head != state.head:
            raise GraderError(f"the checkout's commit is {head}, the emulation's {state.head}: one of them is wrong")


def _check_out(problem: Problem, folder: Path, sanitize: bool) -> None:
    data = problem.data
    checked_git(folder, "init", "--quiet", f"--initial-branch={BRANCH}", ".")
    if "repository" in data:
        repository = open_repository(problem, sanitize)
        assert repository.root is not None
        source = repository.root.parent / "objects.git"
        pack = checked_git(source, "pack-objects", "--all", "--stdout", "--quiet")
        checked_git(folder, "index-pack", "--stdin", data=pack)
        if (source / "shallow").is_file():
            (folder / ".git" / "shallow").write_bytes((source / "shallow").read_bytes())
        for ref, name in repository.store.refs.items():
            checked_git(folder, "update-ref", ref, name)
    else:
        history = history_of(data["files"], data.get("history") or [], problem.problem_id)
        future = [] if sanitize else data.get("future") or []
        checked_git(folder, "fast-import", "--quiet", data=b"".join(_stream(history, future)))
    checked_git(folder, "reset", "--quiet", "--hard")
    checked_git(folder, "reflog", "expire", "--expire=all", "--all")


def _stream(history: Sequence[Mapping[str, Any]], future: Sequence[Mapping[str, Any]]) -> Iterator[bytes]:
    """Yield the commits as `git fast-import` reads them."""
    for number, commit in enumerate([*history, *future]):
        ref = HEAD_REF if number < len(history) else UPSTREAM_REF
        text = encode(f"{commit['message'].strip()}\n")
        yield encode(f"commit {ref}\nmark :{number + 1}\ncommitter {AUTHOR} {commit_seconds(number)} +0000\n")
        yield b"data %d\n%s\n" % (len(text), text)
        if number:
            yield b"from :%d\n" % number
        for path, content in commit["changes"].items():
            if content is None:
                yield encode(f"D {quoted(path)}\n")
            else:
                data = encode(content)
                yield encode(f"M 100644 inline {quoted(path)}\n") + b"data %d\n%s\n" % (len(data), data)
