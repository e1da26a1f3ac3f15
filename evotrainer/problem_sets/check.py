"""Check a problem set on disk: its hash, and that no problem or near-duplicate stands in two splits.

Problems of a built-in family are compared by canonical form, recomputed from the prompt (47+38 and 38+47 are one
problem, 47+38 and 47+39 are two); all others by the similarity of their text (similarity.py).
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from evotrainer.errors import DataError
from evotrainer.problem_sets.build import directory_hash
from evotrainer.problem_sets.math import FAMILIES
from evotrainer.problem_sets.similarity import similar_pairs
from evotrainer.problems import Row, split_rows

MAX_NAMED = 3

Placed = tuple[str, Row]
"""A row with the split that it stands in."""


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
    return {f"{folder.name}/{split}": count
            for folder in sorted(path for path in data.iterdir() if path.is_dir())
            for split, count in check_set(folder).items()}


def check_set(path: Path) -> dict[str, int]:
    """Return problems by split of one set (a directory or a person's own file); raises DataError naming leaks."""
    rows_by_split = split_rows(path)
    leaks = find_leaks(rows_by_split)
    if leaks:
        named = "; ".join(f"{leak.problem_id} ({leak.split}) and {leak.other_id} ({leak.other_split}): {leak.reason}"
                          for leak in leaks[:MAX_NAMED])
        more = f" and {len(leaks) - MAX_NAMED} more" if len(leaks) > MAX_NAMED else ""
        raise DataError(f"{path}: {len(leaks)} pairs of problems cross splits: {named}{more}; remove one of each pair")
    return {split: len(rows) for split, rows in rows_by_split.items()}


def find_leaks(rows_by_split: dict[str, list[Row]]) -> list[Leak]:
    """Return the pairs across splits that share an id, a canonical form, or most of their text."""
    placed = [(split, row) for split, rows in rows_by_split.items() for row in rows]
    built_in = [item for item in placed if item[1].family in FAMILIES]
    others = [item for item in placed if item[1].family not in FAMILIES]
    leaks = _shared(placed, [row.row_id for _, row in placed], "same id")
    leaks += _shared(built_in, [FAMILIES[row.family].canonical(row.problem) for _, row in built_in], "same problem")
    for left, right in similar_pairs([row.problem for _, row in others]):
        leaks += _leak(others[left], others[right], "nearly the same text")
    return leaks


def _shared(placed: Sequence[Placed], keys: Sequence[str], reason: str) -> list[Leak]:
    groups: dict[str, list[Placed]] = defaultdict(list)
    for item, key in zip(placed, keys, strict=True):
        groups[key].append(item)
    return [leak for group in groups.values() for left, right in combinations(group, 2)
            for leak in _leak(left, right, reason)]


def _leak(left: Placed, right: Placed, reason: str) -> list[Leak]:
    if left[0] == right[0]:
        return []
    return [Leak(left[0], left[1].row_id, right[0], right[1].row_id, reason)]
