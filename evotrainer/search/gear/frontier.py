"""The bounded frontier of elites: who enters, whom it replaces (arXiv 2605.13874, promotion rules).

A valid version enters where a place is free; where it beats the best or the worst elite; where it is near the best and
leaner; or where its description is far from every elite's and it is not worse than the worst. It takes the place of
the worst. Deviation: to beat is by more than one noise floor, and near is within one; the paper's margin lay below its
own noise.
"""

from collections.abc import Sequence

from evotrainer.config import GearConfig
from evotrainer.search.gear.formulas import distance
from evotrainer.search.gear.nodes import Node

FAR = 0.7
"""Jaccard distance from every elite above which a version is kept for what it is."""


def frontiers(nodes: Sequence[Node], floor: float, numbers: GearConfig) -> list[list[Node]]:
    """Return the elites after the root, and after each experiment."""
    elites = [nodes[0]]
    found = [elites]
    for node in nodes[1:]:
        elites = admitted(elites, node, floor, numbers)
        found.append(elites)
    return found


def admitted(elites: list[Node], node: Node, floor: float, numbers: GearConfig) -> list[Node]:
    """Return the elites after a version was judged: with it, or as they were."""
    if not node.is_valid or node.score is None:
        return elites
    if len(elites) < numbers.elites:
        return [*elites, node]
    worst, best = min(elites, key=_rank), max(elites, key=_rank)
    if not _deserves(node, elites, best, worst, floor):
        return elites
    return [*(elite for elite in elites if elite is not worst), node]


def _deserves(node: Node, elites: Sequence[Node], best: Node, worst: Node, floor: float) -> bool:
    over_best, over_worst = _score(node) - _score(best), _score(node) - _score(worst)
    is_leaner = abs(over_best) <= floor and node.size < best.size
    is_far = over_worst >= 0 and all(distance(node.tokens, elite.tokens) > FAR for elite in elites)
    return over_best > floor or over_worst > floor or is_leaner or is_far


def _score(node: Node) -> float:
    return node.score if node.score is not None else -1.0


def _rank(node: Node) -> tuple[float, int, str]:
    return _score(node), -node.size, node.version
