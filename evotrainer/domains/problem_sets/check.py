"""Check a problem set on disk: its hash, and that no problem or near-duplicate stands in two splits.

It trusts nothing that the build wrote but the prompts: duplicates are found anew (duplicates.py).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from evotrainer.domains import find_domain
from evotrainer.domains.problem_sets.build import directory_hash
from evotrainer.domains.problem_sets.columns import Reading
from evotrainer.domains.problem_sets.duplicates import duplicate_pairs
from evotrainer.domains.problem_sets.loading import split_rows
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.domains.problem_sets.splits import OWN_SHARES
from evotrainer.errors import DataError

MAX_NAMED = 3


@dataclass(frozen=True)
class Leak:
    """Two problems that are the same up to a trivial change and stand in different splits."""

    split: str
    problem_id: str
    other_split: str
    other_id: str
    reason: str


def check(data: Path, expected_hash: str) -> dict[str, int]:
    """Return {'math/train': 3000, ...}; raises DataError if `data` was altered or leaks across splits.

    `data` is what build() wrote, `expected_hash` what data.dvc records of it.
    """
    if not data.is_dir():
        raise DataError(f"{data} does not exist: run `evotrainer data build`")
    found = directory_hash(data)
    if found != expected_hash:
        raise DataError(f"{data} was altered (hash {found}, recorded {expected_hash}): run `evotrainer data build`")
    return {
        f"{folder.name}/{split}": count
        for folder in sorted(path for path in data.iterdir() if path.is_dir())
        for split, count in check_set(folder, folder.name).items()
    }


def check_set(path: Path, domain: str, reading: Reading | None = None) -> dict[str, int]:
    """Return problems by split of one set (a directory or a person's own file); raises DataError naming leaks."""
    return check_splits(path, split_rows(path, domain, reading))


def check_splits(path: Path, rows_by_split: dict[str, list[Row]]) -> dict[str, int]:
    """Return problems by split of a set that was read from `path`; raises DataError naming leaks."""
    leaks = find_leaks(rows_by_split)
    if leaks:
        named = "; ".join(
            f"{leak.problem_id} ({leak.split}) and {leak.other_id} ({leak.other_split}): {leak.reason}"
            for leak in leaks[:MAX_NAMED]
        )
        more = f" and {len(leaks) - MAX_NAMED} more" if len(leaks) > MAX_NAMED else ""
        raise DataError(f"{path}: {len(leaks)} pairs of problems cross splits: {named}{more}; remove one of each pair")
    return {split: len(rows) for split, rows in rows_by_split.items()}


def repeated(rows: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Return (first, other) for each row that states the problem of an earlier one under another id."""
    first_of: dict[str, Row] = {}
    pairs = [(first_of.setdefault(row.identity, row), row) for row in rows]
    return [(first, row) for first, row in pairs if first is not row]


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


def find_leaks(rows_by_split: dict[str, list[Row]]) -> list[Leak]:
    """Return pairs across splits that share an id or are the same problem up to a trivial change."""
    placed = [(split, row) for split, rows in rows_by_split.items() for row in rows]
    first_of: dict[str, int] = {}
    pairs = [(first_of.setdefault(row.row_id, index), index, "same id") for index, (_, row) in enumerate(placed)]
    pairs += duplicate_pairs([row.identity for _, row in placed])
    return [
        Leak(placed[left][0], placed[left][1].row_id, placed[right][0], placed[right][1].row_id, reason)
        for left, right, reason in pairs
        if placed[left][0] != placed[right][0]
    ]
