"""One state of a repository's files: what is shared with others, and what differs from it. Tests run on snapshots."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property

from evotrainer.repositories.objects import encode
from evotrainer.repositories.repository import Repository


@dataclass(frozen=True)
class Snapshot:
    """A repository with changes, path -> text or None for deleted."""

    repository: Repository
    changes: Mapping[str, str | None]

    @cached_property
    def files(self) -> dict[str, str]:
        """All files, path -> text."""
        merged = {**self.repository.files, **self.changes}
        return {path: text for path, text in merged.items() if text is not None}

    @cached_property
    def key(self) -> str:
        """A hash of the state: equal keys are equal files."""
        digest = hashlib.sha1(self.repository.key.encode())
        for path in sorted(self.changes):
            text = self.changes[path]
            if text != self.repository.files.get(path):
                digest.update(b"\0-" + encode(path) if text is None else encode(f"\0+{path}\0{len(text)}\0{text}"))
        return digest.hexdigest()

    def with_changes(self, changes: Mapping[str, str | None]) -> "Snapshot":
        """Return the snapshot with further changes on top."""
        return Snapshot(self.repository, {**self.changes, **changes})

    def restored(self, paths: Iterable[str]) -> "Snapshot":
        """Return the snapshot with these paths as the repository has them."""
        dropped = set(paths)
        return Snapshot(self.repository, {path: text for path, text in self.changes.items() if path not in dropped})
