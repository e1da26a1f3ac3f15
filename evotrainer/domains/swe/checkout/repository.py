"""The repository of one problem, as an episode meets it: the working tree, and the commits that may be seen.

A generated problem carries its files, the changes before it (`history`) and those that upstream made next (`future`,
the fix among them). Sanitised, which is the default, the future is not there at all: no object, no ref. Unsanitised it
stands as origin/main, as in a careless clone, and `git log --all` shows it. A repository is shared by all episodes of
its problem and never changed; its objects are written when git is first asked for.
"""

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from evotrainer.domains.swe.checkout.objects import (
    AUTHOR,
    COMMIT_INTERVAL_SECONDS,
    FIRST_COMMIT_SECONDS,
    Commit,
    MemoryObjects,
    Objects,
    encode,
)
from evotrainer.errors import DataError

BRANCH = "main"
HEAD_REF = f"refs/heads/{BRANCH}"
UPSTREAM_REF = f"refs/remotes/origin/{BRANCH}"
FIRST_MESSAGE = "Initial commit"


@dataclass(frozen=True)
class Store:
    """Objects with the refs that lead to them, ref -> commit id; `refs[HEAD_REF]` is what is checked out."""

    objects: Objects
    refs: Mapping[str, str]


class Repository:
    """Files at the time of the issue, and a store that is opened when git is first asked for."""

    def __init__(
        self,
        files: Mapping[str, str],
        modes: Mapping[str, str],
        open_store: Callable[[], Store],
        root: Path | None = None,
    ) -> None:
        """`modes`: of the files that are not plain ones, as git writes them (100755, 120000). `root`: where the same
        files lie on disk, if they do.
        """
        self.files, self.modes, self.root = files, modes, root
        self._open_store = open_store

    @cached_property
    def store(self) -> Store:
        """The objects and refs."""
        return self._open_store()

    @cached_property
    def key(self) -> str:
        """A hash of the files, by which results about them are kept."""
        digest = hashlib.sha1()
        for path in sorted(self.files):
            digest.update(encode(f"{path}\0{len(self.files[path])}\0{self.files[path]}"))
        return digest.hexdigest()


def history_of(files: Mapping[str, str], history: Sequence[Mapping[str, Any]], name: str) -> list[Mapping[str, Any]]:
    """Return the commits whose sum is `files`; one commit of all where no history is given."""
    if not history:
        return [{"message": FIRST_MESSAGE, "changes": files}]
    reached: dict[str, str] = {}
    for commit in history:
        apply_changes(reached, commit["changes"])
    if reached != files:
        paths = sorted(path for path in {*reached, *files} if reached.get(path) != files.get(path))
        raise DataError(f"problem {name}: its history does not lead to its files ({', '.join(paths[:3])}): mend it")
    return list(history)


def apply_changes(files: dict[str, str], changes: Mapping[str, str | None]) -> None:
    """Apply one commit's changes, path -> text or None for deleted, to `files` in place."""
    for path, text in changes.items():
        if text is None:
            files.pop(path, None)
        else:
            files[path] = text


def build_store(history: Sequence[Mapping[str, Any]], future: Sequence[Mapping[str, Any]]) -> Store:
    """Write the commits of a generated problem and return them with their refs."""
    objects, files, ids = MemoryObjects(), {}, []
    for number, commit in enumerate([*history, *future]):
        apply_changes(files, commit["changes"])
        parents = tuple(ids[-1:])
        ids.append(objects.write_commit(generated_commit(objects.write_files(files), parents, commit, number)))
    refs = {HEAD_REF: ids[len(history) - 1]}
    return Store(objects, refs | ({UPSTREAM_REF: ids[-1]} if future else {}))


def generated_commit(tree: str, parents: tuple[str, ...], commit: Mapping[str, Any], number: int) -> Commit:
    """Return the commit that stands at place `number` of a generated history."""
    who = f"{AUTHOR} {commit_seconds(number)} +0000"
    return Commit(tree, parents, who, who, f"{commit['message'].strip()}\n")


def commit_seconds(number: int) -> int:
    """Return when the commit at place `number` of a generated history was made."""
    return FIRST_COMMIT_SECONDS + number * COMMIT_INTERVAL_SECONDS
