"""Files of rollouts as they come: JSONL, Parquet, a folder of them, and inspect's logs; rows with their place."""

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from pydantic_core import from_json

from evotrainer.errors import EvidenceError

SUFFIXES = (".jsonl", ".parquet", ".json", ".eval")
_BATCH = 1024
"""Rows of a Parquet file that are held at a time."""
MAX_SAMPLE_BYTES = 256 * 1024**2
"""Of one sample of a zipped log, unpacked."""


def read_files(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield (place, row) of a file, or of the files of a folder by name; raises EvidenceError for what cannot be read.

    A place is file and line (JSONL), row (Parquet) or sample (inspect).
    """
    if path.is_dir():
        files = sorted(file for file in path.iterdir() if file.suffix in SUFFIXES)
        if not files:
            raise EvidenceError(f"{path} holds no files of rollouts: {_KINDS}")
        for file in files:
            yield from read_files(file)
        return
    if not path.is_file():
        raise EvidenceError(f"{path} does not exist")
    if path.suffix not in SUFFIXES:
        raise EvidenceError(f"{path}: {_KINDS}")
    yield from _READERS[path.suffix](path)


def _jsonl_rows(path: Path) -> Iterator[tuple[str, Any]]:
    # Lines of a binary file end at \n alone: a policy may well emit the other separators that str.splitlines knows.
    with path.open("rb") as file:
        for number, line in enumerate(file, start=1):
            if line.strip():
                yield (where := f"{path}:{number}"), _parsed(line.removesuffix(b"\n"), where)


def _parsed(text: bytes, where: str) -> Any:
    try:
        return from_json(text)
    except ValueError:
        return _parsed_slowly(text, where)


def _parsed_slowly(text: bytes, where: str) -> Any:
    """Return what the fast parser refuses and Python's accepts, like half of a surrogate pair, or say what is wrong."""
    try:
        return json.loads(text.decode("utf-8"))
    except UnicodeDecodeError:
        raise EvidenceError(f"{where}: not UTF-8 text") from None
    except (ValueError, RecursionError) as error:
        raise EvidenceError(f"{where}: not JSON ({error})") from None


def _parquet_rows(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        with pq.ParquetFile(path) as file:
            rows = (values for batch in file.iter_batches(_BATCH) for values in batch.to_pylist())
            for number, values in enumerate(rows, start=1):
                yield f"{path} row {number}", values
    except (pa.ArrowException, OSError) as error:
        raise EvidenceError(f"{path} is not readable as Parquet ({str(error).splitlines()[0]})") from None


def _json_rows(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield the samples of an inspect log; any other JSON file is refused."""
    log = _parsed(path.read_bytes(), str(path))
    if not isinstance(log, dict) or not isinstance(log.get("samples"), list):
        raise EvidenceError(f"{path} is no log of inspect: it has no samples; {_KINDS}")
    for number, sample in enumerate(log["samples"], start=1):
        yield f"{path} sample {number}", sample


def _zipped_rows(path: Path) -> Iterator[tuple[str, Any]]:
    try:
        with zipfile.ZipFile(path) as log:
            for entry in sorted(log.infolist(), key=lambda entry: entry.filename):
                if not (entry.filename.startswith("samples/") and entry.filename.endswith(".json")):
                    continue
                if entry.file_size > MAX_SAMPLE_BYTES:
                    raise EvidenceError(f"{path} {entry.filename} is over {MAX_SAMPLE_BYTES} bytes unpacked")
                yield f"{path} {entry.filename.removeprefix('samples/')}", _parsed(log.read(entry), str(path))
    except (zipfile.BadZipFile, NotImplementedError) as error:
        raise EvidenceError(f"{path} is not readable as a log of inspect ({error})") from None


_KINDS = "trajectories come as .jsonl or .parquet, or as inspect's .json or .eval"
_READERS = {".jsonl": _jsonl_rows, ".parquet": _parquet_rows, ".json": _json_rows, ".eval": _zipped_rows}
