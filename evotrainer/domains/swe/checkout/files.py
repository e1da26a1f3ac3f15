"""Files of a repository as tools and tests take them: their bytes, their paths, and how much may be written.

Texts are UTF-8, with bytes that are none kept as surrogates. Paths are relative, with slashes, never out of the tree
nor into .git.

What an attempt's own files exhaust or bring into each other's way is the attempt's failure: the tool that writes
refuses, and a state that git made of states within bounds runs no test. The sandbox has room for more than this
(`space`), so that a file which cannot be placed there is always the machine's failure.
"""

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from pathlib import PurePosixPath

MAX_PATH_BYTES = 200
MAX_ENTRIES = 1000
"""New files and folders."""
MAX_BYTES = 8 * 1024**2
"""Of all files that are new or changed."""
_PAGE_BYTES, _MAX_CHARACTER_BYTES = 4096, 4


def blob_id(text: str) -> str:
    """Return the id of a file's text (the git book, chapter 10.2)."""
    data = encode(text)
    return hashlib.sha1(b"blob %d\0%s" % (len(data), data)).hexdigest()


def encode(text: str) -> bytes:
    """Return a file's bytes."""
    return text.encode("utf-8", "surrogateescape")


def decode(data: bytes) -> str:
    """Return a file's text; `encode` gives the same bytes back."""
    return data.decode("utf-8", "surrogateescape")


def is_text(text: str) -> bool:
    """Return whether a text has bytes at all: half of a surrogate pair, which JSON can write, has none."""
    try:
        encode(text)
    except UnicodeEncodeError:
        return False
    return True


class OutsideError(ValueError):
    """A path that leaves the repository or enters .git; the message is what the policy reads."""


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


def excess(base: Mapping[str, str], changes: Mapping[str, str | None]) -> str | None:
    """Return why changes, path -> text or None for deleted, do not fit beside `base`, in a line; None where they do."""
    written = {path: text for path, text in changes.items() if text is not None}
    if sum(len(encode(text)) for text in written.values()) > MAX_BYTES:
        return f"no space left: changed files hold at most {MAX_BYTES} bytes"
    new = {entry for path in written if path not in base for entry in (path, *folders(path))}
    if len(new) > MAX_ENTRIES and len(new - {entry for path in base for entry in folders(path)}) > MAX_ENTRIES:
        return f"no space left: at most {MAX_ENTRIES} new files and folders"
    others = [path for path in base if path not in changes]
    blocked = sorted(in_the_way(written, [*others, *written]))
    return f"{blocked[0]} lies in a file, or is a folder" if blocked else None


def in_the_way(written: Iterable[str], others: Iterable[str]) -> set[str]:
    """Return which of the written paths cannot stand beside the others: one is a folder of the other."""
    new, others = set(written), set(others)
    inside = {path for path in new if not others.isdisjoint(folders(path))}
    return inside | {folder for path in others for folder in folders(path) if folder in new}


def folders(path: str) -> Iterator[str]:
    """Yield the folders that a path lies in, the innermost first."""
    while "/" in path:
        path = path.rpartition("/")[0]
        yield path


def space(files: Mapping[str, str]) -> int:
    """Return bytes of a file system that holds these files with their folders, whatever they are."""
    return sum(_PAGE_BYTES * (2 + path.count("/")) + _MAX_CHARACTER_BYTES * len(text) for path, text in files.items())
