"""One state of a repository's files: what is shared with others, and what differs from it. Tests run on snapshots."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from evotrainer.domains.swe.checkout.files import encode, excess
from evotrainer.domains.swe.checkout.repository import Repository


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
        return Snapshot(self.repository, {**self.changes, **changes}, self.hidden)

    def with_hidden(self, files: Mapping[str, str | None]) -> "Snapshot":
        """Return the snapshot with hidden files on top."""
        return Snapshot(self.repository, {**self.changes, **files}, self.hidden | files.keys())

    def restored(self, paths: Iterable[str]) -> "Snapshot":
        """Return the snapshot with these paths as the repository has them."""
        dropped = set(paths)
        return Snapshot(
            self.repository, {path: text for path, text in self.changes.items() if path not in dropped}, self.hidden
        )
