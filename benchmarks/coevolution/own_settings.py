"""A person's own settings of a bench: any, but what makes an arm that arm, a world that world, a seed that seed.

Such a setting would be heard, and tables would go on calling the campaign by a name that it no longer deserves.
"""

from collections.abc import Sequence
from typing import Any

from benchmarks.coevolution.worlds import ARMS, World
from conf.compose import compose_campaign
from evotrainer.config import config_to_dict, flatten
from evotrainer.errors import ConfigError

ALWAYS_FIXED = ("seed", "domain.name")
FREE = {"search.candidates_per_generation"}
"""Arms differ in it, and stay what they are where a person sets it for all."""
MISSING = object()


def check_own_settings(world: World, arms: Sequence[str], scale: str, own: Sequence[str]) -> None:
    """Compose every arm's campaign with a person's settings; raises ConfigError for one that undoes the bench's."""
    plain = {arm: _values(world.overrides(arm, 0, scale)) for arm in ARMS}
    honest = _values(world.honest(arms[0], 0, scale))
    keys = set().union(*plain.values())
    fixed = {key for key in keys if len({repr(values.get(key)) for values in plain.values()}) > 1}
    fixed |= {key for key in keys if plain[arms[0]].get(key) != honest.get(key)}
    fixed |= {key for key in keys if key in ALWAYS_FIXED or key.startswith("memory.")}
    fixed -= FREE
    for arm in arms:
        chosen = _values(world.overrides(arm, 0, scale, own))
        for key in sorted(fixed):
            if chosen.get(key, MISSING) != plain[arm].get(key, MISSING):
                raise ConfigError(
                    f"your settings change {key}, by which the bench tells arms, worlds and seeds apart "
                    f"(arm {arm}, world {world.name}): leave it out"
                )


def _values(overrides: Sequence[str]) -> dict[str, Any]:
    return flatten(config_to_dict(compose_campaign(overrides)))
