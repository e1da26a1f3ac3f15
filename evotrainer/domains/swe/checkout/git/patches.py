"""Changes as text: patches, and the tables of --stat, --name-only and --name-status, as git prints them."""

import re
from collections.abc import Iterator, Sequence

from evotrainer.domains.swe.checkout.git.revisions import short
from evotrainer.domains.swe.checkout.git.trees import Blob, FileChange
from evotrainer.domains.swe.checkout.git.xdiff import changed_lines

CONTEXT_LINES = 3
STAT_WIDTH = 80
_HEADING = re.compile(r"[A-Za-z_$]")
_MAX_HEADING = 80
_NO_NEWLINE = "\\ No newline at end of file"
_ZERO = "0" * 40
_ESCAPES = {
    "\a": "\\a",
    "\b": "\\b",
    "\t": "\\t",
    "\n": "\\n",
    "\v": "\\v",
    "\f": "\\f",
    "\r": "\\r",
    '"': '\\"',
    "\\": "\\\\",
}


def quoted(path: str, prefix: str = "", also_spaces: bool = False) -> str:
    """Return a path as git prints it: in quotes, bytes escaped, where it holds unusual characters."""
    data = (prefix + path).encode("utf-8", "surrogateescape")
    if all(32 <= byte < 127 and byte not in b'"\\' for byte in data) and not (also_spaces and b" " in data):
        return prefix + path
    parts = [_ESCAPES.get(chr(byte)) or (chr(byte) if 32 <= byte < 127 else f"\\{byte:03o}") for byte in data]
    return f'"{"".join(parts)}"'


def patch(changes: Sequence[FileChange], context: int = CONTEXT_LINES) -> str:
    """Return the patch of all changes, each line ended."""
    return "".join(line + "\n" for change in changes for line in _file_patch(change, context))


def name_status(changes: Sequence[FileChange]) -> str:
    """Return a line for each file: A, M or D, and its path."""
    return "".join(f"{_letter(change)}\t{quoted(change.path)}\n" for change in changes)


def name_only(changes: Sequence[FileChange]) -> str:
    """Return a line for each file: its path."""
    return "".join(f"{quoted(change.path)}\n" for change in changes)


def stat(changes: Sequence[FileChange]) -> str:
    """Return the diffstat, a line for each file and one for all."""
    counts = [(quoted(change.path), *_counts(change)) for change in changes]
    if not counts:
        return ""
    width = max(len(path) for path, _, _ in counts)
    number = max(len(str(added + deleted)) for _, added, deleted in counts)
    bar = STAT_WIDTH - width - number - 6
    most = max(added + deleted for _, added, deleted in counts)
    lines = [
        f" {path:<{width}} | {added + deleted:>{number}} {_bar(added, deleted, most, bar)}".rstrip()
        for path, added, deleted in counts
    ]
    return "".join(f"{line}\n" for line in [*lines, _total(counts)])


def mode_lines(changes: Sequence[FileChange]) -> str:
    """Return a line for each file that came or went, as they stand below a diffstat."""
    made = {change.path: f" create mode {change.new.mode}" for change in changes if change.new and not change.old}
    gone = {change.path: f" delete mode {change.old.mode}" for change in changes if change.old and not change.new}
    return "".join(f"{line} {quoted(path)}\n" for path, line in sorted({**made, **gone}.items()))


def _bar(added: int, deleted: int, most: int, width: int) -> str:
    if most > width:
        total = max(1 + (added + deleted) * (width - 1) // most if added + deleted else 0, 0)
        total = max(total, 2) if added and deleted else total
        plus = 1 + added * (width - 1) // most if added else 0
        minus = 1 + deleted * (width - 1) // most if deleted else 0
        if added < deleted:
            plus, minus = plus, total - plus
        else:
            plus, minus = total - minus, minus
        return "+" * plus + "-" * minus
    return "+" * added + "-" * deleted


def _total(counts: Sequence[tuple[str, int, int]]) -> str:
    added, deleted = sum(row[1] for row in counts), sum(row[2] for row in counts)
    parts = [f" {len(counts)} file{'s' * (len(counts) != 1)} changed"]
    if added or not deleted:
        parts.append(f"{added} insertion{'s' * (added != 1)}(+)")
    if deleted or not added:
        parts.append(f"{deleted} deletion{'s' * (deleted != 1)}(-)")
    return ", ".join(parts)


def _counts(change: FileChange) -> tuple[int, int]:
    old, new = _lines(change.old), _lines(change.new)
    removed, added = changed_lines(old, new)
    return sum(added), sum(removed)


def _letter(change: FileChange) -> str:
    return "A" if change.old is None else "D" if change.new is None else "M"


def _file_patch(change: FileChange, context: int) -> Iterator[str]:
    old, new, path = change.old, change.new, change.path
    yield f"diff --git {quoted(path, 'a/')} {quoted(path, 'b/')}"
    if old is None and new is not None:
        yield f"new file mode {new.mode}"
    elif new is None and old is not None:
        yield f"deleted file mode {old.mode}"
    elif old and new and old.mode != new.mode:
        yield f"old mode {old.mode}"
        yield f"new mode {new.mode}"
    if (old and old.object_id) != (new and new.object_id):
        ids = f"{short(old.object_id if old else _ZERO)}..{short(new.object_id if new else _ZERO)}"
        yield f"index {ids}{f' {new.mode}' if old and new and old.mode == new.mode else ''}"
        yield from _text_patch(path, old, new, context)


def _text_patch(path: str, old: Blob | None, new: Blob | None, context: int) -> Iterator[str]:
    left, right = quoted(path, "a/") if old else "/dev/null", quoted(path, "b/") if new else "/dev/null"
    if any(side and "\0" in side.text[:8000] for side in (old, new)):
        yield f"Binary files {left} and {right} differ"
        return
    hunks = list(_hunks(_lines(old), _lines(new), context))
    if hunks:
        end = "\t" if " " in path else ""
        yield f"--- {left}{end if old else ''}"
        yield f"+++ {right}{end if new else ''}"
    yield from hunks


def _lines(side: Blob | None) -> list[str]:
    """Return the lines of a file with their ends; a last line without one keeps none."""
    parts = side.text.split("\n") if side else [""]
    return [f"{line}\n" for line in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _hunks(old: list[str], new: list[str], context: int) -> Iterator[str]:
    groups = _groups(_runs(*changed_lines(old, new)), context)
    heading_from = 0
    heading = ""
    for group in groups:
        first, last = group[0], group[-1]
        before = min(context, first[0])
        after = min(context, len(old) - last[1])
        start, stop = first[0] - before, last[1] + after
        new_start, new_stop = first[2] - before, last[3] + after
        found = [line for line in old[heading_from:start] if _HEADING.match(line)]
        heading = _cut(found[-1]) if found else heading
        heading_from = start
        yield f"@@ -{_span(start, stop)} +{_span(new_start, new_stop)} @@{f' {heading}' if heading else ''}"
        place = start
        for old_start, old_stop, added_start, added_stop in group:
            yield from _marked(" ", old[place:old_start])
            yield from _marked("-", old[old_start:old_stop])
            yield from _marked("+", new[added_start:added_stop])
            place = old_stop
        yield from _marked(" ", old[place:stop])


def _cut(line: str) -> str:
    """Return a hunk's heading: at most 80 bytes, spaces at its end left out."""
    return line.encode("utf-8", "surrogateescape")[:_MAX_HEADING].decode("utf-8", "surrogateescape").rstrip()


def _span(start: int, stop: int) -> str:
    length = stop - start
    first = start + 1 if length else start
    return f"{first}" if length == 1 else f"{first},{length}"


def _marked(mark: str, lines: Sequence[str]) -> Iterator[str]:
    for line in lines:
        yield f"{mark}{line.removesuffix(chr(10))}"
        if not line.endswith("\n"):
            yield _NO_NEWLINE


def _runs(removed: Sequence[bool], added: Sequence[bool]) -> list[tuple[int, int, int, int]]:
    """Return the changed runs, (old start, old stop, new start, new stop) each."""
    runs, left, right = [], 0, 0
    while left < len(removed) or right < len(added):
        if (left < len(removed) and removed[left]) or (right < len(added) and added[right]):
            old_start, new_start = left, right
            while left < len(removed) and removed[left]:
                left += 1
            while right < len(added) and added[right]:
                right += 1
            runs.append((old_start, left, new_start, right))
        else:
            left, right = left + 1, right + 1
    return runs


def _groups(runs: Sequence[tuple[int, int, int, int]], context: int) -> list[list[tuple[int, int, int, int]]]:
    """Put runs into one hunk whose contexts touch."""
    groups: list[list[tuple[int, int, int, int]]] = []
    for run in runs:
        if groups and run[0] - groups[-1][-1][1] <= 2 * context:
            groups[-1].append(run)
        else:
            groups.append([run])
    return groups
