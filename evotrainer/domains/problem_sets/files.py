"""Problem files as they come, JSONL, Parquet or folders that `datasets` saved: numbered rows of plain values.

A folder holds one file a split (train.jsonl), shards of splits as a hub names them (train-00000-of-00002.parquet), or
what `Dataset.save_to_disk` wrote, which is Arrow. Nothing is downloaded, and `datasets` need not be installed.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from evotrainer.errors import DataError

WHOLE = ""
"""Name of the rows of a set that has no splits."""

_SHARD = re.compile(r"-[0-9]{5}-of-[0-9]{5}\Z")
_SPLIT_NAMES = {"valid": "validation", "val": "validation", "dev": "validation", "eval": "validation"}


class JsonError(ValueError):
    """Text that is no JSON, or holds what cannot be used; the message says what, after a name for the text."""


def read_json(text: str) -> Any:
    """Return the value of a JSON text; raises JsonError."""
    try:
        value = json.loads(text)
        if "\\ud" in text.lower():
            json.dumps(value, ensure_ascii=False).encode()  # half of a surrogate pair is no text
        return value
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}" if error.lineno > 1 else f"column {error.colno}"
        raise JsonError(f"is not JSON ({error.msg.removesuffix(' at')} at {where})") from None
    except (ValueError, RecursionError) as error:
        raise JsonError(f"cannot be used ({error})") from None


@dataclass(frozen=True)
class ProblemFiles:
    """The files of each split of a set; `WHOLE` where it has none."""

    splits: dict[str, list[Path]]
    is_public: bool
    """Parquet or Arrow, whose splits are a public set's and seldom all of ours."""


def find_files(path: Path) -> ProblemFiles:
    """Return the files of a problem set; raises DataError for a path that is no such set."""
    if path.is_file():
        return ProblemFiles({WHOLE: [path]}, path.suffix != ".jsonl")
    if (path / "dataset_dict.json").is_file():
        names: list[str] = json.loads((path / "dataset_dict.json").read_text(encoding="utf-8"))["splits"]
        return _public({_SPLIT_NAMES.get(name, name): _arrow_files(path / name) for name in names})
    if (path / "state.json").is_file():
        return ProblemFiles({WHOLE: _arrow_files(path)}, is_public=True)
    lines, tables = sorted(path.glob("*.jsonl")), sorted(path.glob("*.parquet"))
    if lines and tables:
        raise DataError(f"{path} holds both JSONL and Parquet: keep the files of one kind")
    if not tables:
        return ProblemFiles({file.stem: [file] for file in lines}, is_public=False)
    splits: dict[str, list[Path]] = {}
    for file in tables:
        name = _SHARD.sub("", file.stem)
        splits.setdefault(_SPLIT_NAMES.get(name, name), []).append(file)
    return _public(splits)


def read_values(path: Path) -> Iterator[tuple[str, Any]]:
    """Yield (file:row, values) of one file, blank lines skipped; raises DataError naming what cannot be read.

    A row whose text is no JSON is given as the DataError that says so: the reader decides whether to go on.
    """
    if path.suffix in (".parquet", ".arrow"):
        for number, values in enumerate(_table(path).to_pylist(), start=1):
            yield f"{path}:{number}", _plain(values)
        return
    if path.suffix in (".csv", ".tsv", ".json", ".txt", ".zip", ".gz"):
        raise DataError(f"{path}: problems come as .jsonl, .parquet or a folder that `datasets` saved: convert it")
    for number, line in _numbered_lines(path):
        place = f"{path}:{number}"
        try:
            yield place, read_json(line)
        except JsonError as error:
            yield place, DataError(f"{place}: the row {error}")


def _public(splits: dict[str, list[Path]]) -> ProblemFiles:
    """Return a public set; one with a single split has none."""
    return ProblemFiles({WHOLE: next(iter(splits.values()))} if len(splits) == 1 else splits, is_public=True)


def _arrow_files(folder: Path) -> list[Path]:
    try:
        state = json.loads((folder / "state.json").read_text(encoding="utf-8"))
        return [folder / entry["filename"] for entry in state["_data_files"]]
    except (OSError, ValueError, KeyError, TypeError):
        raise DataError(f"{folder} is no folder that `Dataset.save_to_disk` wrote: its state.json is missing") from None


def _table(path: Path) -> pa.Table:
    try:
        if path.suffix == ".parquet":
            return pq.ParquetFile(path).read()
        with pa.memory_map(str(path)) as source:
            return pa.ipc.open_stream(source).read_all()
    except (pa.ArrowException, OSError) as error:
        raise DataError(f"{path} is not readable as {path.suffix[1:]} ({str(error).splitlines()[0]})") from None


def _plain(values: dict[str, Any]) -> dict[str, Any]:
    """Return the values as JSON has them: what Arrow has beyond that becomes text."""
    return json.loads(json.dumps(values, default=str))


def _numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors of other systems begin a file with a mark
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise DataError(f"{path}:{line}: not UTF-8 text") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line
