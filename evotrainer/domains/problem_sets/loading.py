"""Load problems by split, from the built-in sets or from a person's own JSONL file.

One row is one JSON object, whose keys are its domain's (domains/<domain>/problems/rows.py). A directory holds one
file a split. A single file is split by a hash of its text, and near-duplicates (duplicates.py) always fall into one
split, so that a person's file cannot leak across them.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

from evotrainer.config import DomainConfig
from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.duplicates import duplicate_pairs
from evotrainer.domains.problem_sets.json_text import JsonError, read_json
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.domains.problem_sets.similarity import cluster_roots
from evotrainer.domains.problem_sets.splits import OWN_SHARES, SEALED_SPLIT, split_of
from evotrainer.errors import DataError
from evotrainer.records import Problem, Split


def load_problems(root: Path, domain: DomainConfig, split: str) -> list[Problem]:
    """Return the problems of `split` in file order; raises DataError naming file and line of what cannot be used.

    `root` is what a relative `domain.data_path` starts from. The sealed split is refused: see sealed.py.
    """
    if split == SEALED_SPLIT:
        raise DataError(
            f"the {SEALED_SPLIT} split is sealed: only the certify stage reads it, once, after the last version. "
            "Ask for train, probe, validation or holdout, or run `evotrainer certificate NAME`"
        )
    return read_split(root, domain, split)


def read_split(root: Path, domain: DomainConfig, split: str) -> list[Problem]:
    """Return the problems of any split in file order; load_problems and load_sealed decide who may ask."""
    path = root / domain.data_path
    rows = split_rows(path, domain.name).get(split)
    if not rows:
        raise DataError(f"{domain.data_path} has no {split} problems{_advice(path, split)}")
    return [problem_of(row, domain.name, split) for row in rows]


def split_rows(path: Path, domain: str) -> dict[str, list[Row]]:
    """Return the rows of each split at `path`, a directory of split files or a single file."""
    if path.is_dir():
        return {file.stem: read_rows(file, domain) for file in sorted(path.glob("*.jsonl"))}
    if not path.exists():
        raise DataError(f"{path} does not exist: run `evotrainer data build`, or set domain.data_path to a JSONL file")
    rows = read_rows(path, domain)
    pairs = duplicate_pairs([row.identity for row in rows])
    roots = cluster_roots(len(rows), [(left, right) for left, right, _ in pairs])
    keys: dict[int, str] = {}
    for row, root in zip(rows, roots, strict=True):
        keys[root] = min(keys.get(root, row.identity), row.identity)
    splits: dict[str, list[Row]] = {name: [] for name in OWN_SHARES}
    for row, root in zip(rows, roots, strict=True):
        splits[split_of(keys[root], OWN_SHARES)].append(row)
    return splits


def read_rows(path: Path, domain: str) -> list[Row]:
    """Return the rows of one file, blank lines skipped; raises DataError with file and line number for a bad one."""
    rows, lines_by_id, parse = [], {}, find_domain(domain).parse_row
    for number, line in _numbered_lines(path):
        place = f"{path}:{number}"
        row = replace(parse(_parse_object(line, place), place), place=place)
        if row.row_id in lines_by_id:
            raise DataError(f"{path}:{number}: id '{row.row_id}' was used in line {lines_by_id[row.row_id]}")
        lines_by_id[row.row_id] = number
        rows.append(row)
    if not rows:
        raise DataError(f"{path} is empty: give one JSON object a line, with id, problem and answer")
    return rows


def _numbered_lines(path: Path) -> Iterator[tuple[int, str]]:
    try:
        text = path.read_text(encoding="utf-8-sig")  # some editors of other systems begin a file with a mark
    except UnicodeDecodeError as error:
        line = path.read_bytes()[: error.start].count(b"\n") + 1
        raise DataError(f"{path}:{line}: not UTF-8 text") from error
    for number, line in enumerate(text.split("\n"), start=1):
        if line.strip():
            yield number, line


def _parse_object(line: str, place: str) -> dict[str, Any]:
    try:
        values = read_json(line)
    except JsonError as error:
        raise DataError(f"{place}: the row {error}") from None
    if not isinstance(values, dict):
        raise DataError(f"{place}: expected an object with id, problem and answer, found {type(values).__name__}")
    return values


def problem_of(row: Row, domain: str, split: str) -> Problem:
    """Return the problem that a row of a split holds."""
    return Problem(
        problem_id=row.row_id,
        domain=domain,
        family=row.family,
        split=cast(Split, split),
        prompt=row.problem,
        answer=row.answer,
        difficulty=row.difficulty,
        data=row.data,
    )


def _advice(path: Path, split: str) -> str:
    if path.is_dir():
        return f": add {split}.jsonl, or run `evotrainer data build` for the built-in sets"
    if split not in OWN_SHARES:
        return f": a single file is split into {', '.join(OWN_SHARES)}"
    return ": the file is too small to split, give it at least 40 problems"
