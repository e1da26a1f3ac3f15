"""The built-in math problems by split: each family is drawn until its share of each split is full.

A family that is held out fills test and holdout only.
"""

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any

from evotrainer.campaign.seeds import derive_seed
from evotrainer.domains.math.problems import FAMILIES
from evotrainer.domains.problem_sets.base import Draw, Family
from evotrainer.domains.problem_sets.splits import SHARES, split_of

DATA_SEED = 0

SPLIT_SIZES = {"train": 3000, "probe": 240, "validation": 240, "test": 400, "holdout": 400}
"""Problems by split, shared equally by the families that it holds."""

HELD_OUT_SPLITS = ("test", "holdout")


def problem_rows() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (split, row) of every built-in problem."""
    for family in FAMILIES.values():
        yield from _family_rows(family)


def draws(family: Family, seed: int) -> Iterator[tuple[str, Draw]]:
    """Yield (canonical form, problem) of one family, each form once."""
    rng, seen = Random(seed), set()
    while True:
        draw = family.draw(rng)
        canonical = family.canonical(draw.prompt)
        if canonical not in seen:
            seen.add(canonical)
            yield canonical, draw


def _family_rows(family: Family) -> Iterator[tuple[str, dict[str, Any]]]:
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


def _row(family: Family, canonical: str, draw: Draw) -> dict[str, Any]:
    name = hashlib.sha256(canonical.encode()).hexdigest()[:10]
    return {
        "id": f"{name}-{family.name}",
        "family": family.name,
        "problem": draw.prompt,
        "answer": draw.answer,
        "difficulty": draw.difficulty,
    }
