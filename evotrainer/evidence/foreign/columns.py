"""Rows of other systems as columns, part by part: what was said, and every other value under its name in the file.

An object is a column for each of its keys, two levels deep; what lies deeper, and lists of anything but numbers, is
JSON text. A list of one value is that value. Values of several kinds in one column are text, where not all are numbers.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from evotrainer.evidence.foreign.files import clear
from evotrainer.evidence.foreign.messages import (
    Said,
    Voice,
    message_rows,
    messages_table,
    said_in,
    spoken_names,
    turns_in,
    value_of,
    voice_of,
)
from evotrainer.evidence.foreign.values import joined, typed
from evotrainer.evidence.rows import is_number

Row = dict[str, Any]

_MAX_KEYS = 60
"""Keys of an object beyond which they are values themselves, and the object is JSON text."""
_MAX_DEPTH = 2


@dataclass
class Columns:
    """Columns that grow by parts."""

    mapped: frozenset[str] = frozenset()
    """Columns that a person named: they are never taken for what was said."""
    voice: Voice | None = None
    """Where a person says that it stands."""
    chunks: dict[str, list[tuple[int, pa.Array]]] = field(default_factory=dict)
    """By name the arrays of parts, each with its first row."""
    messages: list[pa.Table] = field(default_factory=list)
    """Messages, part by part."""
    num_rows: int = 0
    voices: dict[tuple[Any, ...], Voice] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)
    """Columns that what was said was read from, with numbers of rows."""

    def add(self, rows: Sequence[Row], lines: Sequence[int], file: str) -> None:
        """Add the rows of a part."""
        columns = _by_name(rows)
        spoken = self._spoken(rows)
        taken = spoken.pop("taken")
        found = {"file": [file] * len(rows), "line": list(lines), **spoken}
        for name, values in columns.items():
            if name not in taken:
                self._flatten(name, values, found, 0, taken)
        arrays: dict[int, pa.Array] = {}
        for name, values in found.items():
            array = arrays[id(values)] = arrays.get(id(values)) or typed(values)
            if array.null_count < len(array):
                self.chunks.setdefault(name, []).append((self.num_rows, array))
        self.num_rows += len(rows)

    def table(self) -> dict[str, pa.ChunkedArray]:
        """Return all columns, parts joined under one type, and let go of the parts."""
        return {name: joined(self.chunks.pop(name), self.num_rows) for name in list(self.chunks)}

    def voiced(self) -> dict[str, str]:
        """Return which columns what was said was read from, those of most rows."""
        counted: dict[str, str] = {}
        for voice in self.voices.values() or ([self.voice] if self.voice else []):
            for role, name in zip(("prompt", "response", "messages"), voice, strict=True):
                if name and (role not in counted or self.used.get(name, 0) > self.used.get(counted[role], 0)):
                    counted[role] = name
        return counted

    def _flatten(
        self, name: str, values: list[Any], found: dict[str, list[Any]], depth: int = 0, taken: Collection[str] = ()
    ) -> None:
        """Add the column of these values, or one for each key where they are objects; without those in `taken`."""
        if dict in set(map(type, values)):
            objects = [value if type(value) is dict else {} for value in values]
            keys = dict.fromkeys(key for one in objects for key in one)
            is_record = len(keys) <= _MAX_KEYS or sum(map(len, objects)) * 2 > len(keys) * len(objects)
            if depth < _MAX_DEPTH and is_record:
                for key in keys:
                    inner = f"{name}.{key}"
                    if inner not in taken:
                        self._flatten(inner, [one.get(key) for one in objects], found, depth + 1, taken)
                if any(value is not None and type(value) is not dict for value in values):
                    found[name] = [None if type(value) is dict else value for value in values]
                return
        found[name] = values

    def _spoken(self, rows: Sequence[Row]) -> dict[str, Any]:
        """Return the columns of what was said in rows, and in `taken` the columns that it was read from."""
        said: list[Said] = []
        messages: list[tuple[Any, ...]] = []
        taken: set[Voice] = set()
        known: tuple[str, ...] | None = None
        names_of: list[str] = []
        for place, row in enumerate(rows, start=self.num_rows):
            keys = tuple(row) if self.voice is None else ()
            if keys != known:
                known, names_of = keys, [key for key in keys if key.lower() in spoken_names()]
            kind = (known, *[type(row[name]) for name in names_of])
            if (voice := self.voices.get(kind)) is None:
                voice = self.voices[kind] = self.voice or voice_of(row, self.mapped)
            taken.add(voice)
            asked, reply, spoken = (value_of(row, name) for name in voice)
            turns = turns_in(asked, reply, spoken)
            said.append(said_in(turns, asked, reply, spoken))
            messages += message_rows(place, turns)
        self.messages.append(messages_table(messages))
        names_used = {name for voice in taken for name in voice if name}
        for name in names_used:
            self.used[name] = self.used.get(name, 0) + len(rows)
        made: dict[str, Any] = dict(zip(Said._fields, map(list, zip(*said, strict=True)), strict=True))
        if made["last"] == made["response"]:
            made["last"] = made["response"]  # one column in memory
        if any(masks := made.pop("messages_in_loss")):
            self._flatten("messages_in_loss", masks, made)
        return {**{f"@{name}": values for name, values in made.items()}, "taken": names_used}


def _by_name(rows: Sequence[Row]) -> dict[str, list[Any]]:
    """Return the values of rows by name, null where a row lacks one."""
    first = tuple(rows[0])
    if all(tuple(row) == first for row in rows):
        return dict(zip(first, map(list, zip(*map(dict.values, rows), strict=True)), strict=True))
    return {name: [row.get(name) for row in rows] for name in dict.fromkeys(key for row in rows for key in row)}


def is_series(found: Mapping[str, Any]) -> bool:
    """Tell whether rows are what a trainer logs a step: a step, and numbers."""
    has_step = any(name in found for name in ("step", "global_step", "_step", "training/global_step", "iteration"))
    numbers = sum(is_number(column.type) and not pa.types.is_boolean(column.type) for column in found.values())
    return has_step and numbers > max(4, len(found) // 2)


def refusal(path: Path, found: Mapping[str, Any]) -> str:
    """Return why a file without replies is refused, with a mapping to begin with."""
    names = [clear(name, 40) for name in found if name not in ("file", "line") and not name.startswith("@")]
    texts = [name for name in names if name in found and pa.types.is_string(found[name].type)]
    longest = sorted(sorted(texts, key=lambda name: -_mean_length(found[name]))[:2], key=names.index)
    numbers = [name for name in names if name in found and not pa.types.is_string(found[name].type)]
    guess = {
        "prompt": longest[0] if len(longest) > 1 else "COLUMN",  # which is written before what answers it
        "response": longest[-1] if longest else "COLUMN",
        "reward": next((name for name in numbers if _is_grade(found[name])), (*numbers, "COLUMN")[0]),
    }
    line = ", ".join(f"{ours}: {theirs}" for ours, theirs in guess.items())
    shown = ", ".join(names[:25]) + (f" and {len(names) - 25} more" if len(names) > 25 else "")
    return (
        f"{clear(path)}: no column holds what a policy wrote. I see these columns: {shown}. "
        f"If these are attempts, put this line in a file, mend the names, and give it as --map FILE: {{{line}}}"
    )


def _is_grade(column: Any) -> bool:
    """Tell whether values are true or false, or lie between 0 and 1."""
    if not is_number(column.type) or column.null_count == len(column):
        return False
    ends = pc.call_function("min_max", [column]).as_py()
    return 0 <= ends["min"] <= ends["max"] <= 1


def _mean_length(column: Any) -> float:
    return pc.call_function("mean", [pc.call_function("utf8_length", [column])]).as_py() or 0.0
