"""Files of rows that other systems wrote, in parts: JSON lines, JSON documents, Parquet, CSV and inspect's logs.

A file is read by what it holds, whatever its name ends in; .gz, .xz, .bz2 and .zst are unpacked. A line that is no JSON
is counted with its place and left out. A file that holds no rows at all is refused in one line.
"""

import csv
import glob
import io
import json
import lzma
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
from pydantic_core import from_json

from evotrainer.config.yaml_files import why_unreadable
from evotrainer.errors import EvidenceError
from evotrainer.evidence.foreign.names import names

PART_ROWS = 2048
"""Rows that are held as objects at a time."""
_PART_BYTES = 2 << 20
_MAX_LINE_BYTES = 256 << 20
_MAX_BYTES = 4 << 30
"""Of all files that are read again whenever they change."""
_SUFFIXES = (".jsonl", ".ndjson", ".json", ".parquet", ".eval", ".traj", ".csv")
_PACKED = (".gz", ".xz", ".bz2", ".zst")
_UTF16 = (b"\xff\xfe", b"\xfe\xff")
_ZSTD = 93
"""Method of compression in a zip: inspect writes it, and Python's zipfile reads it from 3.14 on."""
_LOCAL_HEADER = struct.Struct("<26xHH")
_SAMPLE = re.compile(r"samples/(.+)\.json$")
_UNREADABLE = (OSError, EOFError, ValueError, lzma.LZMAError, zlib.error, zipfile.BadZipFile, pa.ArrowException)


@dataclass
class Part:
    """Rows of one file, in order, each with its place: line, row or sample."""

    file: str
    rows: list[Any] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    faults: list[tuple[int, str]] = field(default_factory=list)
    """Lines that are no JSON, with the reason."""


def read_parts(path: Path) -> Iterator[Part]:
    """Yield the rows of a file, of the files of a folder by name, or of those that fit a pattern like step_*/*.jsonl.

    Raises:
        EvidenceError: a file cannot be read, or holds no rows.

    """
    files = files_of(path)
    for file in files:
        try:
            yield from _rows_of(file)
        except (EvidenceError, *_UNREADABLE) as error:
            refusal = error
            if not isinstance(error, EvidenceError):
                reason = clear(str(error).splitlines()[0] if str(error) else type(error).__name__)
                refusal = EvidenceError(f"{clear(file)} cannot be read ({reason}): is it whole?")
            if len(files) == 1:
                raise refusal from None
            yield Part(str(file), faults=[(0, str(refusal))])


def marks_of(path: Path) -> list[tuple[str, int, int]]:
    """Return name, size and time of change of the files that a path names: what differs once a run wrote."""
    stats = [(str(one), one.stat()) for one in files_of(path)]
    return [(name, found.st_size, found.st_mtime_ns) for name, found in stats]


def clear(text: Any, limit: int = 200) -> str:
    """Return a text for a message: one line, control characters spelled out, its end left out where it is long."""
    shown = "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in str(text)[: limit + 1])
    return shown if len(shown) <= limit else f"{shown[: limit - 3]}..."


def files_of(path: Path) -> list[Path]:
    """Return a file, the files of rows in a folder, or those that fit a pattern.

    Raises:
        EvidenceError: there are none, or together they would not fit the memory of most machines.

    """
    files = _named(path)
    if (size := sum(one.stat().st_size for one in files if one.exists())) > _MAX_BYTES:
        limit = f"more than the {_MAX_BYTES >> 30} GB that are read at a time"
        raise EvidenceError(f"{clear(path)} holds {size / 2**30:.1f} GB, {limit}: name fewer files by a pattern")
    return files


def _named(path: Path) -> list[Path]:
    is_folder = os.path.isdir(path)  # noqa: PTH112 - pathlib raises for a name that is too long
    if not is_folder and (os.path.lexists(path) or not glob.has_magic(str(path))):
        if reason := why_unreadable(path):
            raise EvidenceError(clear(reason, 400))
        return [path]
    found = path.iterdir() if is_folder else map(Path, glob.iglob(str(path), recursive=True))  # noqa: PTH207
    files = sorted((file for file in found if _suffix(file) in _SUFFIXES), key=_natural)
    if not files:
        deeper = next((one for one in path.rglob("*") if _suffix(one) in _SUFFIXES), None) if is_folder else None
        inner = "" if deeper is None else re.sub(r"\d+", "*", str(deeper))
        more = f": name those in its folders by a pattern in quotes, like '{inner}'" if inner else ""
        raise EvidenceError(f"{clear(path)} holds no files of rollouts ({', '.join(_SUFFIXES)}){more}")
    return files


def _suffix(path: Path) -> str:
    return (Path(path.stem) if path.suffix in _PACKED else path).suffix


def _natural(path: Path) -> list[tuple[int, str]]:
    """Return a key that orders names by the numbers in them: a file a step, of which the tenth follows the ninth."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", str(path)) if part]


def _rows_of(path: Path) -> Iterator[Part]:
    with _opened(path) as file:
        head = file.read(_PART_BYTES)
        if not head.strip():
            raise EvidenceError(f"{clear(path)} is empty")
        if head.startswith(b"PAR1"):
            yield from _parquet_rows(path, head, file)
        elif head.startswith(b"PK\x03\x04"):
            yield from _in_parts(str(path), _zipped(path, head + file.read()))
        elif head.startswith(_UTF16) or b"\0" in head[:4096]:
            raise EvidenceError(f"{clear(path)} is no UTF-8 text: write it as JSON lines in UTF-8")
        elif _suffix(path) == ".csv":
            text = io.StringIO((head + file.read()).decode("utf-8", errors="replace"), newline="")
            yield from _in_parts(str(path), enumerate(csv.DictReader(text), start=2))
        elif _is_document(head.removeprefix(b"\xef\xbb\xbf")):
            yield from _in_parts(str(path), _document(path, head + file.read()))
        else:
            yield from _lines(path, head, file)


def _opened(path: Path) -> IO[bytes]:
    return lzma.open(path) if path.suffix == ".xz" else pa.input_stream(str(path), compression="detect")


def _is_document(head: bytes) -> bool:
    """Tell whether a text is one JSON value over all lines, and not one a line."""
    first = head.lstrip().split(b"\n", 1)[0].strip()
    if first.startswith(b"[{") and first.endswith(b"]") and b"\n" in head.strip():
        return False  # a list a line
    if first.startswith(b"["):
        return True
    return first in (b"{", b"") or (first.startswith(b"{") and b"\n" in head.strip() and not first.endswith(b"}"))


def _lines(path: Path, head: bytes, file: IO[bytes]) -> Iterator[Part]:
    """Yield JSON lines; those of a binary file end at \\n alone, since a policy may emit other separators."""
    part, number, rest, more = Part(str(path)), 0, head.removeprefix(b"\xef\xbb\xbf"), head
    while more:
        more = file.read(_PART_BYTES)
        lines = (rest + more).split(b"\n")
        rest = lines.pop() if more else b""
        if len(rest) > _MAX_LINE_BYTES:
            raise EvidenceError(f"{clear(path)}:{number + len(lines)}: a line of over {_MAX_LINE_BYTES >> 20} MB")
        for line in lines:
            number += 1
            if not line or line.isspace():
                continue
            try:
                part.rows.append(orjson.loads(line))
                part.lines.append(number)
            except ValueError:
                _add_odd_line(part, number, line)
            if len(part.rows) >= PART_ROWS:
                yield from _unwrapped(part)
                part = Part(str(path))
    yield from _unwrapped(part)


def _add_odd_line(part: Part, number: int, line: bytes) -> None:
    """Add what the strict parser refuses and others accept, NaN above all, or why it is no row."""
    try:
        part.rows.append(from_json(line))
        part.lines.append(number)
    except ValueError as error:
        shown = clear(re.sub(r" at line \d+", ",", str(error)), 100)
        part.faults.append((number, f"not JSON: {shown}"))


def _unwrapped(part: Part) -> Iterator[Part]:
    """Yield a part; of a file of one line its document, where it holds rows."""
    if part.rows and all(isinstance(row, list) for row in part.rows):
        pairs = [(line, one) for row, line in zip(part.rows, part.lines, strict=True) for one in row]
        part = Part(part.file, [row for _, row in pairs], [line for line, _ in pairs], part.faults)
    if len(part.rows) == 1 and part.lines == [1] and isinstance(part.rows[0], dict):
        found = list(rows_within(part.rows[0]))
        if len(found) > 1:
            part = Part(part.file, found, list(range(1, len(found) + 1)), part.faults)
    if part.rows or part.faults:
        yield part


def _document(path: Path, data: bytes) -> Iterator[tuple[int, Any]]:
    try:
        value = from_json(data)
    except ValueError as error:
        try:
            value = json.loads(data.decode("utf-8"))
        except (ValueError, RecursionError):
            reason = "nested too deeply" if "recursion" in str(error) else clear(error, 100)
            raise EvidenceError(f"{clear(path)} is not JSON ({reason}): each line, or all of it, is JSON") from None
    yield from enumerate(rows_within(value), start=1)


def rows_within(value: Any) -> Iterator[Any]:
    """Yield the rows of a JSON document: a list, a list under a usual key, an object of like objects, or itself."""
    if isinstance(value, list):
        yield from value
        return
    if isinstance(value, dict):
        for name in names()["row_lists"]:
            rows = value.get(name)
            if isinstance(rows, list) and rows and all(isinstance(row, dict) for row in rows):
                yield from rows
                return
        if _holds_like_objects(value):
            yield from ({"id": key, **row} for key, row in value.items())
            return
    yield value


def _holds_like_objects(value: dict[str, Any]) -> bool:
    rows = list(value.values())
    return (
        len(rows) > 1
        and all(isinstance(row, dict) and row for row in rows)
        and len(set(rows[0]) & set(rows[1]) & set(rows[-1])) * 2 > len(rows[0])
    )


def _in_parts(file: str, rows: Iterator[tuple[int, Any]]) -> Iterator[Part]:
    part = Part(file)
    for line, row in rows:
        part.rows.append(row)
        part.lines.append(line)
        if len(part.rows) >= PART_ROWS:
            yield part
            part = Part(file)
    if part.rows:
        yield part


def _parquet_rows(path: Path, head: bytes, file: IO[bytes]) -> Iterator[Part]:
    source: Any = path if path.suffix not in _PACKED else io.BytesIO(head + file.read())
    number = 0
    with pq.ParquetFile(source) as opened:
        for batch in opened.iter_batches(PART_ROWS // 4):
            rows = batch.to_pylist(maps_as_pydicts="lossy")
            for row in rows:
                if type(row.get("extra")) is str:  # which this program's own files hold as JSON text
                    with suppress(ValueError):
                        row["extra"] = orjson.loads(row["extra"])
            yield Part(str(path), rows, list(range(number + 1, number + len(rows) + 1)))
            number += len(rows)


def _zipped(path: Path, data: bytes) -> Iterator[tuple[int, Any]]:
    """Yield the samples of inspect's log; those that Zstandard packed are taken from the file itself."""
    with zipfile.ZipFile(io.BytesIO(data)) as log:
        entries = [one for one in log.infolist() if _SAMPLE.match(one.filename)]
        entries.sort(key=lambda one: _natural(Path(one.filename)))
        if not entries:
            raise EvidenceError(f"{clear(path)} is a zip archive without samples of inspect: unpack it first")
        for number, entry in enumerate(entries, start=1):
            if entry.file_size > _MAX_LINE_BYTES:
                raise EvidenceError(f"{clear(path)}: sample {number} is over {_MAX_LINE_BYTES >> 20} MB unpacked")
            yield number, from_json(_unzipped(log, entry, data))


def _unzipped(log: zipfile.ZipFile, entry: zipfile.ZipInfo, data: bytes) -> bytes:
    if entry.compress_type != _ZSTD:
        return log.read(entry)
    sizes = _LOCAL_HEADER.unpack_from(data, entry.header_offset)
    start = entry.header_offset + _LOCAL_HEADER.size + sum(sizes)
    packed = pa.BufferReader(data[start : start + entry.compress_size])
    with pa.CompressedInputStream(packed, "zstd") as stream:
        return stream.read(_MAX_LINE_BYTES)
