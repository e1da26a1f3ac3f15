"""Specialist agents (arXiv 2605.05724): each owns a surface of the recipe, all learn from one measured lineage.

A generation gives each slot to another specialist: those with the fewest turns first, a saturated one last. The agent
of a slot proposes on its surface alone. Every candidate starts from the incumbent. An agent that reads text is shown
the lineage of all (agents/claude/prompts.py), and warned of each specialist whose last turns brought nothing.

Deviations from the paper: it lets ten agents edit a script at any time, side by side; here slots of a generation are
planned together. It promotes what is better by one evaluation; here the gate decides, and the incumbent is what it
promoted. A repeated recipe is refused before training; there it was run. A direction that failed closes for everybody
(agents/rules.py).
"""

import itertools
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from evotrainer.campaign.trials import label_of
from evotrainer.config import Config
from evotrainer.config.factors import Factor
from evotrainer.config.limits import find
from evotrainer.errors import ConfigError
from evotrainer.records import HIDDEN_LABELS, VersionRecord, VersionSpec
from evotrainer.search.base import Brief, SearchStrategy, VersionPlan, candidates, skill_text

AUTHOR_SIGN = "@"
"""Separates the agent from the specialist in an author: rules@reward."""
SATURATED_AFTER = 5
"""Turns of a specialist in a row without a keep after which it is warned, and waits for the others."""


@dataclass(frozen=True)
class Surface:
    """The part of a recipe that one specialist owns: factors by name, others of its family that no one names."""

    meaning: str
    families: tuple[str, ...] = ()
    factors: tuple[str, ...] = ()


SURFACES: dict[str, Surface] = {
    "reward": Surface("what is paid for", families=("reward",)),
    "filter": Surface("which trajectories and groups reach the loss", families=("filter",)),
    "algorithm": Surface("estimator and optimiser", families=("algorithm",)),
    "sampling": Surface("how training rollouts are drawn", families=("sampling",)),
    "curriculum": Surface("which problems come when", families=("data",)),
    "budget": Surface("tokens and turns an attempt may take", factors=("response_budget",)),
    "harness": Surface("the diagnostics: no factor of a recipe, revised by harness.evolve between generations"),
}
"""Who owns what. `harness` takes no slot: its edits are revisions of the harness, which every recipe is judged by."""


class SpecialistsSearch(SearchStrategy):
    """One specialist a slot, fewest turns first."""

    def plan(self, records: Sequence[VersionRecord], config: Config, places: int) -> list[VersionPlan]:
        """Return candidates of the incumbent, one of each specialist whose turn it is."""
        names = on_turn(records, config)
        return candidates(records, config, min(places, config.search.candidates_per_generation, len(names)))

    def brief(self, spec: VersionSpec, records: Sequence[VersionRecord], config: Config) -> Brief:
        """Return the surface of the slot's specialist, who brought nothing lately, and how predictions fared."""
        name, turns = on_turn(records, config)[spec.slot], _turns(records, taking_part(config))
        idle = [one for one in sorted(turns) if turns[one][1] >= SATURATED_AFTER]
        warned = f"; no keep in their last turns: {', '.join(idle)}" if idle else ""
        said = f"you own the surface {name}: {SURFACES[name].meaning}{warned}\n{skill_text(records)}"
        return Brief(0, name, said.rstrip())


def owned(name: str, table: Mapping[str, Factor]) -> set[str]:
    """Return the factors of a recipe that a specialist owns."""
    named = {factor for surface in SURFACES.values() for factor in surface.factors}
    surface = SURFACES[name]
    of_family = {one.name for one in table.values() if one.family in surface.families} - named
    return of_family | (set(surface.factors) & table.keys())


def on_turn(records: Sequence[VersionRecord], config: Config) -> list[str]:
    """Return the specialists in the order of their turns; raises ConfigError for a name that is none."""
    return _in_turn(_turns(records, taking_part(config)))


def taking_part(config: Config) -> list[str]:
    """Return the specialists who can propose; raises ConfigError, with the choices, for a name that is none."""
    surfaces = {name: find(SURFACES, "search.specialists", name) for name in config.search.specialists}
    names = [name for name, surface in surfaces.items() if surface.families or surface.factors]
    if not names:
        raise ConfigError(f"search.specialists names nobody who can propose: choose from {', '.join(SURFACES)}")
    return names


def _turns(records: Sequence[VersionRecord], names: Collection[str]) -> dict[str, tuple[int, int]]:
    """Return {specialist: (turns taken, turns since its last keep)}; what infrastructure ended does not count.

    A turn with nothing lawful to propose counts as `SATURATED_AFTER` without a keep. A version without a candidate
    names nobody: its slot had the specialist whose turn it was when its generation was planned.
    """
    found: dict[str, tuple[int, int]] = dict.fromkeys(names, (0, 0))
    for _, members in itertools.groupby(records, key=lambda record: record.spec.generation):
        planned = _in_turn(found)
        for record in members:
            label = label_of(record)
            is_slot = record.is_empty and record.spec.kind == "candidate" and record.spec.slot < len(planned)
            signed = record.intervention.author.partition(AUTHOR_SIGN)[2] if record.intervention else ""
            name = planned[record.spec.slot] if is_slot else signed
            if name in found and label not in HIDDEN_LABELS:
                taken, idle = found[name]
                worth = SATURATED_AFTER if record.is_empty else 1
                found[name] = (taken + 1, 0 if label == "keep" else idle + worth)
    return found


def _in_turn(found: Mapping[str, tuple[int, int]]) -> list[str]:
    """Return specialists in the order of their turns: fewest turns first, saturated ones last."""
    return sorted(found, key=lambda name: (found[name][1] >= SATURATED_AFTER, found[name][0]))
