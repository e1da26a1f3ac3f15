"""GEAR's three searches (arXiv 2605.13874): the rules in the prompt, as a program, or as a program that is edited.

    gear_prompt   candidates of the incumbent; the agent is given frontier, rules and reflections as text
    gear_fixed    the rules choose parent and operator of every slot
    gear_evolve   the same, with numbers that follow their record (evolve.py)

An agent that reads no text is left to its own order by gear_prompt: with trainer=rules it is hill climbing with
backtests, several candidates wide.
"""

from collections.abc import Sequence
from dataclasses import replace

from evotrainer.campaign.layout import version_name
from evotrainer.campaign.lineage import taken_recipes
from evotrainer.campaign.recipes import changes_since, common_base, descends, recipe_from
from evotrainer.config import Config, GearConfig
from evotrainer.config.factors import recipe_hash
from evotrainer.config.interventions import apply
from evotrainer.records import Backtest, Intervention, VersionRecord, VersionSpec
from evotrainer.records.controllers import Controller
from evotrainer.search.base import VersionPlan, best_accepted, candidates, opening, places_left
from evotrainer.search.brief import Brief
from evotrainer.search.gear.choice import conflict, pairs, wants_crossover, worths
from evotrainer.search.gear.evolve import controller_of, numbers_of
from evotrainer.search.gear.frontier import frontiers
from evotrainer.search.gear.nodes import Node, nodes_of, noise_floor
from evotrainer.search.gear.text import frontier_text, rules_text


class GearFixedSearch:
    """The rules as a program."""

    def next_generation(self, records: Sequence[VersionRecord], config: Config) -> list[VersionPlan]:
        """Return base, baseline, or slots that each mutate an elite or cross two."""
        plans = opening(records, config)
        if plans:
            return plans
        width = min(places_left(records, config), config.search.candidates_per_generation)
        generation = 1 + max(record.spec.generation for record in records)
        nodes, floor, numbers = nodes_of(records), noise_floor(records), self._numbers(records, config)
        history = frontiers(nodes, floor, numbers)
        for slot in range(max(0, width)):
            version = version_name(len(records) + slot)
            crossed = _crossover(records, config, nodes, history, numbers)
            parent = worths(nodes, history[-1], numbers)[0].node
            parents = crossed or (parent.version,)
            kind = "merge" if crossed else "candidate"
            plans.append(VersionPlan(version, generation, slot, kind, parents, parents[0]))
            nodes = [*nodes, _planned(version, parents, parent)]
            history = [*history, history[-1]]
        return plans

    def brief(self, spec: VersionSpec, records: Sequence[VersionRecord], config: Config) -> Brief:
        """Return the slot's rank among those of its parent, with the frontier as text."""
        plans = self.next_generation(records, config)
        earlier = [plan for plan in plans if plan.slot < spec.slot and plan.kind == spec.kind]
        rank = sum(plan.incumbent == spec.incumbent for plan in earlier)
        return Brief(rank=rank, text=frontier_text(records, self._numbers(records, config), spec.incumbent))

    def select(self, pool: Sequence[Intervention], backtests: Sequence[Backtest], slot: int, config: Config) -> int:
        """Return the accepted candidate of this rank, by predicted effect; then the refused."""
        return best_accepted(pool, backtests)[slot]

    def _numbers(self, records: Sequence[VersionRecord], config: Config) -> GearConfig:
        return config.search.gear


class GearEvolveSearch(GearFixedSearch):
    """The rules as a program whose numbers are edited."""

    def artifact(self, records: Sequence[VersionRecord], config: Config) -> Controller:
        """Return the controller in force, to be kept beside the versions that it plans."""
        if not any(record.spec.kind == "base" for record in records):
            return Controller(revision=0, numbers=vars(config.search.gear).copy())
        return controller_of(records, config)

    def _numbers(self, records: Sequence[VersionRecord], config: Config) -> GearConfig:
        return numbers_of(self.artifact(records, config))


class GearPromptSearch:
    """The rules as text: parent and operator are the agent's own."""

    def next_generation(self, records: Sequence[VersionRecord], config: Config) -> list[VersionPlan]:
        """Return base, baseline, or candidates of the incumbent."""
        plans = opening(records, config)
        if plans:
            return plans
        width = min(places_left(records, config), config.search.candidates_per_generation)
        return candidates(records, config, width) if width > 0 else []

    def brief(self, spec: VersionSpec, records: Sequence[VersionRecord], config: Config) -> Brief:
        """Return the rules, the frontier and the reflections as text."""
        numbers = config.search.gear
        text = f"{rules_text(numbers)}\n{frontier_text(records, numbers, spec.incumbent)}"
        return Brief(rank=spec.slot, text=text)

    def select(self, pool: Sequence[Intervention], backtests: Sequence[Backtest], slot: int, config: Config) -> int:
        """Return the proposer's own order, those that a backtest refused last."""
        return sorted(range(len(pool)), key=lambda index: not backtests[index].accepted)[slot]


def _crossover(
    records: Sequence[VersionRecord],
    config: Config,
    nodes: Sequence[Node],
    history: Sequence[Sequence[Node]],
    numbers: GearConfig,
) -> tuple[str, ...]:
    """Return the two elites to cross, the better one first; nothing where none is due or none would be new."""
    if len(history[-1]) < 2 or not wants_crossover(nodes, history, numbers):
        return ()

    def are_apart(one: Node, other: Node) -> bool:
        versions = one.version, other.version
        return not descends(records, *versions) and not descends(records, *versions[::-1])

    taken = taken_recipes(records)
    for worth in worths(nodes, history[-1], numbers):
        for other in pairs(worth.node, history[-1], nodes, numbers, are_apart):
            pair = sorted((worth.node, other), key=lambda node: (-(node.score or 0.0), node.version))
            versions = (pair[0].version, pair[1].version)
            if worth.node.tokens and _is_new(records, config, versions, taken):
                return versions
    return ()


def _is_new(records: Sequence[VersionRecord], config: Config, pair: tuple[str, str], taken: dict[str, str]) -> bool:
    """Return whether a crossover joins changes that go together into a recipe that nobody has tried."""
    base = common_base(records, *pair)
    first, second = (changes_since(records, base, version) for version in pair)
    if not first or not second or conflict(first, second):
        return False
    union = recipe_from(records, config, pair[0])
    for diff in second:
        union = apply(union, diff)
    return recipe_hash(union) not in taken


def _planned(version: str, parents: tuple[str, ...], parent: Node) -> Node:
    """Return an experiment that is planned beside others: a use of its parents, without an outcome yet."""
    role = "combine" if len(parents) > 1 else "explore"
    return replace(parent, version=version, parents=parents, role=role, gain=0.0, score=None, is_valid=False)
