"""Search strategies by name: which versions come next, from which incumbent, and which candidate a slot takes."""

from evotrainer.config import Config
from evotrainer.config.limits import load_named
from evotrainer.errors import ConfigError
from evotrainer.search.base import Brief, SearchStrategy, VersionPlan, shares_rollout
from evotrainer.search.evotrainer import EvoTrainerSearch, HillClimbSearch
from evotrainer.search.gear import GearEvolveSearch, GearFixedSearch, GearPromptSearch
from evotrainer.search.specialists import SpecialistsSearch

__all__ = ["SEARCHES", "Brief", "SearchStrategy", "VersionPlan", "make_search", "shares_rollout"]

SEARCHES: dict[str, type[SearchStrategy]] = {
    "evotrainer": EvoTrainerSearch,
    "hillclimb": HillClimbSearch,
    "specialists": SpecialistsSearch,
    "gear_prompt": GearPromptSearch,
    "gear_fixed": GearFixedSearch,
    "gear_evolve": GearEvolveSearch,
}


def make_search(config: Config) -> SearchStrategy:
    """Return the campaign's search strategy; raises ConfigError that lists the choices, and for what is none."""
    found = load_named(SEARCHES, "search.name", config.search.name)
    if not (isinstance(found, type) and issubclass(found, SearchStrategy)):
        raise ConfigError(f"search.name={config.search.name!r} is no class of a SearchStrategy")
    return found()
