"""Files of rollouts as they come: JSONL, Parquet, a folder of them, and inspect's logs; rows with their place."""

import codecs
import glob
import gzip
import json
import os
import re
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic_core import from_json

from evotrainer.config.plain_file import why_unreadable
from evotrainer.errors import EvidenceError

SUFFIXES = (".jsonl", ".gz", ".parquet", ".json", ".eval")
_BATCH = 1024
"""Rows of a Parquet file that are held at a time."""
MAX_SAMPLE_BYTES = 256 * 1024**2
"""Of one sample of a zipped log, unpacked."""
_BUFFER_BYTES = 1 << 20
"""Of a file of lines that are read at a time."""
_MAX_FOLDERS = 1000
"""In which files are looked for, to say how they are named."""
_MAX_BRACKETS = 64
"""Objects and lists of a row up to which none can be nested too deeply."""
_TRACES = b'"traces"'
"""In the line of every episode of verifiers."""
MAX_DEPTH = 100
"""Levels of objects and lists in a row's column."""
_OTHERS = {
    b"PAR1": "holds Parquet: name it .parquet",
    b"\x1f\x8b": "is packed with gzip: name it .jsonl.gz",
    b"\x28\xb5\x2f\xfd": "is packed with Zstandard: unpack it first",
    b"PK\x03\x04": "is a zip archive: unpack it first",
    codecs.BOM_UTF16_LE: "is UTF-16 text: write it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
    codecs.BOM_UTF16_BE: "is UTF-16 text: write it as UTF-8 (iconv -f UTF-16 -t UTF-8)",
}
"""What files of other kinds begin with, and what to do with one that is named as JSONL."""
_ZSTD = 93
"""Method of compression in a zip: inspect writes it, and Python's zipfile reads it from 3.14 on."""
_LOCAL_HEADER = struct.Struct("<26xHH")


class FileRow(NamedTuple):
    """A row as it stands in a file."""

    where: str
    """File and line (JSONL), row (Parquet) or sample (inspect)."""
    parsed: Any
    text: bytes = b""
    """The line of a row that is not parsed yet."""
    is_plain: bool = False
    """Whether all its text is known to be Unicode, for want of escapes, and its nesting to be shallow."""

    @property
    def values(self) -> Any:
        """The row, parsed; raises EvidenceError where it is no JSON."""
        return _parsed(self.text, self.where, is_line=True) if self.text else self.parsed


def read_files(path: Path) -> Iterator[FileRow]:
    """Yield the rows of a file, of the files of a folder by name, or of those that fit a pattern like step_*/*.jsonl.

    Raises:
        EvidenceError: a file cannot be read.

    """
    is_folder = os.path.isdir(path)  # noqa: PTH112 - pathlib raises for a name that is too long
    if is_folder or is_pattern(path):
        found = path.iterdir() if is_folder else map(Path, glob.iglob(str(path), recursive=True))  # noqa: PTH207
        files = sorted((file for file in found if file.suffix in SUFFIXES), key=_natural)
        if not files:
            raise EvidenceError(f"{path} holds no files of rollouts: {_deeper(path) or _KINDS}")
        for file in files:
            yield from read_files(file)
        return
    if reason := why_unreadable(path):
        raise EvidenceError(reason)
    if path.suffix not in SUFFIXES:
        raise EvidenceError(f"{path}: {_KINDS}")
    yield from _READERS[path.suffix](path)


def _natural(path: Path) -> list[tuple[int, str]]:
    """Return a key that orders names by the numbers in them: a file a step, of which the tenth follows the ninth."""
    return [(int(part), "") if part.isdecimal() else (-1, part) for part in re.split(r"(\d+)", str(path)) if part]


def is_pattern(path: Path) -> bool:
    """Tell whether a path is a pattern of several, and no file of that name."""
    return glob.has_magic(str(path)) and not os.path.lexists(path)


def fixed_part(path: Path) -> str:
    """Return what stands before the first folder or name of a pattern that differs from file to file."""
    parts = str(path).split("/")
    first = next(place for place, part in enumerate(parts) if glob.has_magic(part))
    return "".join(f"{part}/" for part in parts[:first])


def _deeper(path: Path) -> str:
    """Return how to name the files that lie in folders of a folder; empty where there are none."""
    for number, (folder, folders, names) in enumerate(os.walk(path)):
        folders.sort()
        for name in sorted(names):
            if Path(name).suffix in (".jsonl", ".gz", ".parquet", ".eval"):
                inner = re.sub(r"\d+", "*", str((Path(folder) / name).relative_to(path)))
                return f"name those in its folders by a pattern in quotes, like '{path / inner}'"
        if number == _MAX_FOLDERS:
            break
    return ""


def _jsonl_rows(path: Path) -> Iterator[FileRow]:
    # Lines of a binary file end at \n alone: a policy may well emit the other separators that str.splitlines knows.
    name = str(path)
    try:
        with gzip.open(path) if path.suffix == ".gz" else path.open("rb", _BUFFER_BYTES) as file:
            for number, line in enumerate(file, start=1):
                if number == 1:
                    line = _first_line(line, path)
                if not line or line.isspace():
                    continue
                read = FileRow(f"{name}:{number}", None, line.removesuffix(b"\n"), _is_plain(line))
                if _TRACES in line or not read.is_plain:
                    yield from _unfolded(read)
                else:
                    yield read
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise EvidenceError(f"{path} is not readable as gzip ({error}): is it whole, and packed at all?") from None


def _first_line(line: bytes, path: Path) -> bytes:
    """Return a file's first line without UTF-8's byte order mark; raises EvidenceError for a file of another kind."""
    other = next((words for start, words in _OTHERS.items() if line.startswith(start)), None)
    if other is not None:
        raise EvidenceError(f"{path} {other}")
    return line.removeprefix(codecs.BOM_UTF8)


def _is_plain(line: bytes) -> bool:
    has_escapes = b"\\" in line and b"\\u" in line  # the first is found faster, and most lines without it
    return not has_escapes and line.count(b"{") + line.count(b"[") <= _MAX_BRACKETS


def _unfolded(read: FileRow) -> Iterator[FileRow]:
    """Yield the traces of an episode of verifiers, each beside what the episode says; any other row as it is."""
    where, row = read.where, read.values
    traces = row.get("traces") if isinstance(row, dict) and "task" in row else None
    if not isinstance(traces, list):
        yield FileRow(where, row, is_plain=read.is_plain)
        return
    around = {key: row[key] for key in ("env", "group", "run") if row.get(key)}
    failed = {"id": row.get("id"), "task": row["task"], "nodes": [], "rewards": {}, "errors": row.get("errors")}
    for number, trace in enumerate(traces or [failed], start=1):
        place = where if len(traces) < 2 else f"{where} trace {number}"
        yield FileRow(place, {**around, **trace} if isinstance(trace, dict) else trace, is_plain=read.is_plain)


def _parsed(text: bytes, where: str, is_line: bool = False) -> Any:
    try:
        return from_json(text)
    except ValueError:
        return _parsed_slowly(text, where, is_line)


def _parsed_slowly(text: bytes, where: str, is_line: bool) -> Any:
    """Return what the fast parser refuses and Python's accepts, like half of a surrogate pair, or say what is wrong."""
    try:
        return json.loads(text.decode("utf-8"))
    except UnicodeDecodeError:
        raise EvidenceError(f"{where}: not UTF-8 text: write it as UTF-8 (iconv -t UTF-8)") from None
    except RecursionError:
        raise EvidenceError(f"{where}: nested too deeply: at most {MAX_DEPTH} levels") from None
    except json.JSONDecodeError as error:
        advice = f": {_advice(text)}" if is_line else ""
        raise EvidenceError(f"{where}: not JSON ({error.msg}, column {error.colno}){advice}") from None
    except ValueError:  # more digits than Python reads
        raise EvidenceError(f"{where}: a number has thousands of digits: write it as text") from None


def _advice(line: bytes) -> str:
    """Return what to do with a line that is no JSON, by what it looks like."""
    start = line.lstrip()[:1]
    if b"\r" in line.rstrip():
        return "its lines end in carriage returns: end them in line feeds"
    if start == b"[":
        return "a list over several lines is not read: write each object on a line of its own (jq -c '.[]')"
    if start != b"{" and b"," in line:
        return "it looks like CSV: write each row as a JSON object on a line of its own"
    return "each line is one whole JSON object"


def _parquet_rows(path: Path) -> Iterator[FileRow]:
    try:
        with pq.ParquetFile(path) as file:
            rows = (values for batch in file.iter_batches(_BATCH) for values in batch.to_pylist())
            for number, values in enumerate(rows, start=1):
                _drop_padding(values)
                yield FileRow(f"{path} row {number}", values)
    except (pa.ArrowException, OSError) as error:
        raise EvidenceError(f"{path} is not readable as Parquet ({str(error).splitlines()[0]}): is it whole?") from None


def _drop_padding(row: dict[str, Any]) -> None:
    """Take from calls the arguments of other tools: in a column of objects each has the keys of all, null where none.

    A null that a policy wrote cannot be told from these.
    """
    messages = [one for value in row.values() if isinstance(value, list) for one in value if isinstance(one, dict)]
    for call in (call for message in messages for call in _listed(message.get("tool_calls"))):
        function = call.get("function")
        holder: dict[str, Any] = function if isinstance(function, dict) else call
        if isinstance(holder.get("arguments"), dict):
            holder["arguments"] = {key: value for key, value in holder["arguments"].items() if value is not None}


def _listed(calls: Any) -> list[dict[str, Any]]:
    return [call for call in calls if isinstance(call, dict)] if isinstance(calls, list) else []


def _json_rows(path: Path) -> Iterator[FileRow]:
    """Yield the samples of an inspect log; any other JSON file is refused."""
    log = _parsed(path.read_bytes(), str(path))
    if not isinstance(log, dict) or not isinstance(log.get("samples"), list):
        raise EvidenceError(f"{path} is no log of inspect: it has no samples; {_KINDS}")
    for number, sample in enumerate(log["samples"], start=1):
        yield FileRow(f"{path} sample {number}", sample)


def _zipped_rows(path: Path) -> Iterator[FileRow]:
    try:
        with zipfile.ZipFile(path) as log:
            for entry in sorted(log.infolist(), key=lambda entry: entry.filename):
                if not (entry.filename.startswith("samples/") and entry.filename.endswith(".json")):
                    continue
                if entry.file_size > MAX_SAMPLE_BYTES:
                    raise EvidenceError(f"{path} {entry.filename} is over {MAX_SAMPLE_BYTES} bytes unpacked")
                where = f"{path} {entry.filename.removeprefix('samples/')}"
                yield FileRow(where, _parsed(_unzipped(log, entry), str(path)))
    except (zipfile.BadZipFile, NotImplementedError, struct.error, pa.ArrowException, OSError) as error:
        raise EvidenceError(f"{path} is not readable as a log of inspect ({error})") from None


def _unzipped(log: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """Return the bytes of an entry; those that Zstandard packed are taken from the file itself."""
    if entry.compress_type != _ZSTD or log.fp is None:
        return log.read(entry)
    log.fp.seek(entry.header_offset)
    sizes = _LOCAL_HEADER.unpack(log.fp.read(_LOCAL_HEADER.size))
    log.fp.seek(sum(sizes), 1)
    with pa.CompressedInputStream(pa.BufferReader(log.fp.read(entry.compress_size)), "zstd") as stream:
        return stream.read(MAX_SAMPLE_BYTES)


_KINDS = "trajectories come as .jsonl or .parquet, as .jsonl.gz, or as inspect's .json or .eval"
_READERS = {
    ".jsonl": _jsonl_rows,
    ".gz": _jsonl_rows,
    ".parquet": _parquet_rows,
    ".json": _json_rows,
    ".eval": _zipped_rows,
}
