"""Moving a limit: the answer to two findings that contradict each other.

One of the two warns too early. For each limit that either finding names, a few other values are tried on the evidence
of the contradiction. Values that resolve it are run on all stored versions. The proposal is the one with the most
known-bad versions caught, then the fewest alarms on healthy ones.

Its chance is that of as many catches among as many findings (hypergeometric), times the number of moves tried. That
number stands on the card, because a card that enters on few versions is decided later. A moved limit takes effect once
it is accepted.
"""

import dataclasses
from collections.abc import Callable, Iterator, Sequence

import scipy

from evotrainer.diagnosis.context import Context
from evotrainer.diagnosis.evolved.cards import Card, Plugin
from evotrainer.diagnosis.evolved.gate import Judged, decide
from evotrainer.diagnosis.evolved.proposals import AUTHOR, free_name
from evotrainer.diagnosis.evolved.separation import false_alarms, separation
from evotrainer.diagnosis.evolved.stored import Stored
from evotrainer.diagnosis.thresholds import Thresholds
from evotrainer.records import Gap, HarnessReport

FACTORS = (0.5, 0.67, 0.8, 1.25, 1.5, 2.0)
_SHARED = frozenset({"alpha", "trend_alpha", "limit_alpha", "min_rows", "min_groups"})
"""Limits that all diagnostics share: one finding is no reason to move them."""

Finds = Callable[[dict[str, float], str, Context], bool]
"""(limits, mode, context) -> whether the mode is found in this evidence under these limits."""


def limit_revision(
    gap: Gap,
    stored: Sequence[Stored],
    reports: Sequence[HarnessReport],
    finds: Finds,
    date: str,
    taken: Sequence[str],
    level: float,
) -> tuple[Plugin, Judged] | None:
    """Return the moved limit that resolves a contradiction best, with the gate's decision; None where none does."""
    place = next((i for i, one in enumerate(stored) if one.is_audit and one.version == gap.version), None)
    if place is None:
        return None
    found: list[tuple[tuple[int, int, float], dict[str, float], str]] = []
    moves = list(_moves(gap, reports[place]))
    for mode, moved, factor in moves:
        if finds(moved, mode, stored[place].context):
            continue
        alarms = [finds(moved, mode, one.context) for one in stored]
        spared = -sum(alarm for alarm, one in zip(alarms, stored, strict=True) if one.is_healthy)
        caught = sum(alarm for alarm, one in zip(alarms, stored, strict=True) if one.label == "bad")
        found.append(((caught, spared, -abs(factor - 1.0)), moved, mode))
    if not found:
        return None
    _, moved, mode = max(found, key=lambda one: (one[0], sorted(one[1].items())))
    name = free_name(f"{next(iter(moved))}_limit", date, taken)
    card = Card(
        name=name,
        kind="threshold",
        status="provisional",
        gap=f"{gap.version}: {gap.message}",
        gap_kind=gap.kind,
        formula=f"{', '.join(f'{key} at {value:g}' for key, value in moved.items())}, for {mode}",
        limits=moved,
        mode=mode,
        num_moves=len(moves),
        author=AUTHOR,
        date=date,
    )
    return Plugin(card=card), judge_limit(card, stored, finds, level)


def judge_limit(card: Card, stored: Sequence[Stored], finds: Finds, level: float, is_new: bool = True) -> Judged:
    """Return the gate's word on a moved limit: what the finding is worth under it, of all moves that were tried."""
    alarms = [finds(card.limits, card.mode, one.context) for one in stored]
    labelled = [(alarm, one.label == "bad") for alarm, one in zip(alarms, stored, strict=True) if one.label]
    values, is_bad = [float(alarm) for alarm, _ in labelled], [bad for _, bad in labelled]
    found = separation(values, [alarm for alarm, _ in labelled], is_bad, p_value=_chance(labelled, card.num_moves))
    silent = false_alarms([alarm for alarm, one in zip(alarms, stored, strict=True) if one.is_healthy])
    return decide(found, silent, level, is_new, card.status)


def _chance(labelled: Sequence[tuple[bool, bool]], num_moves: int) -> float:
    """Return the chance of as many findings on bad versions where the labels mean nothing, for any of the moves."""
    total, bad = len(labelled), sum(is_bad for _, is_bad in labelled)
    found, both = sum(alarm for alarm, _ in labelled), sum(alarm and is_bad for alarm, is_bad in labelled)
    return min(1.0, num_moves * float(scipy.stats.hypergeom.sf(both - 1, total, bad, found)))


def _moves(gap: Gap, report: HarnessReport) -> Iterator[tuple[str, dict[str, float], float]]:
    defaults = {field.name for field in dataclasses.fields(Thresholds)} - _SHARED
    for finding in report.findings:
        if finding.mode in gap.modes:
            for name in sorted(defaults & finding.thresholds.keys()):
                for factor in FACTORS:
                    yield finding.mode, {name: float(f"{finding.thresholds[name] * factor:.6g}")}, factor
