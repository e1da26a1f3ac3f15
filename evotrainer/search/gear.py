"""GEAR (arXiv 2605.13874): a bounded frontier of elite versions in place of one incumbent; docs/search.md.

    gear_fixed    the rules below choose parent and operator of every slot: mutate one elite, or cross two
    gear_prompt   candidates of the incumbent; an agent that reads text is given the frontier
    gear_evolve   as gear_fixed, with numbers that are halved or doubled where replay on past choices says so

    score(elite) = mean gain of its children + exploration - recency + novelty + coverage

Deviations: a gain is counted in measured noise floors, at most `MOST_FLOORS`, each worth `gain_unit`; the paper adds
gains of about 1e-3 to bonuses of .1 to .2, so that bonuses alone decide. To beat is by more than a noise floor. Roles
are read off the change. Everything follows from the closed versions, so that it can be recomputed.
"""

import math
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce

from evotrainer.campaign.layout import BASE_VERSION, version_name
from evotrainer.campaign.lineage import (
    ancestors,
    changes_since,
    common_base,
    find,
    gain,
    incumbent,
    recipe_from,
    taken_recipes,
)
from evotrainer.campaign.trials import label_of
from evotrainer.config import Config, GearConfig
from evotrainer.config.factors import FACTORS, families_of, recipe_hash
from evotrainer.config.interventions import MERGE_SIGN, Diff, apply
from evotrainer.records import HIDDEN_LABELS, Backtest, Intervention, VersionRecord, VersionSpec
from evotrainer.search.base import Brief, SearchStrategy, VersionPlan, candidates, skill_text

MOST_FLOORS = 3.0
"""Noise floors that a gain counts for at most: one lucky child does not hold the search for long."""
DEFAULT_FLOOR, LEAST_FLOOR = 0.01, 1e-4
"""Score units, where none was measured, and where evaluations never differ."""
FAR = 0.7
"""Jaccard distance from every elite above which a version is kept for what it is."""
RECENT_PARENTS = 3
NEW_ELITE, RATE_AFTER = 2, 3
"""Experiments within which a new elite asks for a crossover; after which the rate of crossovers is looked at."""
EDIT_EVERY, MIN_DIFFERENT = 5, 4
"""Experiments between two edits of a number; past choices with a known outcome that an edit must change."""
LATE_AFTER, LATE = 12, (0.08, 0.05)
"""After so many experiments these are the weights of novelty and coverage."""
EDITABLE = ("exploration", "recency_now", "recency_soon", "novelty", "coverage", "gain_unit")
ACT_ALIKE: tuple[frozenset[str], ...] = (
    frozenset({"learning_rate", "minibatches", "batch_size", "optimiser"}),
    frozenset({"clip", "dual_clip", "kl"}),
    frozenset({"length_reward", "response_budget", "trajectory_mask"}),
    frozenset({"group_filter", "refill", "group_size"}),
    frozenset({"temperature", "entropy"}),
    frozenset({"curriculum", "mixture"}),
)
"""Factors that act on the same thing: their gains would not add, so they are not crossed."""


@dataclass(frozen=True)
class Node:
    """One version of the search: the root, or an experiment."""

    version: str
    parents: tuple[str, ...] = ()
    role: str = "explore"
    """combine: a crossover; explore: any other change."""
    topic: str = ""
    tokens: frozenset[str] = frozenset()
    """Of its recipe against the campaign's: keys with the direction of their change."""
    score: float | None = None
    gain: float = 0.0
    """Over its first parent, in noise floors; 0 for what did not come to a valid score."""
    is_valid: bool = False


def noise_floor(records: Sequence[VersionRecord]) -> float:
    """Return the campaign's measured noise floor, in score units."""
    floors = [record.verdict.noise_floor.value for record in records if record.verdict.noise_floor is not None]
    return max(floors[0], LEAST_FLOOR) if floors else DEFAULT_FLOOR


def nodes_of(records: Sequence[VersionRecord]) -> list[Node]:
    """Return the root and all experiments in their order; what infrastructure ended is left out."""
    root = incumbent([record for record in records if record.spec.kind in ("base", "baseline")])
    nodes = [Node(root, role="root", score=find(records, root).honest_score, is_valid=True)]
    for record in records:
        role = "combine" if record.spec.kind == "merge" else "explore"
        if record.is_empty:  # a use of its parents that brought nothing
            nodes.append(Node(record.spec.version, tuple(record.spec.parents), role))
        elif record.intervention is not None and label_of(record) not in HIDDEN_LABELS:
            changes = changes_since(records, BASE_VERSION, record.spec.version)
            is_believed = record.verdict.outcome in ("promoted", "kept") or record.verdict.is_undecided
            has_score = record.honest_score is not None
            nodes.append(
                Node(
                    version=record.spec.version,
                    parents=tuple(record.spec.parents),
                    role=role,
                    topic=MERGE_SIGN.join(sorted(families_of(record.intervention.diff))),
                    tokens=frozenset(
                        word for diff in changes for key, change in diff.items() for word in _words(key, *change)
                    ),
                    score=record.honest_score,
                    gain=(gain(record) or 0.0) / noise_floor(records) if has_score else 0.0,
                    is_valid=is_believed and has_score,
                )
            )
    return nodes


def _words(key: str, old: object, new: object) -> tuple[str, str, str]:
    is_number = isinstance(old, int | float) and isinstance(new, int | float) and not isinstance(old, bool)
    return key, key.partition(".")[0], f"{key}:{('up' if new > old else 'down') if is_number else new}"  # type: ignore[operator]


def distance(first: frozenset[str], second: frozenset[str]) -> float:
    """Return the Jaccard distance of two descriptions; 0 for two empty ones."""
    union = first | second
    return 1 - len(first & second) / len(union) if union else 0.0


def admitted(elites: list[Node], node: Node, floor: float, numbers: GearConfig) -> list[Node]:
    """Return the elites after a version was judged: with it in a free place or that of the worst, or as they were."""
    if not node.is_valid or node.score is None:
        return elites
    if len(elites) < numbers.elites:
        return [*elites, node]

    def rank(one: Node) -> tuple[float, int, str]:
        return -1.0 if one.score is None else one.score, -len(one.tokens), one.version

    worst, best = min(elites, key=rank), max(elites, key=rank)
    over_best, over_worst = node.score - rank(best)[0], node.score - rank(worst)[0]
    is_leaner = abs(over_best) <= floor and len(node.tokens) < len(best.tokens)
    is_far = over_worst >= 0 and all(distance(node.tokens, elite.tokens) > FAR for elite in elites)
    if over_best > floor or over_worst > floor or is_leaner or is_far:
        return [*(elite for elite in elites if elite is not worst), node]
    return elites


def frontiers(nodes: Sequence[Node], floor: float, numbers: GearConfig) -> list[list[Node]]:
    """Return the elites after the root, and after each experiment."""
    found = [[nodes[0]]]
    for node in nodes[1:]:
        found.append(admitted(found[-1], node, floor, numbers))
    return found


def credits(version: str, experiments: Sequence[Node], numbers: GearConfig) -> list[float]:
    """Return the gains that an elite is credited with, half of a crossover's for its second parent."""
    return [
        numbers.gain_unit * max(-MOST_FLOORS, min(MOST_FLOORS, one.gain)) * (1.0 if one.parents[0] == version else 0.5)
        for one in experiments
        if version in one.parents
    ]


def ranked(nodes: Sequence[Node], elites: Sequence[Node], numbers: GearConfig) -> list[tuple[Node, float]]:
    """Return (elite, score), the best first; of equals the better version, then the earlier."""
    experiments, by_version = nodes[1:], {node.version: node for node in nodes}
    lam, gam = LATE if len(experiments) > LATE_AFTER else (numbers.novelty, numbers.coverage)
    recent = [by_version[name] for one in experiments[-RECENT_PARENTS:] for name in one.parents if name in by_version]
    found = []
    for elite in elites:
        credited = credits(elite.version, experiments, numbers)
        ages = [age for age, one in enumerate(reversed(experiments), 1) if elite.version in one.parents]
        recency = {1: numbers.recency_now, 2: numbers.recency_soon, 3: numbers.recency_soon}.get(
            min(ages, default=9), 0
        )
        novelty = min((distance(elite.tokens, other.tokens) for other in recent), default=1.0)
        density = sum((node.role, node.topic) == (elite.role, elite.topic) for node in nodes)
        bonus = numbers.exploration * math.sqrt(math.log(len(experiments) + 2) / (len(credited) + 1))
        mean = sum(credited) / len(credited) if credited else 0.0
        found.append((elite, mean + bonus - recency + lam * novelty + gam / math.sqrt(density + 1)))
    return sorted(found, key=lambda pair: (-pair[1], -(pair[0].score or 0.0), pair[0].version))


def wants_crossover(nodes: Sequence[Node], history: Sequence[Sequence[Node]], numbers: GearConfig) -> bool:
    """Return whether the next experiment should cross two elites; never twice in a row."""
    crossed = [node.role == "combine" for node in nodes[1:]]
    if not crossed or crossed[-1]:
        return False
    before = history[max(0, len(history) - 1 - NEW_ELITE)]
    is_new = any(elite not in before for elite in history[-1])
    is_due = len(crossed) >= numbers.crossover_every and not any(crossed[-numbers.crossover_every :])
    return is_due or is_new or (len(crossed) > RATE_AFTER and sum(crossed) / len(crossed) < numbers.crossover_rate)


def conflict(first: Sequence[Diff], second: Sequence[Diff]) -> bool:
    """Return whether two changes share a key or a factor, or act on the same thing."""
    keys = [{key for diff in changes for key in diff} for changes in (first, second)]
    names = [{name for name, factor in FACTORS.items() if own & set(factor.keys)} for own in keys]
    is_alike = any(names[0] & alike and names[1] & alike for alike in ACT_ALIKE)
    return bool(keys[0] & keys[1] or names[0] & names[1]) or is_alike


def edited_numbers(nodes: Sequence[Node], floor: float, numbers: GearConfig) -> GearConfig:
    """Return the numbers in force: after every `EDIT_EVERY` experiments one may be halved or doubled.

    An edit is replayed on all past choices of a parent: where it would have chosen another elite, it is credited with
    the mean gain of that elite's children. It enters where the mean improvement exceeds its standard error.
    """
    elites = frontiers(nodes, floor, numbers)
    for count in range(EDIT_EVERY, len(nodes), EDIT_EVERY):
        tried = [replace(numbers, **{key: getattr(numbers, key) * by}) for key in EDITABLE for by in (0.5, 2.0)]
        worths = [_worth(nodes[: count + 1], elites, numbers, edited) for edited in tried]
        if max(worths) > 0:
            numbers = tried[worths.index(max(worths))]
    return numbers


def _worth(nodes: Sequence[Node], elites: Sequence[Sequence[Node]], numbers: GearConfig, edited: GearConfig) -> float:
    """Return the mean improvement of the past choices that an edit changes, less its standard error."""
    gains: dict[str, list[float]] = {}
    for node in nodes[1:]:
        gains.setdefault(node.parents[0], []).append(node.gain)
    found = []
    for place in range(1, len(nodes)):
        was, would = (ranked(nodes[:place], elites[place - 1], one)[0][0].version for one in (numbers, edited))
        if was != would and nodes[place].role != "combine" and {was, would} <= gains.keys():
            found.append(statistics.fmean(gains[would]) - statistics.fmean(gains[was]))
    return statistics.fmean(found) - statistics.stdev(found) / len(found) ** 0.5 if len(found) >= MIN_DIFFERENT else 0.0


class GearFixedSearch(SearchStrategy):
    """The rules as a program."""

    words = ""
    """What the agent is told beside the frontier."""

    def plan(self, records: Sequence[VersionRecord], config: Config, places: int) -> list[VersionPlan]:
        """Return slots that each mutate an elite or cross two."""
        plans: list[VersionPlan] = []
        nodes, floor = nodes_of(records), noise_floor(records)
        numbers = self.numbers(nodes, floor, config)
        history = frontiers(nodes, floor, numbers)
        generation = 1 + max(record.spec.generation for record in records)
        for slot in range(min(places, config.search.candidates_per_generation)):
            crossed = _crossover(records, config, nodes, history, numbers)
            parents = crossed or (ranked(nodes, history[-1], numbers)[0][0].version,)
            version, kind = version_name(len(records) + slot), "merge" if crossed else "candidate"
            plans.append(VersionPlan(version, generation, slot, kind, parents, parents[0]))
            nodes.append(Node(version, parents, "combine" if crossed else "explore"))
            history.append(history[-1])
        return plans

    def brief(self, spec: VersionSpec, records: Sequence[VersionRecord], config: Config) -> Brief:
        """Return the slot's rank among those of its parent, with frontier and predictions as text."""
        earlier = [plan for plan in self.next_generation(records, config) if plan.slot < spec.slot]
        rank = sum((plan.incumbent, plan.kind) == (spec.incumbent, spec.kind) for plan in earlier)
        nodes, floor = nodes_of(records), noise_floor(records)
        numbers = self.numbers(nodes, floor, config)
        elites = ranked(nodes, frontiers(nodes, floor, numbers)[-1], numbers)
        lines = [f"  {one.version} {one.score}: {value:+.3f}, {one.role} {one.topic}" for one, value in elites]
        head = f"noise floor {floor:.4f}; you expand {spec.incumbent}; elites, by the rules' score:"
        return Brief(rank, text="\n".join([self.words + head, *lines, skill_text(records)]).rstrip())

    def numbers(self, nodes: Sequence[Node], floor: float, config: Config) -> GearConfig:
        """Return the numbers in force."""
        return config.search.gear


class GearEvolveSearch(GearFixedSearch):
    """The rules as a program whose numbers are edited."""

    def numbers(self, nodes: Sequence[Node], floor: float, config: Config) -> GearConfig:
        """Return the numbers in force."""
        return edited_numbers(nodes, floor, config.search.gear)


class GearPromptSearch(GearFixedSearch):
    """The rules as text: parent and operator are the agent's own."""

    words = (
        "You change one version, named below. To combine, propose for it a change that another elite has and it lacks, "
        "unless both act on the same thing. Repeat no recipe.\n"
    )

    def plan(self, records: Sequence[VersionRecord], config: Config, places: int) -> list[VersionPlan]:
        """Return candidates of the incumbent."""
        return candidates(records, config, min(places, config.search.candidates_per_generation))

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
    """Return the two elites to cross, the better one first; nothing where none is due or none would be new.

    The second parent is of another branch, lies apart, and adds most to the first.
    """
    if len(history[-1]) < 2 or not wants_crossover(nodes, history, numbers):
        return ()
    taken = taken_recipes(records)
    for first, _ in ranked(nodes, history[-1], numbers):
        for other in sorted(history[-1], key=lambda one: (-len(one.tokens - first.tokens), one.version)):
            pair = sorted((first, other), key=lambda node: (-(node.score or 0.0), node.version))
            versions = (pair[0].version, pair[1].version)
            is_apart = distance(first.tokens, other.tokens) >= numbers.min_distance
            if first.tokens and other.tokens and is_apart and _is_new(records, config, *versions, taken):
                return versions
    return ()


def _is_new(
    records: Sequence[VersionRecord], config: Config, first: str, second: str, taken: Mapping[str, str]
) -> bool:
    """Return whether a crossover joins changes of two branches that go together into a recipe that nobody has tried."""
    if second in ancestors(records, [first]) or first in ancestors(records, [second]):
        return False
    base = common_base(records, first, second)
    one, other = (changes_since(records, base, version) for version in (first, second))
    union = reduce(apply, other, recipe_from(records, config, first))
    return bool(one and other) and not conflict(one, other) and recipe_hash(union) not in taken
