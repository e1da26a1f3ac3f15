"""GEAR as text: the rules, the frontier with the parts of each score, and one reflection an experiment."""

from collections.abc import Sequence

from evotrainer.config import GearConfig
from evotrainer.records import VersionRecord
from evotrainer.search.brief import seen_trials, skill_text
from evotrainer.search.gear.choice import worths
from evotrainer.search.gear.frontier import frontiers
from evotrainer.search.gear.nodes import Node, nodes_of, noise_floor

REFLECTIONS = 10
"""Experiments whose reflections are shown, the last ones."""


def rules_text(numbers: GearConfig) -> str:
    """Return the rules as an agent is told them."""
    return (
        f"Keep up to {numbers.elites} elite versions. Expand the elite with the highest score = mean gain of its "
        f"children ({numbers.gain_unit:g} a noise floor) + {numbers.exploration:g} sqrt(ln(N + 2) / (n + 1)) "
        f"- {numbers.recency_now:g} if it was just used, - {numbers.recency_soon:g} if in the last three "
        f"+ {numbers.novelty:g} novelty + {numbers.coverage:g} coverage. You change one version, named below. To "
        "combine, propose for it a change that another elite has and it lacks, unless both act on the same thing: "
        f"after {numbers.crossover_every} experiments without a combination, never twice in a row. Say for each "
        "proposal which role it has: explore, exploit, simplify or combine. Repeat no recipe."
    )


def frontier_text(records: Sequence[VersionRecord], numbers: GearConfig, parent: str) -> str:
    """Return the elites with their scores, the parent that is expanded, reflections, and the skill of predictions."""
    nodes, floor = nodes_of(records), noise_floor(records)
    elites = frontiers(nodes, floor, numbers)[-1]
    lines = [f"noise floor {floor:.4f}; you expand {parent}", "elites, by score:"]
    for worth in worths(nodes, elites, numbers):
        lines.append(
            f"  {worth.node.version} {_number(worth.node.score)}: {worth.total:+.3f} = gain {worth.gain:+.3f}, "
            f"exploration {worth.exploration:+.3f}, recency {worth.recency:+.3f}, novelty {worth.novelty:+.3f}, "
            f"coverage {worth.coverage:+.3f}"
        )
    changes = {trial.trial_id: trial.change for trial in seen_trials(records)}
    lines += ["reflections:", *(f"  {_reflection(node, changes)}" for node in nodes[1:][-REFLECTIONS:])]
    return "\n".join([*lines, skill_text(records)]).rstrip()


def _reflection(node: Node, changes: dict[str, str]) -> str:
    if not node.topic:
        return f"{node.version} ({node.role}) on {'+'.join(node.parents)}: nothing lawful was left to try"
    change = changes.get(node.version, "")
    if node.score is None:
        return f"{node.version} ({node.role}, {node.topic}) {change}: no score"
    beyond = "beyond" if abs(node.gain) > 1 else "within"
    return (
        f"{node.version} ({node.role}, {node.topic}) {change}: {node.gain:+.1f} noise floors on "
        f"{'+'.join(node.parents)}, {beyond} the noise"
    )


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}"
