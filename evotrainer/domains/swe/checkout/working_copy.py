"""A working copy in memory: what an episode edits. Creating one costs a copy of a dictionary, no disk.

It holds the working tree and the state of git of one episode, and shares the repository with all others. git is real
(git_command.py): it gets the files as they are, and what it makes of them comes back.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from evotrainer.domains.swe.checkout.files import OutsideError
from evotrainer.domains.swe.checkout.git_command import Command, GitState, run_command
from evotrainer.domains.swe.checkout.git_words import RefusedError, checked_words
from evotrainer.domains.swe.checkout.repository import MODE_FILE, MODE_LINK, Repository, Snapshot


@dataclass(frozen=True)
class Answer:
    """What a tool says, and whether it could do what it was asked."""

    text: str
    ok: bool = True


class WorkingCopy:
    """Files and git of one episode."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.files: dict[str, str] = dict(repository.files)
        self.modes: dict[str, str] = dict(repository.modes)
        self._git = GitState()

    @property
    def closed(self) -> frozenset[str]:
        """Links: they can be neither read nor written, and nothing below them, as where one leads is not in memory."""
        return frozenset(path for path, mode in self.modes.items() if mode == MODE_LINK)

    def read_all(self) -> Mapping[str, str]:
        """Return the working tree, path -> text, links left out."""
        closed = self.closed
        return {path: text for path, text in self.files.items() if path not in closed} if closed else self.files

    def changes(self) -> dict[str, str | None]:
        """Return what differs from the repository's files, path -> text or None for deleted, sorted by path."""
        base = self.repository.files
        changed = [path for path, text in self.files.items() if base.get(path) != text]
        deleted = [path for path in base if path not in self.files]
        return {path: self.files.get(path) for path in sorted([*changed, *deleted])}

    def git(self, arguments: str) -> Answer:
        """Answer a git command line, without the word git. Raises SandboxError where git cannot be run."""
        try:
            words = checked_words(arguments)
        except (RefusedError, OutsideError) as error:
            return Answer(str(error), ok=False)
        snapshot = Snapshot(self.repository, self.changes())
        result = run_command(Command(snapshot, self.modes, self._git, words))
        self._git = result.state
        for path, file in result.changes.items():
            self._take(path, *(file or (MODE_FILE, None)))
        return Answer(result.text, result.ok)

    def _take(self, path: str, mode: str, text: str | None) -> None:
        self.files.pop(path, None)
        self.modes.pop(path, None)
        if text is not None:
            self.files[path] = text
        if mode != MODE_FILE:
            self.modes[path] = mode
