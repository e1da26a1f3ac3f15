"""The built-in swe problems by split: kinds of bug in equal shares, each repository drawn for its split.

On disk a row has its repository as history only; rows.py adds up the files.
"""

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any

from evotrainer.problem_sets.swe import FAMILIES, HELD_OUT_FAMILIES
from evotrainer.problem_sets.swe.generator import Draw, draw_problem
from evotrainer.problem_sets.swe.identity import identity_of
from evotrainer.seeds import derive_seed

DATA_SEED = 0

SPLIT_SIZES = {"train": 600, "probe": 64, "validation": 160, "test": 200, "holdout": 200}
"""Problems by split, shared equally by the families that it holds."""

HELD_OUT_SPLITS = ("test", "holdout")


def problem_rows() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (split, row) of every built-in problem."""
    for split, size in SPLIT_SIZES.items():
        families = families_of(split)
        for family in families:
            yield from _family_rows(split, family, size // len(families))


def families_of(split: str) -> tuple[str, ...]:
    """Return the kinds of bug that stand in a split."""
    return tuple(name for name in FAMILIES if split in HELD_OUT_SPLITS or name not in HELD_OUT_FAMILIES)


def _family_rows(split: str, family: str, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (split, row) of problems that need different changes."""
    rng, seen = Random(derive_seed(DATA_SEED, "swe problems", split, family)), set()
    while len(seen) < count:
        draw = draw_problem(rng, split, family)
        identity = identity_of(draw.patch)
        if identity not in seen:
            seen.add(identity)
            yield split, row_of(draw)


def row_of(draw: Draw) -> dict[str, Any]:
    """Return the row of a problem as it stands on disk."""
    name = hashlib.sha256(f"{draw.issue}\n{draw.patch}".encode()).hexdigest()[:10]
    return {
        "id": f"{name}-{draw.bug.family}",
        "family": draw.bug.family,
        "problem": draw.issue,
        "answer": draw.patch,
        "difficulty": draw.difficulty,
        **{key: value for key, value in draw.data().items() if key != "files"},
    }
