"""Recipes from records alone: which diff stands on which version, and what two versions have in common.

A candidate's diff stands on its incumbent, a merge's on what its parents have in common. The base policy stands for
the campaign's own recipe.
"""

from collections.abc import Sequence

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.lineage import baseline, find
from evotrainer.config import Config
from evotrainer.config.interventions import Diff, apply
from evotrainer.records import VersionRecord


def diff_base(records: Sequence[VersionRecord], version: str) -> str:
    """Return the version that a version's diff stands on."""
    record = find(records, version)
    if record.spec.kind == "merge":
        return common_base(records, *record.spec.parents)
    return record.spec.incumbent if record.spec.kind in ("candidate", "continuation") else BASE_VERSION


def recipe_chain(records: Sequence[VersionRecord], version: str) -> list[str]:
    """Return the versions whose diffs a recipe is made of, itself first, down to the base policy."""
    chain = [version]
    while chain[-1] != BASE_VERSION:
        chain.append(diff_base(records, chain[-1]))
    return chain


def common_base(records: Sequence[VersionRecord], first: str, second: str) -> str:
    """Return the nearest version that the recipes of two versions both stand on."""
    known = set(recipe_chain(records, second)[1:])
    return next(version for version in recipe_chain(records, first)[1:] if version in known)


def recipe_beneath(records: Sequence[VersionRecord], first: str, second: str) -> str:
    """Return the trained version with neither change of a merge: what both stand on, or the baseline for v000."""
    base = common_base(records, first, second)
    return base if base != BASE_VERSION else baseline(records) or BASE_VERSION


def changes_since(records: Sequence[VersionRecord], base: str, version: str) -> list[Diff]:
    """Return the diffs from `base` to a version in their order; its own alone where it does not stand on `base`."""
    chain = recipe_chain(records, version)
    steps = chain[: chain.index(base)] if base in chain else chain[:1]
    made = [find(records, name).intervention for name in reversed(steps)]
    return [intervention.diff for intervention in made if intervention is not None]


def recipe_from(records: Sequence[VersionRecord], campaign: Config, version: str) -> Config:
    """Return a closed version's recipe: the campaign's under all diffs of its chain."""
    recipe = campaign
    for diff in changes_since(records, BASE_VERSION, version):
        recipe = apply(recipe, diff)
    return recipe


def descends(records: Sequence[VersionRecord], version: str, ancestor: str) -> bool:
    """Return whether a version has another one among its ancestors, through any of its parents, or is it."""
    waiting, seen = [version], set()
    while waiting:
        name = waiting.pop()
        if name == ancestor:
            return True
        if name not in seen:
            seen.add(name)
            waiting.extend(find(records, name).spec.parents)
    return False
