"""The built-in code problems by split: each family is drawn until its share of each split is full.

A family that is held out fills test and holdout only. Each row has a canary, a text that stands nowhere but beside the
hidden tests: who says it has read them.
"""

import hashlib
from collections.abc import Iterator
from random import Random
from typing import Any

from evotrainer.campaign.seeds import derive_seed
from evotrainer.domains.code.problems.families import FAMILIES, CodeFamily, Spec, canonical_form
from evotrainer.domains.code.problems.prompts import NUM_EXAMPLES, show
from evotrainer.domains.code.problems.solving import has_one_answer, solve
from evotrainer.domains.problem_sets.splits import SHARES, split_of

DATA_SEED = 0

SPLIT_SIZES = {"train": 1800, "probe": 120, "validation": 240, "test": 400, "holdout": 400}
"""Problems by split, shared equally by the families that it holds."""

MAX_REPEATS = 2000

HELD_OUT_SPLITS = ("test", "holdout")

NUM_HIDDEN = {True: 8, False: 4}
"""Hidden tests of a function, which share an execution, and of a program that reads and prints, which do not."""


def problem_rows() -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (split, row) of every built-in problem."""
    for family in FAMILIES.values():
        yield from _family_rows(family)


def draws(family: CodeFamily, seed: int) -> Iterator[tuple[str, Spec]]:
    """Yield (canonical form, problem) of one family, each form once, until hardly any are left."""
    rng, seen, num_repeats = Random(seed), set(), 0
    while num_repeats < MAX_REPEATS:
        spec, num_repeats = family.draw(rng), num_repeats + 1
        canonical = canonical_form(spec.statement)
        assert canonical is not None
        if canonical not in seen:
            seen.add(canonical)
            num_repeats = 0
            yield canonical, spec


def _family_rows(family: CodeFamily) -> Iterator[tuple[str, dict[str, Any]]]:
    """Yield (split, row) until the family's share of each of its splits is full."""
    wanted = _family_sizes(family)
    for canonical, spec in draws(family, derive_seed(DATA_SEED, "problems", "code", family.name)):
        split = split_of(canonical, SHARES)
        row = problem_row(spec) if wanted.get(split, 0) else None
        if row is None or has_one_answer(row["hidden"]):
            continue
        wanted[split] -= 1
        yield split, row
        if not any(wanted.values()):
            return
    raise ValueError(f"the family '{family.name}' has too few problems for its splits: {wanted} are missing")


def _family_sizes(family: CodeFamily) -> dict[str, int]:
    num_open = sum(not other.is_held_out for other in FAMILIES.values())
    return {
        split: size // (len(FAMILIES) if split in HELD_OUT_SPLITS else num_open)
        for split, size in SPLIT_SIZES.items()
        if split in HELD_OUT_SPLITS or not family.is_held_out
    }


def problem_row(spec: Spec) -> dict[str, Any]:
    """Return the row of one problem, with its tests."""
    canonical, is_function = canonical_form(spec.statement), spec.family.function is not None
    name = hashlib.sha256(str(canonical).encode()).hexdigest()[:10]
    rng = Random(derive_seed(DATA_SEED, "tests", str(canonical)))
    visible, hidden = solve(spec, rng, NUM_EXAMPLES[is_function], NUM_HIDDEN[is_function])
    return {
        "id": f"{name}-{spec.family.name}",
        "family": spec.family.name,
        "problem": show(spec.family, spec.statement, visible),
        "difficulty": round(spec.difficulty, 3),
        "function": spec.family.function,
        "visible": visible,
        "hidden": hidden,
        "reference": spec.program,
        "canary": f"canary-{hashlib.sha256(f'hidden tests of {canonical}'.encode()).hexdigest()[:16]}",
    }
