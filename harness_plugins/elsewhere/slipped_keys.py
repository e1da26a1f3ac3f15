"""Gold answers that slip by one from some place on: a question was lost from its file and its answer was not.

Up to that place the answer that most attempts at a problem end with is its gold answer. From there on, to the end or
until the files meet again, it is the gold answer of the problem before or behind. The order is that of the file, of a
column that numbers problems, or of the numbers in their ids: a run visits problems in an order of its own.

Neighbours that have the same answer say nothing and are left out. How often any two problems share an answer, and how
often those two places apart do there, tells chance. A part of a question that is answered with the part before leaves
its neighbours right. Labels in disorder match no neighbour.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.diagnosis.texts.gold import answer_key, gold_column, is_short
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("gold", "reward")}

_LAGS = (1, -1)
_MIN_MOVED, _MIN_VALUES, _MIN_OUTSIDE = 8, 5, 10
_MOVED, _OWN_THERE, _OWN_OUTSIDE = 0.3, 0.15, 0.3
"""Shares: of problems in the stretch that match a neighbour, of such matches those that match their own, and of
problems outside that match their own."""
_LEAST_CHANCE = 0.02
_LAST_NUMBER = re.compile(r"(\d+)\D*\Z")


class _Slip(NamedTuple):
    """A stretch of problems, in one order, whose answers match the gold ones `lag` places behind."""

    lag: int
    first: int
    last: int
    """The place behind its last problem."""
    moved: int
    own_outside: float
    chance: float
    """How probable such a stretch is, for all that were tried."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where the gold answers of a stretch of problems are those of their neighbours."""
    rows = context.unequally_paid
    name = gold_column(rows, rows["problem_id"], EXTRA_PREFIX) if len(rows) else ""
    if not name:
        return Diagnosis()
    rows = rows.sort_values("place", kind="stable")
    rows = rows[(rows["final_answer"] != "") & rows[name].map(is_short)]
    problems = rows.drop_duplicates("problem_id").set_index("problem_id", drop=False)
    if len(problems) < _MIN_MOVED + _MIN_OUTSIDE:
        return Diagnosis()
    usual = rows.groupby("problem_id", sort=False)["final_answer"].agg(lambda answers: answers.mode().iloc[0])
    table = problems.assign(said=usual.map(answer_key), gold=problems[name].map(answer_key))
    for order, ordered in _orders(table):
        slip = _slip(ordered["said"].to_numpy(), ordered["gold"].to_numpy())
        if slip is None or slip.chance >= context.thresholds.alpha:
            continue
        part = ordered.iloc[slip.first : slip.last]
        message = (
            f"from problem {str(part.index[0])[:40]} on, in the order of {order}, most attempts at {slip.moved} of "
            f"{len(part)} problems end with the gold answer of the problem {'behind' if slip.lag > 0 else 'before'} "
            f"theirs; elsewhere {slip.own_outside:.0%} end with their own: a row was lost or added on one side alone"
        )
        numbers = {"problems": slip.moved, "stretch": len(part), "own_elsewhere": slip.own_outside}
        shown = rows[rows["problem_id"].isin(part.index)]
        return Diagnosis(findings=[context.finding("metric_defect", "critical", message, numbers, ("alpha",), shown)])
    return Diagnosis()


def _orders(table: Frame) -> Iterator[tuple[str, Frame]]:
    """Yield the orders that problems may have had in their file."""
    yield "the rows", table
    for name in outside_columns(table):
        values = table[name]
        if values.map(lambda value: isinstance(value, float) and value.is_integer()).all() and values.is_unique:
            yield f"`{name.removeprefix(EXTRA_PREFIX)}`", table.sort_values(name)
    numbers = table["problem_id"].astype(str).str.extract(_LAST_NUMBER)[0]
    if numbers.notna().all() and numbers.is_unique:
        yield "their ids", table.loc[numbers.astype(float).sort_values().index]


def _slip(said: np.ndarray, gold: np.ndarray) -> _Slip | None:
    """Return the stretch with the most answers that match a neighbour's gold answer and not their own."""
    own, values = said == gold, set(said)
    by_chance = sum(float((said == value).mean() * (gold == value).mean()) for value in values)
    found = []
    for lag in _LAGS:
        moved = _matches(said, gold, lag) & ~own
        first, last = _heaviest((moved.astype(int) - own.astype(int)).tolist())
        count, size = int(moved[first:last].sum()), last - first
        outside = np.concatenate([own[:first], own[last:]])
        if count < max(_MIN_MOVED, _MOVED * size) or own[first:last].sum() > _OWN_THERE * count:
            continue
        if len(outside) < _MIN_OUTSIDE or outside.mean() < _OWN_OUTSIDE:
            continue
        if len(set(said[first:last][moved[first:last]])) < _MIN_VALUES:
            continue
        farther = max(float(_matches(said, gold, 2 * one)[first:last].mean()) for one in _LAGS)
        chance = scipy.stats.binom.sf(count - 1, size, max(_LEAST_CHANCE, by_chance, farther))
        found.append(_Slip(lag, first, last, count, float(outside.mean()), float(chance) * len(said) ** 2))
    return min(found, key=lambda slip: slip.chance, default=None)


def _matches(said: np.ndarray, gold: np.ndarray, lag: int) -> np.ndarray:
    """Tell of each problem whether what is said there is the gold answer `lag` places behind it."""
    other = np.roll(gold, -lag)
    found = said == other
    found[-lag if lag > 0 else 0 : len(said) if lag > 0 else -lag] = False
    return found


def _heaviest(scores: Sequence[int]) -> tuple[int, int]:
    """Return the stretch of the greatest sum."""
    best = begin = total = first = last = 0
    for place, score in enumerate(scores):
        if total <= 0:
            begin, total = place, 0
        total += score
        if total > best:
            best, first, last = total, begin, place + 1
    return first, last
