"""The built-in swe problems by split: kinds of bug in equal shares, each repository drawn for its split.

Functions of different splits have different canonical forms. What is still nearly the same change (plus where minus is
right, and minus where plus is) is found by comparing all and left out, so a few more are drawn than needed. On disk a
row has its repository as history only; rows.py adds up the files.
"""

import hashlib
from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

from evotrainer.campaign.seeds import derive_seed
from evotrainer.domains.problem_sets.similarity import cluster_roots, similar_pairs
from evotrainer.domains.swe.problems import FAMILIES, HELD_OUT_FAMILIES
from evotrainer.domains.swe.problems.generator import Draw, draw_problem
from evotrainer.domains.swe.problems.identity import identity_of

DATA_SEED = 0

SPLIT_SIZES = {"train": 600, "probe": 64, "validation": 160, "test": 200, "holdout": 200}
"""Problems by split, shared equally by the families that it holds."""

HELD_OUT_SPLITS = ("test", "holdout")
NUM_SPARE = 3
"""Problems of a family and split beyond its share."""


def problem_rows() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (split, row) of every built-in problem."""
    left = Counter({place: _share(*place) for place in _places()})
    for split, draw in _without_near_duplicates([pair for place in _places() for pair in _draws(*place)]):
        place = (split, draw.bug.family)
        if left[place]:
            left[place] -= 1
            yield split, row_of(draw)


def families_of(split: str) -> tuple[str, ...]:
    """Return the kinds of bug that stand in a split."""
    return tuple(name for name in FAMILIES if split in HELD_OUT_SPLITS or name not in HELD_OUT_FAMILIES)


def _places() -> list[tuple[str, str]]:
    """All pairs of split and family."""
    return [(split, family) for split in SPLIT_SIZES for family in families_of(split)]


def _share(split: str, family: str) -> int:
    assert family in families_of(split)
    return SPLIT_SIZES[split] // len(families_of(split))


def _draws(split: str, family: str) -> Iterator[tuple[str, Draw]]:
    """Yield as many problems as are wanted and some more, each with another change."""
    rng, seen = Random(derive_seed(DATA_SEED, "swe problems", split, family)), set()
    while len(seen) < _share(split, family) + NUM_SPARE:
        draw = draw_problem(rng, split, family)
        identity = identity_of(draw.patch)
        if identity not in seen:
            seen.add(identity)
            yield split, draw


def _without_near_duplicates(draws: list[tuple[str, Draw]]) -> Iterator[tuple[str, Draw]]:
    """Yield those that have no near-duplicate in another split."""
    roots = cluster_roots(len(draws), similar_pairs([identity_of(draw.patch) for _, draw in draws]))
    splits_of: dict[int, set[str]] = {}
    for (split, _), root in zip(draws, roots, strict=True):
        splits_of.setdefault(root, set()).add(split)
    for pair, root in zip(draws, roots, strict=True):
        if len(splits_of[root]) == 1:
            yield pair


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
