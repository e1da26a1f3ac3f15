"""Commits and trees as an episode reads them: files by path, and what differs between two trees."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from evotrainer.domains.swe.checkout.objects import Commit, Entry, Objects, decode, decode_commit, decode_tree

MODE_LINK, MODE_SUBMODULE = "120000", "160000"


@dataclass(frozen=True)
class Blob:
    """One side of a changed file; None for no file."""

    mode: str
    object_id: str
    text: str


@dataclass(frozen=True)
class FileChange:
    """One file that differs between two states."""

    path: str
    old: Blob | None
    new: Blob | None


def read_commit(objects: Objects, commit: str) -> Commit:
    """Return a commit by its id."""
    return decode_commit(objects.read(commit)[1])


def entries(objects: Objects, tree: str, prefix: str = "") -> Iterator[tuple[str, Entry]]:
    """Yield (path, entry) of all files below a tree, in git's order."""
    for name, entry in decode_tree(objects.read(tree)[1]).items():
        path = f"{prefix}{name}"
        if entry.is_tree:
            yield from entries(objects, entry.object_id, f"{path}/")
        else:
            yield path, entry


def read_blob(objects: Objects, entry: Entry) -> Blob:
    """Return the blob of an entry; a submodule has none and reads as its commit."""
    if entry.mode == MODE_SUBMODULE:
        return Blob(entry.mode, entry.object_id, f"Subproject commit {entry.object_id}\n")
    return Blob(entry.mode, entry.object_id, decode(objects.read(entry.object_id)[1]))


def changed_entries(
    objects: Objects, old: str | None, new: str | None, prefix: str = ""
) -> Iterator[tuple[str, Entry | None, Entry | None]]:
    """Yield (path, old, new) of files that differ between two trees; equal subtrees are never read."""
    left = decode_tree(objects.read(old)[1]) if old else {}
    right = decode_tree(objects.read(new)[1]) if new else {}
    for name in sorted({*left, *right}):
        before, after = left.get(name), right.get(name)
        if before == after:
            continue
        path = f"{prefix}{name}"
        old_file = None if before is None or before.is_tree else before
        new_file = None if after is None or after.is_tree else after
        if old_file or new_file:
            yield path, old_file, new_file
        old_tree = before.object_id if before and before.is_tree else None
        new_tree = after.object_id if after and after.is_tree else None
        if old_tree or new_tree:
            yield from changed_entries(objects, old_tree, new_tree, f"{path}/")


def tree_changes(objects: Objects, old: str | None, new: str | None, paths: Sequence[str] = ()) -> list[FileChange]:
    """Return the files that differ between two trees, below `paths` where given, sorted by path."""
    changes = [
        FileChange(path, before and read_blob(objects, before), after and read_blob(objects, after))
        for path, before, after in changed_entries(objects, old, new)
        if matches(path, paths)
    ]
    return sorted(changes, key=lambda change: change.path)


def matches(path: str, paths: Sequence[str]) -> bool:
    """Return whether a path is one of `paths` or lies below one; all match where none is given."""
    return not paths or any(not place or path == place or path.startswith(f"{place}/") for place in paths)


def parent_tree(objects: Objects, commit: Commit) -> str | None:
    """Return the tree of a commit's first parent; None for a root."""
    return read_commit(objects, commit.parents[0]).tree if commit.parents else None


def find_entry(objects: Objects, tree: str, path: str) -> Entry | None:
    """Return the entry at a path below a tree, a folder's too; None where there is none."""
    entry = Entry("40000", tree)
    for name in path.split("/") if path else []:
        if not entry.is_tree:
            return None
        found = decode_tree(objects.read(entry.object_id)[1]).get(name)
        if found is None:
            return None
        entry = found
    return entry


def tree_files(objects: Objects, tree: str, paths: Sequence[str] = ()) -> dict[str, str]:
    """Return path -> text of the files of a tree, below `paths` where given."""
    return {path: read_blob(objects, entry).text for path, entry in entries(objects, tree) if matches(path, paths)}
