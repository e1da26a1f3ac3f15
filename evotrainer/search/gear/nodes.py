"""Versions as GEAR sees them: what each describes, its role and topic, its gain in noise floors.

A role is read off the change itself whenever the lineage is read, so that it cannot go stale:

    combine    a crossover            simplify   it switches something off, or takes an addition back
    exploit    its parent's own factor once more        explore    any other factor
"""

from collections.abc import Sequence
from dataclasses import dataclass

from evotrainer.campaign.layout import BASE_VERSION
from evotrainer.campaign.lineage import find, gain, incumbent
from evotrainer.campaign.recipes import changes_since
from evotrainer.campaign.trials.of_versions import label_of
from evotrainer.config.factors import families_of
from evotrainer.config.interventions import MERGE_SIGN, Diff
from evotrainer.records import HIDDEN_LABELS, VersionRecord

VALID_OUTCOMES = ("promoted", "kept")
LEAST_FLOOR = 1e-4
"""Noise floor of a campaign whose evaluations never differ."""
DEFAULT_FLOOR = 0.01
"""Where none was measured."""
_OFF = (0, 0.0, False, "none")


@dataclass(frozen=True)
class Node:
    """One version of the search: the root, or an experiment."""

    version: str
    parents: tuple[str, ...]
    role: str
    topic: str
    tokens: frozenset[str]
    """Of its whole recipe against the campaign's: keys with the direction of their change."""
    size: int
    """Keys that its recipe changes: of near equals the leaner one is kept."""
    score: float | None
    gain: float
    """Over its first parent, in noise floors; 0 for what did not come to a valid score."""
    is_valid: bool


def noise_floor(records: Sequence[VersionRecord]) -> float:
    """Return the campaign's measured noise floor, in score units."""
    for record in records:
        if record.verdict.noise_floor is not None:
            return max(record.verdict.noise_floor.value, LEAST_FLOOR)
    return DEFAULT_FLOOR


def nodes_of(records: Sequence[VersionRecord]) -> list[Node]:
    """Return the root and all experiments in their order; what infrastructure ended is left out."""
    start = [record for record in records if record.spec.kind in ("base", "baseline")]
    root, floor = incumbent(start), noise_floor(records)
    nodes = [Node(root, (), "root", "", frozenset(), 0, find(records, root).honest_score, 0.0, True)]
    for record in records:
        if record.is_empty:
            nodes.append(_unused(record))
        elif record.intervention is not None and label_of(record) not in HIDDEN_LABELS:
            nodes.append(_node(records, record, floor))
    return nodes


def _unused(record: VersionRecord) -> Node:
    """Return the node of a version without a candidate: a use of its parents that brought nothing."""
    role = "combine" if record.spec.kind == "merge" else "explore"
    return Node(record.spec.version, tuple(record.spec.parents), role, "", frozenset(), 0, None, 0.0, False)


def tokens_of(diffs: Sequence[Diff]) -> frozenset[str]:
    """Return the description of a change: each key, its family, and the way it goes."""
    found: set[str] = set()
    for diff in diffs:
        for key, (old, new) in diff.items():
            found |= {key, key.partition(".")[0], f"{key}:{_way(old, new)}"}
    return frozenset(found)


def _node(records: Sequence[VersionRecord], record: VersionRecord, floor: float) -> Node:
    assert record.intervention is not None
    changes = changes_since(records, BASE_VERSION, record.spec.version)
    is_believed = record.verdict.outcome in VALID_OUTCOMES or record.verdict.is_undecided
    is_valid = is_believed and record.honest_score is not None
    families = sorted(families_of(record.intervention.diff))
    return Node(
        version=record.spec.version,
        parents=tuple(record.spec.parents),
        role=_role(records, record),
        topic=MERGE_SIGN.join(families),
        tokens=tokens_of(changes),
        size=len({key for diff in changes for key in diff}),
        score=record.honest_score,
        gain=(gain(record) or 0.0) / floor if record.honest_score is not None else 0.0,
        is_valid=is_valid,
    )


def _role(records: Sequence[VersionRecord], record: VersionRecord) -> str:
    made = record.intervention
    assert made is not None
    if record.spec.kind == "merge":
        return "combine"
    if all(new in _OFF and old not in _OFF for old, new in made.diff.values()):
        return "simplify"
    parent = find(records, record.spec.incumbent).intervention
    return "exploit" if parent is not None and set(parent.diff) & set(made.diff) else "explore"


def _way(old: object, new: object) -> str:
    if isinstance(old, bool) or not isinstance(old, int | float) or not isinstance(new, int | float):
        return str(new)
    return "up" if new > old else "down"
