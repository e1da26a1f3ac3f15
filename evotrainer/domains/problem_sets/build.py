"""Write the built-in problem sets of all domains: the same bytes on every machine, from generators and fixed seeds."""

import hashlib
import json
from pathlib import Path
from typing import Any

from evotrainer.campaign.atomic import write_atomic
from evotrainer.domains import DOMAINS, find_domain

SPLITS = ("train", "probe", "validation", "test", "holdout")

Row = dict[str, Any]


def build(out: Path) -> str:
    """Write out/<domain>/<split>.jsonl and return the hash of `out` (the one that data.dvc records)."""
    for domain in DOMAINS:
        folder = out / domain
        folder.mkdir(parents=True, exist_ok=True)
        rows_by_split: dict[str, list[Row]] = {split: [] for split in SPLITS}
        for split, row in find_domain(domain).problem_rows():
            rows_by_split[split].append(row)
        for split, rows in rows_by_split.items():
            _write_rows(folder / f"{split}.jsonl", rows)
    return directory_hash(out)


def directory_hash(folder: Path) -> str:
    """Return the hash of a directory's contents as DVC computes it: MD5 over the list of files and their MD5."""
    return hashlib.md5(directory_listing(folder)).hexdigest() + ".dir"


def directory_listing(folder: Path) -> bytes:
    """Return the list of files and their MD5 as DVC stores it for a directory."""
    entries = [{"md5": found, "relpath": name} for name, found in sorted(file_hashes(folder).items())]
    return json.dumps(entries, sort_keys=True).encode()


def file_hashes(folder: Path) -> dict[str, str]:
    """Return the MD5 of each file by its path inside `folder`."""
    paths = [path for path in folder.rglob("*") if path.is_file()]
    return {path.relative_to(folder).as_posix(): hashlib.md5(path.read_bytes()).hexdigest() for path in paths}


def _write_rows(path: Path, rows: list[Row]) -> None:
    """Sort by id, which starts with a hash, so that the first n problems are a fair sample of the families.

    The file is replaced, not written into: a cached file may be linked from elsewhere.
    """
    ordered = sorted(rows, key=lambda row: str(row["id"]))
    lines = [json.dumps(row, sort_keys=True, ensure_ascii=False) for row in ordered]
    write_atomic(path, "\n".join(lines) + "\n")
