"""Problem sets on disk: the built-in ones written, any set checked before a campaign is spent on it.

Checked are the hash that DVC records of the built-in ones, that no problem or near-duplicate (duplicates.py) of
another set stands in two splits, and verifiers that cannot be believed: the reference fails, or an empty answer passes.
"""

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import yaml

from evotrainer.campaign.documents import write_atomic
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.config.yaml_files import load_yaml
from evotrainer.domains import DOMAINS, find_domain
from evotrainer.domains.base import Weakness
from evotrainer.domains.frozen import unpack_problems
from evotrainer.domains.problem_sets.duplicates import similar_pairs
from evotrainer.domains.problem_sets.loading import OWN_SHARES
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.errors import ConfigError, DataError
from evotrainer.records.base import count_of

MAX_NAMED = 3


def build(out: Path) -> str:
    """Write out/<domain>/<split>.jsonl and return the hash of `out` (the one that data.dvc records)."""
    for domain in DOMAINS:
        unpack_problems(domain, out / domain)
    return directory_hash(out)


def directory_hash(folder: Path) -> str:
    """Return the hash of a directory's contents as DVC computes it: MD5 over the list of files and their MD5."""
    paths = {path.relative_to(folder).as_posix(): path for path in folder.rglob("*") if path.is_file()}
    entries = [{"md5": hashlib.md5(paths[name].read_bytes()).hexdigest(), "relpath": name} for name in sorted(paths)]
    return hashlib.md5(json.dumps(entries, sort_keys=True).encode()).hexdigest() + ".dir"


def check(data: Path, expected_hash: str) -> dict[str, dict[str, int]]:
    """Return {'math': {'train': 3000, ...}, ...}; raises DataError if `data` was altered.

    `data` is what build() wrote, `expected_hash` what data.dvc records of it.
    """
    if not data.is_dir():
        raise DataError(f"{data} does not exist: run `evotrainer data build`")
    found = directory_hash(data)
    if found != expected_hash:
        raise DataError(f"{data} was altered (hash {found}, recorded {expected_hash}): run `evotrainer data build`")
    files = sorted(data.glob("*/*.jsonl"))
    counts: dict[str, dict[str, int]] = {path.parent.name: {} for path in files}
    for path in files:
        counts[path.parent.name][path.stem] = path.read_bytes().count(b"\n")
    return counts


def check_splits(path: Path, rows_by_split: Mapping[str, Sequence[Row]]) -> dict[str, int]:
    """Return problems by split of a set that was read from `path`; raises DataError naming pairs across splits that
    share an id or nearly their text.
    """
    placed = [(split, row) for split, rows in rows_by_split.items() for row in rows]
    first_of: dict[str, int] = {}
    pairs = [(first_of.setdefault(row.row_id, index), index, "same id") for index, (_, row) in enumerate(placed)]
    pairs += [(i, j, "nearly the same text") for i, j in similar_pairs([row.identity for _, row in placed])]
    leaks = [
        f"{one.row_id} ({split}) and {other.row_id} ({other_split}): {reason}"
        for (split, one), (other_split, other), reason in ((placed[i], placed[j], reason) for i, j, reason in pairs)
        if split != other_split
    ]
    if leaks:
        more = f" and {len(leaks) - MAX_NAMED} more" if len(leaks) > MAX_NAMED else ""
        named = "; ".join(leaks[:MAX_NAMED])
        raise DataError(f"{path}: {len(leaks)} pairs of problems cross splits: {named}{more}; remove one of each pair")
    return {split: len(rows) for split, rows in rows_by_split.items()}


def repeated(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Return (first, other) for each row that states the problem of an earlier one under another id."""
    first_of: dict[str, Row] = {}
    pairs = [(first_of.setdefault(row.identity, row), row) for row in rows]
    return [(first, row) for first, row in pairs if first is not row]


def repeats(splits: Mapping[str, Sequence[Row]]) -> str:
    """Return a line about rows that state the problem of another row of their split; empty where none does."""
    pairs = [pair for rows in splits.values() for pair in repeated(rows)]
    if not pairs:
        return ""
    (first, other), rows = pairs[0], f"{count_of(len(pairs), 'row')} state{'s' if len(pairs) == 1 else ''}"
    like = f"{first.row_id} and {other.row_id}: each counts on its own; keep one of each"
    return f"{rows} the problem of another row under another id, like {like}"


def contradictions(rows: Sequence[Row], domain: str) -> list[str]:
    """Return a line for each row that states an earlier one and has an answer that cannot be right beside its own."""
    agree = find_domain(domain).agree
    return [
        f"{other.place}: contradicts {first.place}: the same statement has the answers {first.answer[:40]!r} and "
        f"{other.answer[:40]!r}"
        for first, other in repeated(rows)
        if not (agree(first.answer, other.answer) or agree(other.answer, first.answer))
    ]


def require_splits(path: Path, counts: Mapping[str, int]) -> None:
    """Raise DataError where a split that every campaign reads has no problem."""
    missing = [split for split in OWN_SHARES if not counts.get(split)]
    if missing:
        held = ", ".join(f"{count} {split}" for split, count in counts.items() if count)
        raise DataError(
            f"{path}: {sum(counts.values())} problems ({held}) give no {' and no '.join(missing)} problems, and a "
            f"campaign needs {', '.join(OWN_SHARES)}: give one file at least 40 problems, or a folder a file a split"
        )


def weak_problems(rows: Iterable[Row], domain: str) -> Iterator[tuple[Row, Weakness]]:
    """Yield the rows whose verdicts mean nothing, and why; raises ConfigError for a domain that has no tests to run."""
    weakness_of = find_domain(domain).weakness_of
    if weakness_of is None:
        raise ConfigError(f"problems of '{domain}' cannot be verified: they have no tests to run")
    yield from ((row, found) for row in rows if (found := weakness_of(row)) is not None)


def build_data(main: Path) -> str:
    """Build data/ unless it is as recorded; a new hash goes to data.dvc, as `dvc add data` writes it. Return a line."""
    files, record = CampaignFiles(main), main / "data.dvc"
    if record.is_file() and is_as_recorded(files):
        return f"{files.data} is up to date"
    shutil.rmtree(files.data, ignore_errors=True)
    found = build(files.data)
    if record.is_file() and found == recorded_hash(files):
        return f"{files.data} is built as recorded"
    sizes = [path.stat().st_size for path in files.data.rglob("*") if path.is_file()]
    out = {"md5": found, "size": sum(sizes), "nfiles": len(sizes), "hash": "md5", "path": files.data.name}
    write_atomic(record, yaml.safe_dump({"outs": [out]}, sort_keys=False))
    return f"{files.data} is built; its new hash {found} stands in {record}: commit it"


def is_as_recorded(files: CampaignFiles) -> bool:
    """Tell whether data/ is there, bit for bit as data.dvc records it."""
    return files.data.is_dir() and directory_hash(files.data) == recorded_hash(files)


def recorded_hash(files: CampaignFiles) -> str:
    """Return the hash of the problem sets that data.dvc records."""
    path = files.root / "data.dvc"
    if not path.is_file():
        raise DataError(f"{path} does not exist: run `evotrainer data build` and commit data.dvc")
    try:
        return load_yaml(path.read_text())["outs"][0]["md5"]
    except (yaml.YAMLError, KeyError, IndexError, TypeError):
        raise DataError(f"{path} is damaged: restore it with git, or run `evotrainer data build`") from None
