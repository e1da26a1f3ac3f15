"""The repository of one problem, as an episode meets it: the working tree, and the commits that may be seen.

A generated problem carries its files, the changes before it (`history`) and those that upstream made next (`future`,
the fix among them). Sanitised, which is the default, the future is not there at all: no object, no ref. Unsanitised it
stands as origin/main, as in a careless clone, and `git log --all` shows it. A repository is shared by all episodes of
its problem and its files never change; git makes its commits when it is first asked.
"""

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from evotrainer.domains.swe.checkout.files import encode, excess

AUTHOR_NAME, AUTHOR_EMAIL = "Dev", "dev@example.com"
MODE_FILE, MODE_LINK = "100644", "120000"
BRANCH = "main"
HEAD_REF = f"refs/heads/{BRANCH}"
UPSTREAM_REF = f"refs/remotes/origin/{BRANCH}"
FIRST_MESSAGE = "Initial commit"
FIRST_COMMIT_SECONDS, COMMIT_INTERVAL_SECONDS = 1_704_067_200, 3600
"""Commits of generated histories stand an hour apart, from 2024-01-01T00:00:00Z on."""
_HEAD_FILE = {"HEAD": b64encode(f"ref: {HEAD_REF}\n".encode()).decode()}


class Repository:
    """Files at the time of the issue, and where their commits come from: within the problem, or on disk."""

    bare: Path | None = None
    """A bare repository that holds the objects, if one does."""
    git_start: Mapping[str, str] | None = None
    """What .git holds at the start of an episode, path -> base64, once git has made it."""
    packages: Path | None = None
    """A folder of installed packages that its tests import from first, if the problem names one."""

    def __init__(
        self, files: Mapping[str, str], history: Sequence[Mapping[str, Any]], future: Sequence[Mapping[str, Any]]
    ) -> None:
        """`files`: the sum of `history`."""
        self.files = files
        self.modes: Mapping[str, str] = {}
        """Of the files that are not plain ones, as git writes them (100755, 120000)."""
        self.root: Path | None = None
        """Where the same files lie on disk, if they do."""
        self.seconds = FIRST_COMMIT_SECONDS + (len(history) - 1) * COMMIT_INTERVAL_SECONDS
        """When the commit that is checked out was made."""
        self._history, self._future = history, future

    @property
    def commits(self) -> str | None:
        """The commits as `git fast-import` reads them; None where `bare` holds them."""
        return "".join(_import_stream(self._history, self._future))

    @property
    def bare_files(self) -> Mapping[str, str]:
        """What .git needs beside commits and objects, path -> base64."""
        return _HEAD_FILE

    @cached_property
    def key(self) -> str:
        """A hash of the files, by which results about them are kept."""
        digest = hashlib.sha1()
        for path in sorted(self.files):
            digest.update(encode(f"{path}\0{len(self.files[path])}\0{self.files[path]}"))
        if self.packages is not None:
            digest.update(encode(f"\0{self.packages}"))
        return digest.hexdigest()


def _import_stream(history: Sequence[Mapping[str, Any]], future: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    """Yield the commits, an hour apart, as `git fast-import` reads them."""
    for number, commit in enumerate([*history, *future]):
        ref = HEAD_REF if number < len(history) else UPSTREAM_REF
        seconds = FIRST_COMMIT_SECONDS + number * COMMIT_INTERVAL_SECONDS
        yield f"commit {ref}\nmark :{number + 1}\ncommitter {AUTHOR_NAME} <{AUTHOR_EMAIL}> {seconds} +0000\n"
        yield _data(f"{commit['message'].strip()}\n")
        yield f"from :{number}\n" if number else ""
        for path, text in commit["changes"].items():
            yield f"D {_quoted(path)}\n" if text is None else f"M {MODE_FILE} inline {_quoted(path)}\n{_data(text)}"


def _data(text: str) -> str:
    return f"data {len(encode(text))}\n{text}\n"


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'


@dataclass(frozen=True)
class Snapshot:
    """A repository with changes, path -> text or None for deleted."""

    repository: Repository
    changes: Mapping[str, str | None]
    hidden: frozenset[str] = frozenset()
    """Paths among the changes that are not the attempt's but its judges: no code of the repository may read them."""

    @cached_property
    def files(self) -> dict[str, str]:
        """All files, path -> text."""
        merged = {**self.repository.files, **self.changes}
        return {path: text for path, text in merged.items() if text is not None}

    @cached_property
    def excess(self) -> str | None:
        """Why the attempt's changes cannot be put on a disk (files.py), or None."""
        own = {path: text for path, text in self.changes.items() if path not in self.hidden}
        return excess(self.repository.files, own)

    @cached_property
    def key(self) -> str:
        """A hash of the state: equal keys are equal files, hidden alike."""
        digest = hashlib.sha1(self.repository.key.encode())
        for path in sorted(self.changes):
            text = self.changes[path]
            if text != self.repository.files.get(path):
                digest.update(b"\0-" + encode(path) if text is None else encode(f"\0+{path}\0{len(text)}\0{text}"))
        for path in sorted(self.hidden):
            digest.update(encode(f"\0?{path}"))
        return digest.hexdigest()

    def with_changes(self, changes: Mapping[str, str | None]) -> "Snapshot":
        """Return the snapshot with further changes on top."""
        return replace(self, changes={**self.changes, **changes})

    def with_hidden(self, files: Mapping[str, str | None]) -> "Snapshot":
        """Return the snapshot with hidden files on top."""
        return Snapshot(self.repository, {**self.changes, **files}, self.hidden | files.keys())

    def restored(self, paths: Iterable[str]) -> "Snapshot":
        """Return the snapshot with these paths as the repository has them."""
        dropped = set(paths)
        return replace(self, changes={path: text for path, text in self.changes.items() if path not in dropped})
