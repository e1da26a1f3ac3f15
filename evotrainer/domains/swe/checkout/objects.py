"""Git objects as bytes: blobs, trees and commits under the very ids that real git gives them.

So that an id which a policy saw in an episode names the same commit in a real checkout of the same problem. Texts are
UTF-8; bytes that are none survive as surrogates. Format: the git book, chapter 10.2.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

MODE_FILE, MODE_TREE = "100644", "40000"
AUTHOR = "Dev <dev@example.com>"
FIRST_COMMIT_SECONDS, COMMIT_INTERVAL_SECONDS = 1_704_067_200, 3600
"""Commits of generated histories stand an hour apart, from 2024-01-01T00:00:00Z on."""


@dataclass(frozen=True)
class Entry:
    """One line of a tree."""

    mode: str
    object_id: str

    @property
    def is_tree(self) -> bool:
        """Whether it is a directory."""
        return self.mode == MODE_TREE


@dataclass(frozen=True)
class Commit:
    """One commit. `author` and `committer` hold name, address, seconds and zone, as git writes them."""

    tree: str
    parents: tuple[str, ...]
    author: str
    committer: str
    message: str


class Objects(Protocol):
    """Where objects are read from."""

    def read(self, object_id: str) -> tuple[str, bytes]:
        """Return kind and bytes; raises KeyError where there is none."""
        ...

    def complete(self, prefix: str) -> list[str]:
        """Return the ids that start with at least four digits."""
        ...


class MemoryObjects:
    """Objects in memory."""

    def __init__(self) -> None:
        self._objects: dict[str, tuple[str, bytes]] = {}

    def read(self, object_id: str) -> tuple[str, bytes]:
        """Return kind and bytes; raises KeyError where there is none."""
        return self._objects[object_id]

    def complete(self, prefix: str) -> list[str]:
        """Return the ids that start with `prefix`, sorted."""
        return sorted(name for name in self._objects if name.startswith(prefix))

    def write(self, kind: str, data: bytes) -> str:
        """Keep an object and return its id."""
        name = object_id(kind, data)
        self._objects[name] = (kind, data)
        return name

    def write_files(self, files: Mapping[str, str], modes: Mapping[str, str] | None = None) -> str:
        """Keep the tree of a whole working copy, path -> text, and return its id."""
        top: dict[str, Any] = {}
        for path, text in files.items():
            *folders, name = path.split("/")
            place = top
            for folder in folders:
                place = place.setdefault(folder, {})
            place[name] = Entry((modes or {}).get(path, MODE_FILE), self.write("blob", encode(text)))
        return self._write_tree(top)

    def _write_tree(self, folder: Mapping[str, Any]) -> str:
        entries = {
            name: child if isinstance(child, Entry) else Entry(MODE_TREE, self._write_tree(child))
            for name, child in folder.items()
        }
        return self.write("tree", encode_tree(entries))

    def write_commit(self, commit: Commit) -> str:
        """Keep a commit and return its id."""
        return self.write("commit", encode_commit(commit))


def object_id(kind: str, data: bytes) -> str:
    """Return the id of an object."""
    return hashlib.sha1(b"%s %d\0%s" % (kind.encode(), len(data), data)).hexdigest()


def blob_id(text: str) -> str:
    """Return the id of a file's text."""
    return object_id("blob", encode(text))


def encode(text: str) -> bytes:
    """Return a file's bytes."""
    return text.encode("utf-8", "surrogateescape")


def is_text(text: str) -> bool:
    """Return whether a text has bytes at all: half of a surrogate pair, which JSON can write, has none."""
    try:
        encode(text)
    except UnicodeEncodeError:
        return False
    return True


def decode(data: bytes) -> str:
    """Return a file's text; `encode` gives the same bytes back."""
    return data.decode("utf-8", "surrogateescape")


def encode_tree(entries: Mapping[str, Entry]) -> bytes:
    """Return a tree's bytes: git sorts a directory as if its name ended in a slash."""
    ordered = sorted(entries.items(), key=lambda item: encode(item[0] + "/" * item[1].is_tree))
    return b"".join(
        b"%s %s\0%s" % (entry.mode.encode(), encode(name), bytes.fromhex(entry.object_id)) for name, entry in ordered
    )


@lru_cache(maxsize=4096)
def decode_tree(data: bytes) -> dict[str, Entry]:
    """Return a tree's entries by name, in git's order. The result is shared: do not change it."""
    entries, start = {}, 0
    while start < len(data):
        space = data.index(b" ", start)
        end = data.index(b"\0", space)
        entries[decode(data[space + 1 : end])] = Entry(data[start:space].decode(), data[end + 1 : end + 21].hex())
        start = end + 21
    return entries


def encode_commit(commit: Commit) -> bytes:
    """Return a commit's bytes."""
    lines = [f"tree {commit.tree}", *(f"parent {parent}" for parent in commit.parents)]
    return encode("\n".join([*lines, f"author {commit.author}", f"committer {commit.committer}", "", commit.message]))


def decode_commit(data: bytes) -> Commit:
    """Return a commit; headers beyond those of Commit, a signature say, are left out."""
    head, _, message = decode(data).partition("\n\n")
    values: dict[str, list[str]] = {}
    for line in head.split("\n"):
        name, _, value = line.partition(" ")
        values.setdefault(name, []).append(value)
    return Commit(
        values["tree"][0], tuple(values.get("parent", ())), values["author"][0], values["committer"][0], message
    )
