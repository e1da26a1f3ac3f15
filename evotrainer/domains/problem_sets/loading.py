"""Load problems by split, from the built-in sets or from a person's own file or folder (files.py), and copy them.

One row is one object, whose keys are its domain's (domains/<domain>/rows.py). A folder holds one file a split. A single
file is split by a hash of its text, and near-duplicates (duplicates.py) always fall into one split, so that a person's
file cannot leak across them. A public set has no probe rows, and often no validation rows: they are taken out of its
train split in the same way.

A campaign gets a copy of its set in which columns and places are plain: stages know no Parquet and no clones.
"""

import hashlib
import json
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np

from evotrainer.campaign.documents import write_atomic
from evotrainer.config import DomainConfig
from evotrainer.config.yaml_files import why_unreadable
from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.duplicates import similar_pairs
from evotrainer.domains.problem_sets.files import WHOLE, find_files, read_values
from evotrainer.domains.problem_sets.rows import Reading, Row
from evotrainer.errors import DataError
from evotrainer.records import Problem, Split

SEALED_SPLIT = "test"
"""Read once, by the certify stage (sealed.py)."""

OWN_SHARES = {"train": 0.6, "probe": 0.1, "validation": 0.15, "test": 0.15}
"""Of a person's own file."""


MAX_NAMED = 20
"""Bad rows that an error names; all are counted."""


class BadRowsError(DataError):
    """Rows that cannot be used; `reasons` has one line for those of a file with the same fault."""

    def __init__(self, reasons: list[str], num_rows: int) -> None:
        self.reasons, self.num_bad, self.num_rows = _by_fault(reasons), len(reasons), num_rows
        more = f"; and {len(self.reasons) - MAX_NAMED} more" if len(self.reasons) > MAX_NAMED else ""
        super().__init__(
            f"{self.num_bad} of {num_rows} rows cannot be used: {'; '.join(self.reasons[:MAX_NAMED])}{more}"
        )


def _by_fault(reasons: list[str]) -> list[str]:
    """Return reasons, each a place and a fault, with the lines of equal faults of a file in one."""
    lines: dict[tuple[str, str], list[str]] = {}
    for reason in reasons:
        place, _, fault = reason.partition(": ")
        file, _, line = place.rpartition(":")
        lines.setdefault((file, fault), []).append(line)
    found = []
    for (file, fault), (first, *others) in lines.items():
        more = f" and {len(others) - MAX_NAMED} more" if len(others) > MAX_NAMED else ""
        also = f" (so too in {', '.join(others[:MAX_NAMED])}{more})" if others else ""
        found.append(f"{file}:{first}: {fault}{also}")
    return found


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


def split_rows(path: Path, domain: str, reading: Reading | None = None) -> dict[str, list[Row]]:
    """Return the rows of each split at `path`, a folder of split files or a single file."""
    if not path.exists():
        raise DataError(f"{path} does not exist: run `evotrainer data build`, or set domain.data_path to a JSONL file")
    if not path.is_dir() and (reason := why_unreadable(path)):
        raise DataError(reason)
    files = find_files(path)
    if not files.splits:
        raise DataError(f"{path} holds no file of problems: add train.jsonl, or name a file")
    if WHOLE in files.splits:
        return _divided(read_files(files.splits[WHOLE], domain, reading), OWN_SHARES)
    splits = {split: read_files(found, domain, reading) for split, found in files.splits.items()}
    missing = [split for split in OWN_SHARES if split not in splits]
    if files.is_public and missing and "train" in splits:
        return splits | _divided(splits["train"], {name: OWN_SHARES[name] for name in ("train", *missing)})
    return splits


def _divided(rows: list[Row], shares: dict[str, float]) -> dict[str, list[Row]]:
    """Return the rows by split, near-duplicates together: a row's split follows from the first text of its cluster."""
    from scipy.sparse import coo_array  # takes long to load, and most sets have splits
    from scipy.sparse.csgraph import connected_components

    left, right = np.array(similar_pairs([row.identity for row in rows]), dtype=int).reshape(-1, 2).T
    graph = coo_array((np.ones(len(left)), (left, right)), shape=(len(rows), len(rows)))
    _, clusters = connected_components(graph, directed=False)
    keys: dict[int, str] = {}
    for row, cluster in zip(rows, clusters, strict=True):
        keys[cluster] = min(keys.get(cluster, row.identity), row.identity)
    splits: dict[str, list[Row]] = {name: [] for name in shares}
    for row, cluster in zip(rows, clusters, strict=True):
        splits[split_of(keys[cluster], shares)].append(row)
    return splits


def split_of(text: str, shares: dict[str, float]) -> str:
    """Return the name of the split that a text falls into, by its SHA-256.

    A linear hash would correlate with the problem: one put every sum that ends in 0 into one split.
    """
    point = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big") / 2**64 * sum(shares.values())
    for name, share in shares.items():
        point -= share
        if point < 0:
            return name
    return list(shares)[-1]


def read_rows(path: Path, domain: str, reading: Reading | None = None) -> list[Row]:
    """Return the rows of one file; raises DataError with file and line number for what cannot be used."""
    return read_files([path], domain, reading)


def read_files(paths: Iterable[Path], domain: str, reading: Reading | None = None) -> list[Row]:
    """Return the rows of files, one after the other; raises DataError where one row cannot be used, BadRowsError for
    several.
    """
    rows: list[Row] = []
    bad: list[str] = []
    places_by_id: dict[str, str] = {}
    paths = list(paths)
    for place, values in (row for path in paths for row in read_values(path)):
        try:
            row = _row(values, place, domain, reading)
            if row.row_id in places_by_id:
                raise DataError(f"{place}: id '{row.row_id}' was used in line {places_by_id[row.row_id]}")
        except DataError as error:
            bad.append(str(error))
            continue
        places_by_id[row.row_id] = place.rpartition(":")[2]
        rows.append(row)
    if len(bad) == 1:
        raise DataError(bad[0])
    if bad:
        raise BadRowsError(bad, len(rows) + len(bad))
    if not rows:
        raise DataError(f"{paths[0]} is empty: give one JSON object a line, with id, problem and answer")
    return rows


def row_values(values: Any, place: str, reading: Reading | None = None) -> dict[str, Any]:
    """Return a row as its domain reads it; raises DataError for what is no object, or could not be read."""
    if isinstance(values, DataError):
        raise values
    if not isinstance(values, dict):
        raise DataError(f"{place}: expected an object with id, problem and answer, found {type(values).__name__}")
    return reading.apply(values, place) if reading else values


def _row(values: Any, place: str, domain: str, reading: Reading | None) -> Row:
    return replace(find_domain(domain).parse_row(row_values(values, place, reading), place), place=place)


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


def copy_problems(source: Path, target: Path, domain: str, reading: Reading) -> None:
    """Write the set at `source` to the folder `target`, as JSONL, one file a split. Its rows were checked before.

    The copy has wanted column names and absolute places.
    """
    files, anchored = find_files(source), find_domain(domain).anchored
    given = {place: values for paths in files.splits.values() for path in paths for place, values in read_values(path)}
    for split, rows in split_rows(source, domain, reading).items():
        moved = [anchored(row_values(given[row.place], row.place, reading), row.place) for row in rows]
        lines = "".join(f"{json.dumps(row, ensure_ascii=False)}\n" for row in moved)
        write_atomic(target / f"{split}.jsonl", lines)
