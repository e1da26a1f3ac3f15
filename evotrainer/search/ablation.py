"""Rapid ablation: which additions of the incumbent's chain are still to be taken back, one factor at a time.

Taking back the last addition gives the recipe before it, which was tried: such recipes are left out, so that nothing
is trained twice. What an ablation shows is in the lineage; only a promotion makes the incumbent leaner.
"""

from collections.abc import Sequence

from evotrainer.campaign.lineage import best_chain, find, incumbent, taken_recipes
from evotrainer.campaign.recipes import recipe_from
from evotrainer.config import Config, config_to_dict, flatten
from evotrainer.config.factors import FACTORS, recipe_hash
from evotrainer.config.interventions import MERGE_SIGN, with_values
from evotrainer.errors import ConfigError
from evotrainer.records import VersionRecord
from evotrainer.search.brief import Addition


def pending(records: Sequence[VersionRecord], config: Config) -> list[Addition]:
    """Return what can be taken back from the incumbent and was not tried yet, the newest addition first."""
    recipe = recipe_from(records, config, incumbent(records))
    taken = set(taken_recipes(records))
    found: list[Addition] = []
    for addition in _additions(records, recipe):
        try:
            without = recipe_hash(with_values(recipe, addition.setting))
        except ConfigError:  # no lawful step from this recipe
            continue
        if without not in taken and without != recipe_hash(recipe):
            taken.add(without)
            found.append(addition)
    return found


def _additions(records: Sequence[VersionRecord], recipe: Config) -> list[Addition]:
    """Return the additions of the chain that the recipe still has, a merge's factor by factor."""
    flat = flatten(config_to_dict(recipe))
    found: list[Addition] = []
    for version in reversed(best_chain(records)):
        made = find(records, version).intervention
        if made is None:
            continue
        for name in made.factor.split(MERGE_SIGN):
            keys: Sequence[str] = FACTORS[name].keys if name in FACTORS else ()
            back = {key: old for key, (old, new) in made.diff.items() if key in keys and flat[key] == new}
            if back:
                found.append(Addition(version, name, back))
    return found
