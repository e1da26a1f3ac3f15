"""How much an attempt may put into its repository, as a disk has an end, and where.

What an attempt's own files exhaust or bring into each other's way is the attempt's failure: the tool that writes
refuses, and a state that git made of states within bounds runs no test. The sandbox has room for more than this
(`space`), so that a file which cannot be placed there is always the machine's failure.
"""

from collections.abc import Iterable, Iterator, Mapping

from evotrainer.domains.swe.checkout.text import encode

MAX_ENTRIES = 1000
"""New files and folders."""
MAX_BYTES = 8 * 1024**2
"""Of all files that are new or changed."""
_PAGE_BYTES, _MAX_CHARACTER_BYTES = 4096, 4


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
