"""A working copy in memory: what an episode edits. Creating one costs a copy of two dictionaries, no disk.

It holds the working tree, git's index, refs, reflog and stashes of one episode, and shares the repository with all
others. Paths are relative, with slashes; what would leave the repository, or enter .git, is refused by `inside`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from evotrainer.domains.swe.checkout.objects import (
    AUTHOR,
    COMMIT_INTERVAL_SECONDS,
    MODE_FILE,
    Commit,
    MemoryObjects,
    Objects,
    decode_commit,
    encode,
    is_text,
)
from evotrainer.domains.swe.checkout.repository import HEAD_REF, Repository

MAX_PATH_BYTES = 200


class OutsideError(ValueError):
    """A path that leaves the repository or enters .git; the message is what the policy is told."""


@dataclass(frozen=True)
class Stash:
    """One entry of the stash: the commit, and the message that `git stash list` shows."""

    commit: str
    message: str


class WorkingCopy:
    """Files and git state of one episode."""

    def __init__(self, repository: Repository) -> None:
        self.repository = repository
        self.files: dict[str, str] = dict(repository.files)
        self._git: GitState | None = None

    @property
    def git(self) -> "GitState":
        """Index, refs, reflog and stashes; made when git is first asked for."""
        if self._git is None:
            self._git = GitState(self.repository)
        return self._git

    def mode(self, path: str) -> str:
        """Return the mode of a file as git writes it."""
        return self.repository.modes.get(path, MODE_FILE)

    def changes(self) -> dict[str, str | None]:
        """Return what differs from the repository's files, path -> text or None for deleted, sorted by path."""
        base = self.repository.files
        changed = [path for path, text in self.files.items() if base.get(path) != text]
        deleted = [path for path in base if path not in self.files]
        return {path: self.files.get(path) for path in sorted([*changed, *deleted])}


class GitState:
    """What .git of one episode would hold beside the shared objects."""

    def __init__(self, repository: Repository) -> None:
        store = repository.store
        self.new_objects = MemoryObjects()
        self.objects: Objects = LayeredObjects(self.new_objects, store.objects)
        self.refs: dict[str, str] = dict(store.refs)
        self.head_ref: str | None = HEAD_REF
        """The branch that is checked out; None when HEAD is detached."""
        self.head: str = store.refs[HEAD_REF]
        self.detached_at: tuple[str, str] = ("", self.head)
        """What was named when HEAD left its branch, and the commit that it was."""
        self.base_tree = decode_commit(store.objects.read(self.head)[1]).tree
        self.index: dict[str, str] = dict(repository.files)
        self.stashes: list[Stash] = []
        """The newest first."""
        self.reflog: list[tuple[str, str]] = []
        """(commit, message), the newest first."""
        self._seconds = int(decode_commit(store.objects.read(self.head)[1]).committer.split()[-2])

    def who(self) -> str:
        """Return the author of the next commit of the episode: each command stands an hour after the one before."""
        return f"{AUTHOR} {self._seconds} +0000"

    def pass_time(self) -> None:
        """Let an hour pass."""
        self._seconds += COMMIT_INTERVAL_SECONDS

    def write_commit(
        self, files: Mapping[str, str], modes: Mapping[str, str], parents: Sequence[str], text: str, author: str = ""
    ) -> str:
        """Keep a commit of these files and return its id; by the author of the episode where none is given."""
        tree = self.new_objects.write_files(files, modes)
        message = text if text.endswith("\n") else f"{text}\n"
        return self.new_objects.write_commit(Commit(tree, tuple(parents), author or self.who(), self.who(), message))

    def move(self, commit: str, message: str) -> None:
        """Let HEAD, and the branch that it stands on, point to a commit; the reflog says why."""
        self.head = commit
        if self.head_ref:
            self.refs[self.head_ref] = commit
        self.reflog.insert(0, (commit, message))


class LayeredObjects:
    """The objects of one episode above those of its repository."""

    def __init__(self, upper: Objects, lower: Objects) -> None:
        self._layers = (upper, lower)

    def read(self, object_id: str) -> tuple[str, bytes]:
        """Return kind and bytes; raises KeyError where there is none."""
        try:
            return self._layers[0].read(object_id)
        except KeyError:
            return self._layers[1].read(object_id)

    def complete(self, prefix: str) -> list[str]:
        """Return the ids that start with `prefix`, sorted."""
        return sorted({name for layer in self._layers for name in layer.complete(prefix)})


def inside(path: str, *, is_folder: bool = False) -> str:
    """Return a path in its plain form; raises OutsideError for one outside. A folder may be empty: the top."""
    if "\0" in path or "\n" in path or not is_text(path) or len(encode(path)) > MAX_PATH_BYTES:
        raise OutsideError("bad path")
    pure = PurePosixPath(path.strip())
    parts = [part for part in pure.parts if part != "."]
    if pure.is_absolute() or ".." in parts or path.startswith("~"):
        raise OutsideError("path is outside the repository")
    if ".git" in (part.lower() for part in parts):
        raise OutsideError(".git cannot be opened, use the git tool")
    if not parts and not is_folder:
        raise OutsideError("path is missing")
    return "/".join(parts)


def below(files: Mapping[str, str], folder: str) -> list[str]:
    """Return the paths in a folder, or the one that it names, sorted; all for the empty folder."""
    return sorted(path for path in files if not folder or path == folder or path.startswith(f"{folder}/"))
