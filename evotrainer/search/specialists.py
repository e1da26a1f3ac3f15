"""Specialist agents (arXiv 2605.05724): each owns a surface of the recipe, all learn from one measured lineage.

A generation gives each slot to another specialist: those with the fewest turns first, a saturated one last; one that
had nothing lawful to propose is saturated. The
agent of a slot proposes on its surface alone, sees what the channels show (channels.py), and does not go again where
a typed failure has closed a direction (agents/briefed.py). Every candidate starts from the incumbent; the best of its
surface by backtest is taken.

Deviations from the paper: it lets ten agents edit a script at any time, side by side; here slots of a generation are
planned together. It promotes what is better by one evaluation; here the gate decides, and the incumbent is what it
promoted. A repeated recipe is refused before training; there it was run.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from evotrainer.campaign.trials.of_versions import label_of
from evotrainer.config import Config
from evotrainer.config.factors import Factor
from evotrainer.config.limits import find
from evotrainer.errors import ConfigError
from evotrainer.records import Backtest, Intervention, TrialLabel, VersionRecord, VersionSpec
from evotrainer.search.base import VersionPlan, best_accepted, candidates, opening, places_left
from evotrainer.search.brief import Brief, Surface, owns
from evotrainer.search.channels import channel_text, in_turn, turns, visible

SURFACES: dict[str, Surface] = {
    surface.name: surface
    for surface in (
        Surface("reward", "what is paid for", families=("reward",)),
        Surface("filter", "which trajectories and groups reach the loss", families=("filter",)),
        Surface("algorithm", "estimator and optimiser", families=("algorithm",)),
        Surface("sampling", "how training rollouts are drawn", families=("sampling",)),
        Surface("curriculum", "which problems come when", families=("data",)),
        Surface("budget", "tokens and turns an attempt may take", factors=("response_budget",)),
        Surface("harness", "the diagnostics: no factor of a recipe, revised by harness.evolve between generations"),
    )
}
"""Who owns what. `harness` takes no slot: its edits are revisions of the harness, which every recipe is judged by."""

CLOSING: tuple[TrialLabel, ...] = (
    "crash",
    "preflight_crash",
    "size_blocked",
    "train_budget_overrun",
    "eval_budget_overrun",
    "disqualified",
)
"""Failures that close a direction on the incumbent that showed them; a discard only sends it to the end."""


class SpecialistsSearch:
    """One specialist a slot, fewest trials first."""

    def next_generation(self, records: Sequence[VersionRecord], config: Config) -> list[VersionPlan]:
        """Return base, baseline, or candidates of the incumbent, one of each specialist whose turn it is."""
        names = on_turn(records, config)
        plans = opening(records, config)
        if plans:
            return plans
        left = places_left(records, config)
        width = min(left, config.search.candidates_per_generation, len(names))
        return candidates(records, config, width) if width > 0 else []

    def brief(self, spec: VersionSpec, records: Sequence[VersionRecord], config: Config) -> Brief:
        """Return the surface of the slot's specialist, with what the channels show it."""
        surface = surface_of(on_turn(records, config)[spec.slot], config)
        is_shared = config.search.lineage == "on"
        shown = visible(records, is_shared)
        channels = channel_text(records, _taking_part(config), is_shared)
        off = f"; off limits: {', '.join(sorted(surface.off_limits))}" if surface.off_limits else ""
        return Brief(
            rank=0,
            surface=surface,
            visible=shown,
            closed=closed(records, spec.incumbent) if is_shared else {},
            text=f"you own the surface {surface.name}: {surface.meaning}{off}\n{channels}",
        )

    def select(self, pool: Sequence[Intervention], backtests: Sequence[Backtest], slot: int, config: Config) -> int:
        """Return the accepted candidate of this rank, by predicted effect; then the refused."""
        return best_accepted(pool, backtests)[slot]


def on_turn(records: Sequence[VersionRecord], config: Config) -> list[str]:
    """Return the specialists in the order of their turns; raises ConfigError for a name that is none."""
    return in_turn(turns(records, _taking_part(config)))


def _taking_part(config: Config) -> list[str]:
    names = [name for name in config.search.specialists if _has_factors(find(SURFACES, "search.specialists", name))]
    if not names:
        raise ConfigError(f"search.specialists names nobody who can propose: choose from {', '.join(SURFACES)}")
    return names


def surface_of(name: str, config: Config) -> Surface:
    """Return a specialist's surface with the factors that the campaign puts off its limits."""
    own = [item.partition(".") for item in config.search.off_limits]
    return replace(SURFACES[name], off_limits=frozenset(factor for owner, _, factor in own if owner == name))


def closed(records: Sequence[VersionRecord], incumbent: str) -> dict[str, str]:
    """Return {version: label} of the versions on this incumbent whose failure closes their direction."""
    return {
        record.spec.version: label_of(record)
        for record in records
        if record.intervention is not None and record.spec.incumbent == incumbent and label_of(record) in CLOSING
    }


def _has_factors(surface: Surface) -> bool:
    return bool(surface.families or surface.factors)


def check_off_limits(config: Config, table: Mapping[str, Factor]) -> None:
    """Raise ConfigError, with the choices, for an item of search.off_limits that is no factor of a specialist."""
    for item in config.search.off_limits:
        owner, _, name = item.partition(".")
        if owner not in SURFACES or not name:
            raise ConfigError(
                f"search.off_limits={item!r} is unknown: write specialist.factor, with one of {', '.join(SURFACES)}"
            )
        own = [factor.name for factor in table.values() if owns(SURFACES[owner], factor, SURFACES.values())]
        if name not in own:
            choices = ", ".join(own) or "nothing"
            raise ConfigError(f"search.off_limits={item!r}: the specialist {owner} owns no {name}, but {choices}")
