"""GEAR's controller as an artifact: its numbers are edited, journalled, tested by replay on past decisions, versioned.

After every `EDIT_EVERY` experiments one edit is looked for: one number halved or doubled. An edit is replayed on all
past choices of a parent: where it would have chosen another elite of that time, it is credited with the mean gain of
that elite's other children, if it had any. It enters where the mean improvement exceeds its standard error; otherwise
the journal says why not. Nothing is trained for an edit.

The history follows from the closed versions alone, so that it can be recomputed; plan writes it beside each version
(inputs/controller.json), as the harness is written beside the versions that it judges.
"""

import dataclasses
import statistics
from collections.abc import Sequence
from typing import Any

from evotrainer.config import Config, GearConfig
from evotrainer.records import VersionRecord
from evotrainer.records.controllers import Controller, ControllerEdit
from evotrainer.search.gear.choice import worths
from evotrainer.search.gear.frontier import frontiers
from evotrainer.search.gear.nodes import Node, nodes_of, noise_floor

EDIT_EVERY = 5
"""Experiments between two edits: at most one iteration in five is an edit."""
MIN_DIFFERENT = 4
"""Past choices that an edit must change, and whose outcome can be estimated, before it is believed."""
RATIOS = (0.5, 2.0)
EDITABLE = (
    "exploration",
    "recency_now",
    "recency_soon",
    "novelty",
    "novelty_late",
    "coverage",
    "coverage_late",
    "gain_unit",
)
"""Numbers that choose a parent: those of crossovers and of the frontier leave too few past choices to replay."""


def controller_of(records: Sequence[VersionRecord], config: Config) -> Controller:
    """Return the controller in force after these versions, with its journal."""
    nodes, floor = nodes_of(records), noise_floor(records)
    numbers, journal = config.search.gear, []
    elites = frontiers(nodes, floor, numbers)
    for count in range(EDIT_EVERY, len(nodes), EDIT_EVERY):
        edit = _best_edit(nodes[: count + 1], elites[: count + 1], numbers, len(journal) + 1)
        journal.append(edit)
        if edit.is_accepted:
            numbers = dataclasses.replace(numbers, **{edit.key: edit.new})
    return Controller(revision=sum(edit.is_accepted for edit in journal), numbers=vars(numbers).copy(), journal=journal)


def numbers_of(controller: Controller) -> GearConfig:
    """Return the numbers of a controller, in their declared types."""
    kinds = {field.name: field.type for field in dataclasses.fields(GearConfig)}
    typed: dict[str, Any] = {
        key: int(value) if kinds[key] is int else value for key, value in controller.numbers.items()
    }
    return GearConfig(**typed)


def _best_edit(
    nodes: Sequence[Node], elites: Sequence[Sequence[Node]], numbers: GearConfig, number: int
) -> ControllerEdit:
    """Return the edit with the highest estimated gain, accepted or not."""
    found = [
        _replayed(nodes, elites, numbers, number, key, getattr(numbers, key) * ratio)
        for key in EDITABLE
        for ratio in RATIOS
        if getattr(numbers, key) > 0
    ]
    return max(found, key=lambda edit: (edit.is_accepted, edit.gain - edit.standard_error, -EDITABLE.index(edit.key)))


def _replayed(
    nodes: Sequence[Node], elites: Sequence[Sequence[Node]], numbers: GearConfig, number: int, key: str, new: float
) -> ControllerEdit:
    edited = dataclasses.replace(numbers, **{key: new})
    differences: list[float] = []
    changed = 0
    for place in range(1, len(nodes)):
        before, frontier = nodes[:place], elites[place - 1]
        if len(frontier) < 2 or nodes[place].role == "combine":
            continue
        was, would = (worths(before, frontier, each)[0].node.version for each in (numbers, edited))
        if was == would:
            continue
        values = [_outcome(nodes, place, version) for version in (was, would)]
        if values[0] is not None and values[1] is not None:
            changed += 1
            differences.append(values[1] - values[0])
    gain = statistics.fmean(differences) if differences else 0.0
    error = statistics.stdev(differences) / len(differences) ** 0.5 if changed >= 2 else 0.0
    is_accepted = changed >= MIN_DIFFERENT and gain > error
    return ControllerEdit(
        number=number,
        after=nodes[-1].version,
        key=key,
        old=getattr(numbers, key),
        new=new,
        replayed=changed,
        gain=gain,
        standard_error=error,
        is_accepted=is_accepted,
        reason=_reason(changed, gain, error),
    )


def _outcome(nodes: Sequence[Node], place: int, version: str) -> float | None:
    """Return what expanding an elite brought: the choice's own gain where it was taken, else that of its children."""
    if nodes[place].parents[0] == version:
        return nodes[place].gain
    gains = [node.gain for node in nodes[1:] if node.parents and node.parents[0] == version]
    return statistics.fmean(gains) if gains else None


def _reason(changed: int, gain: float, error: float) -> str:
    if changed < MIN_DIFFERENT:
        return f"replay changes {changed} past choices with a known outcome: fewer than {MIN_DIFFERENT}"
    told = f"over {changed} past choices it would have gained {gain:+.2f} noise floors each, standard error {error:.2f}"
    return told if gain > error else f"{told}: not beyond chance"
