"""What GEAR does next: mutate one elite, or cross two. A pure function of nodes, elites and the controller's numbers.

Crossover, when none was in the last four experiments, or fewer than a quarter of them were after three, or an elite
entered in the last two; never twice in a row. The two must be of different branches, far enough apart, and their
changes must not act on the same thing (`conflict`).
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from evotrainer.config import GearConfig
from evotrainer.config.factors import FACTORS, Factor, factors_of
from evotrainer.config.interventions import Diff
from evotrainer.search.gear.formulas import (
    SECOND_PARENT,
    complement,
    coverage,
    distance,
    exploration,
    mean_gain,
    normalised,
    novelty,
    recency,
    second_parent,
    weights,
)
from evotrainer.search.gear.nodes import Node

RECENT_PARENTS = 3
"""Last experiments whose parents novelty is measured against."""
NEW_ELITE = 2
"""Experiments within which a new elite asks for a crossover."""
RATE_AFTER = 3
"""Experiments after which the rate of crossovers is looked at."""

ACT_ALIKE: tuple[frozenset[str], ...] = (
    frozenset({"learning_rate", "minibatches", "batch_size", "optimiser"}),
    frozenset({"clip", "dual_clip", "kl"}),
    frozenset({"length_reward", "response_budget", "trajectory_mask"}),
    frozenset({"group_filter", "refill", "group_size"}),
    frozenset({"temperature", "entropy"}),
    frozenset({"curriculum", "mixture"}),
)
"""Factors that act on the same thing: the size of an update, its bound, length, usable groups, spread, the pool."""


@dataclass(frozen=True)
class Worth:
    """Why an elite is chosen: the parts of its score."""

    node: Node
    gain: float
    exploration: float
    recency: float
    novelty: float
    coverage: float

    @property
    def total(self) -> float:
        """The score."""
        return self.gain + self.exploration + self.recency + self.novelty + self.coverage


def worths(nodes: Sequence[Node], elites: Sequence[Node], numbers: GearConfig) -> list[Worth]:
    """Return the elites by score, the best first; of equals the better version, then the earlier."""
    experiments = nodes[1:]
    by_version = {node.version: node for node in nodes}
    lam, gam = weights(len(experiments), numbers)
    last = experiments[-RECENT_PARENTS:]
    recent = [by_version[name].tokens for one in last for name in one.parents if name in by_version]
    found = []
    for elite in elites:
        credited = credits(elite.version, experiments, numbers)
        density = sum((node.role, node.topic) == (elite.role, elite.topic) for node in nodes)
        found.append(
            Worth(
                elite,
                mean_gain(credited),
                exploration(len(credited), len(experiments), numbers.exploration),
                recency(_age(elite.version, experiments), numbers),
                lam * novelty(elite.tokens, recent),
                gam * coverage(density),
            )
        )
    return sorted(found, key=lambda worth: (-worth.total, -(worth.node.score or 0.0), worth.node.version))


def credits(version: str, experiments: Sequence[Node], numbers: GearConfig) -> list[float]:
    """Return the gains that an elite is credited with, one an expansion, in the unit of the bonuses."""
    return [
        normalised(one.gain, 1.0, numbers.gain_unit) * (1.0 if one.parents[0] == version else SECOND_PARENT)
        for one in experiments
        if version in one.parents
    ]


def wants_crossover(nodes: Sequence[Node], frontiers: Sequence[Sequence[Node]], numbers: GearConfig) -> bool:
    """Return whether the next experiment should cross two elites."""
    crossed = [node.role == "combine" for node in nodes[1:]]
    if not crossed or crossed[-1]:
        return False
    before = frontiers[max(0, len(frontiers) - 1 - NEW_ELITE)]
    is_new = any(elite not in before for elite in frontiers[-1])
    is_due = len(crossed) >= numbers.crossover_every and not any(crossed[-numbers.crossover_every :])
    is_rare = len(crossed) > RATE_AFTER and sum(crossed) / len(crossed) < numbers.crossover_rate
    return is_due or is_rare or is_new


def pairs(
    first: Node,
    elites: Sequence[Node],
    nodes: Sequence[Node],
    numbers: GearConfig,
    are_apart: Callable[[Node, Node], bool],
) -> list[Node]:
    """Return the possible second parents, the best first."""
    possible = [
        other
        for other in elites
        if other.tokens and are_apart(first, other) and distance(first.tokens, other.tokens) >= numbers.min_distance
    ]

    def value(other: Node) -> float:
        paired = sum({first.version, other.version} == set(node.parents) for node in nodes)
        is_better = (other.score or 0.0) > (first.score or 0.0)
        added = complement(first.tokens, other.tokens)
        return second_parent(added, other.role != first.role, is_better, paired, numbers)

    return sorted(possible, key=lambda other: (-value(other), other.version))


def conflict(first: Sequence[Diff], second: Sequence[Diff]) -> str:
    """Return why two changes do not go together, empty where they do."""
    keys = [{key for diff in changes for key in diff} for changes in (first, second)]
    if shared := keys[0] & keys[1]:
        return f"both change {', '.join(sorted(shared))}"
    names = [{factor.name for key in own for factor in _owners(key)} for own in keys]
    if shared := names[0] & names[1]:
        return f"both change the factor {', '.join(sorted(shared))}"
    for alike in ACT_ALIKE:
        if names[0] & alike and names[1] & alike:
            met = sorted((names[0] | names[1]) & alike)
            return f"{' and '.join(met)} act on the same thing: their gains would not add"
    return ""


def _owners(key: str) -> list[Factor]:
    """Return the factor of a key; nothing for one of a domain, which is compared by its key alone."""
    return factors_of({key}) if any(key in factor.keys for factor in FACTORS.values()) else []


def _age(version: str, experiments: Sequence[Node]) -> int | None:
    used = [place for place, one in enumerate(experiments, 1) if version in one.parents]
    return len(experiments) + 1 - used[-1] if used else None
