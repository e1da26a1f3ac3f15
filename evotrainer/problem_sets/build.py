"""Write the built-in problem sets: the same bytes on every machine, from the generators and one seed.

Each family is drawn until its share of each split is full. A family that is held out fills test and holdout only.
"""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from random import Random

from evotrainer.problem_sets.base import Draw, Family
from evotrainer.problem_sets.math import FAMILIES
from evotrainer.problem_sets.splits import SHARES, split_of
from evotrainer.seeds import derive_seed

DATA_SEED = 0

SPLIT_SIZES = {"train": 3000, "probe": 240, "validation": 240, "test": 400, "holdout": 400}
"""Problems by split, shared equally by the families that it holds."""

HELD_OUT_SPLITS = ("test", "holdout")

Row = dict[str, object]


def build(out: Path) -> str:
    """Write out/math/<split>.jsonl and return the hash of `out` (the one that data.dvc records)."""
    folder = out / "math"
    folder.mkdir(parents=True, exist_ok=True)
    rows_by_split: dict[str, list[Row]] = {split: [] for split in SPLIT_SIZES}
    for family in FAMILIES.values():
        for split, row in _family_rows(family):
            rows_by_split[split].append(row)
    for split, rows in rows_by_split.items():
        _write_rows(folder / f"{split}.jsonl", rows)
    return directory_hash(out)


def draws(family: Family, seed: int) -> Iterator[tuple[str, Draw]]:
    """Yield (canonical form, problem) of one family, each form once."""
    rng, seen = Random(seed), set()
    while True:
        draw = family.draw(rng)
        canonical = family.canonical(draw.prompt)
        if canonical not in seen:
            seen.add(canonical)
            yield canonical, draw


def directory_hash(folder: Path) -> str:
    """Return the hash of a directory's contents as DVC computes it: MD5 over the list of files and their MD5."""
    files = sorted(path for path in folder.rglob("*") if path.is_file())
    entries = [
        {"md5": hashlib.md5(path.read_bytes()).hexdigest(), "relpath": path.relative_to(folder).as_posix()}
        for path in files
    ]
    entries.sort(key=lambda entry: entry["relpath"])
    return hashlib.md5(json.dumps(entries, sort_keys=True).encode()).hexdigest() + ".dir"


def _family_rows(family: Family) -> Iterator[tuple[str, Row]]:
    """Yield (split, row) until the family's share of each of its splits is full."""
    wanted = _family_sizes(family)
    for canonical, draw in draws(family, derive_seed(DATA_SEED, "problems", family.name)):
        split = split_of(canonical, SHARES)
        if wanted.get(split, 0) == 0:
            continue
        wanted[split] -= 1
        yield split, _row(family, canonical, draw)
        if not any(wanted.values()):
            return


def _family_sizes(family: Family) -> dict[str, int]:
    num_open = sum(not other.is_held_out for other in FAMILIES.values())
    return {
        split: size // (len(FAMILIES) if split in HELD_OUT_SPLITS else num_open)
        for split, size in SPLIT_SIZES.items()
        if split in HELD_OUT_SPLITS or not family.is_held_out
    }


def _row(family: Family, canonical: str, draw: Draw) -> Row:
    name = hashlib.sha256(canonical.encode()).hexdigest()[:10]
    return {
        "id": f"{name}-{family.name}",
        "family": family.name,
        "problem": draw.prompt,
        "answer": draw.answer,
        "difficulty": draw.difficulty,
    }


def _write_rows(path: Path, rows: list[Row]) -> None:
    """Sort by id, which starts with a hash, so that the first n problems are a fair sample of the families.

    The file is replaced, not written into: a cached file may be linked from elsewhere.
    """
    ordered = sorted(rows, key=lambda row: str(row["id"]))
    lines = [json.dumps(row, sort_keys=True, ensure_ascii=False) for row in ordered]
    partial = path.with_suffix(".partial")
    partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
    partial.replace(path)
