"""Applying a unified diff to files in memory, strictly: context must match where the patch says, or a few lines off."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache

_HUNK = re.compile(r"@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@")
MAX_OFFSET = 200


class PatchError(ValueError):
    """A patch that cannot be read or does not fit."""


@dataclass
class _Hunk:
    start: int
    old: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)


@lru_cache(maxsize=4096)
def changed_paths(patch: str) -> frozenset[str]:
    """Return the paths that a patch names on either side, read leniently: it need not fit anything."""
    lines = [line for line in patch.splitlines() if line.startswith(("--- ", "+++ "))]
    names = {line[4:].split("\t")[0].strip() for line in lines}
    return frozenset(name[2:] for name in names if name[:2] in ("a/", "b/"))


def apply_patch(files: Mapping[str, str], patch: str) -> dict[str, str | None]:
    """Return the changes that a patch makes to `files`, path -> text or None for deleted; raises PatchError."""
    changes: dict[str, str | None] = {}
    for source, target, hunks in _read(patch):
        text = files.get(source, "") if source else ""
        if source and source not in files:
            raise PatchError(f"there is no file {source}")
        result = _apply(text, hunks, source or target or "")
        if source and source != target:
            changes[source] = None
        if target:
            changes[target] = result
    return changes


def _read(patch: str) -> list[tuple[str | None, str | None, list[_Hunk]]]:
    """Return (old path, new path, hunks) of each file; None where the file is not there on that side."""
    found: list[tuple[str | None, str | None, list[_Hunk]]] = []
    lines = patch.split("\n")
    place = 0
    while place < len(lines):
        line = lines[place]
        if line.startswith("--- ") and place + 1 < len(lines) and lines[place + 1].startswith("+++ "):
            found.append((_path(line), _path(lines[place + 1]), []))
            place += 2
        elif (match := _HUNK.match(line)) and found:
            hunk, place = _read_hunk(lines, place + 1, match)
            found[-1][2].append(hunk)
        else:
            place += 1
    return found


def _path(line: str) -> str | None:
    name = line[4:].split("\t")[0].strip()
    return None if name == "/dev/null" else name[2:] if name[:2] in ("a/", "b/") else name


def _read_hunk(lines: list[str], place: int, match: re.Match[str]) -> tuple[_Hunk, int]:
    num_old, num_new = (int(match[group] or 1) if match[group] is not None else 1 for group in (2, 4))
    start = int(match[1]) - (1 if num_old else 0)
    hunk = _Hunk(start)
    while len(hunk.old) < num_old or len(hunk.new) < num_new or lines[place : place + 1] == [_NO_END]:
        if place >= len(lines):
            raise PatchError("a hunk ends early")
        mark, text = lines[place][:1], lines[place][1:]
        if lines[place] == _NO_END:
            _strip_end(hunk, lines[place - 1][:1])
        elif mark in (" ", ""):
            hunk.old.append(text + "\n")
            hunk.new.append(text + "\n")
        elif mark in "+-":
            (hunk.new if mark == "+" else hunk.old).append(text + "\n")
        else:
            raise PatchError(f"'{lines[place][:40]}' is no line of a hunk")
        place += 1
    return hunk, place


_NO_END = "\\ No newline at end of file"


def _strip_end(hunk: _Hunk, mark: str) -> None:
    """The line before had no line end, on its side or on both."""
    for side, marks in ((hunk.old, " -"), (hunk.new, " +")):
        if mark in marks and side:
            side[-1] = side[-1].removesuffix("\n")


def _apply(text: str, hunks: list[_Hunk], name: str) -> str:
    parts = text.split("\n")
    lines = [f"{line}\n" for line in parts[:-1]] + ([parts[-1]] if parts[-1] else [])
    shift = 0
    for hunk in hunks:
        place = _find(lines, hunk.old, hunk.start + shift)
        if place is None:
            raise PatchError(f"a hunk does not fit {name} near line {hunk.start + 1}")
        lines[place : place + len(hunk.old)] = hunk.new
        shift = place - hunk.start + len(hunk.new) - len(hunk.old)
    return "".join(lines)


def _find(lines: list[str], wanted: list[str], near: int) -> int | None:
    """Return where `wanted` stands in `lines`, the nearest to `near`."""
    for offset in range(MAX_OFFSET):
        for place in (near - offset, near + offset):
            if 0 <= place <= len(lines) - len(wanted) and lines[place : place + len(wanted)] == wanted:
                return place
    return None
