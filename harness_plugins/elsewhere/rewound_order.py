"""Prompts that come a second time in the very order of the first, before the data was gone through.

A loader whose place is not saved begins again where it once stood: whole steps bring the prompts of earlier steps, in
the same order. A further epoch may do so too, where nothing shuffles it. It then begins with the first step, brings no
new prompt, and is counted. So it is a finding where the prompts are few beside the size of the data that a column
tells, where a column of epochs has one value at both times, where new prompts come behind the old ones, or where what
comes again begins in the middle of what was seen. Each step must show prompts of its own: a set that one step holds
whole has no order.
"""

from typing import NamedTuple

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import measured
from evotrainer.domains.problem_sets.overlap import HELD
from evotrainer.evidence.frames import Frame

NEEDS = {"duplicate_problems": ("num_chars", "step")}

_MIN_STEPS, _MIN_PROMPTS = 3, 3
"""Steps that repeat others in their order, and prompts of each."""
_SAME, _NEW = 0.8, 0.2
"""Shares of a step's prompts: that are those of one earlier step, and that earlier steps had at most (it is new)."""
_TIMES = 2.0
"""How many times as many rows as prompts were met say that the data was not gone through."""


class _Stretch(NamedTuple):
    """Steps that bring the prompts of others, by their places among all steps."""

    first: int
    since: int
    count: int


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where steps bring the prompts of earlier ones in the same order, within an epoch."""
    rows = context.with_texts(graded(context.training))
    rows = rows[~rows["split"].isin(HELD)]
    prompts = [(int(step), set(asked)) for step, asked in rows.groupby("step")["asked"].unique().items()]
    found = _longest([asked for _, asked in prompts])
    why = _unfinished(rows, prompts, found) if found is not None else ""
    if found is None or not why:
        return Diagnosis()
    ends = [prompts[place][0] for place in (found.first, found.first + found.count - 1, found.since)]
    message = (
        f"from step {ends[2]} on, {found.count} steps bring the prompts of steps {ends[0]} to {ends[1]} again, in the "
        f"same order, though {why}: the loader began anew, save and restore its place in the data"
    )
    numbers = {"steps": found.count, "since": ends[2], "first": ends[0]}
    again = {step for step, _ in prompts[found.since : found.since + found.count]}
    shown = rows[rows["step"].isin(again)].drop_duplicates("asked")
    return Diagnosis(findings=[context.finding("duplicate_problems", "warning", message, numbers, (), shown)])


def _longest(prompts: list[set[str]]) -> _Stretch | None:
    """Return the longest series of steps that repeat earlier ones, each of which brought new prompts."""
    met: set[str] = set()
    is_new = []
    for asked in prompts:
        is_new.append(len(asked) >= _MIN_PROMPTS and len(asked & met) <= _NEW * len(asked))
        met |= asked
    best: _Stretch | None = None
    for lag in range(1, len(prompts)):
        count = 0
        for place in range(lag, len(prompts)):
            count = count + 1 if is_new[place - lag] and _is_same(prompts[place], prompts[place - lag]) else 0
            if count >= _MIN_STEPS and (best is None or count > best.count):
                best = _Stretch(place - lag - count + 1, place - count + 1, count)
    return best


def _is_same(ones: set[str], others: set[str]) -> bool:
    return len(ones & others) >= _SAME * max(len(ones), len(others))


def _unfinished(rows: Frame, prompts: list[tuple[int, set[str]]], found: _Stretch) -> str:
    """Return what says that the data was not gone through when a series of steps came again; empty for nothing."""
    met: set[str] = set().union(*(asked for _, asked in prompts[: found.since]))
    for name, values in measured(rows, "data_size").items():
        if values.min() > _TIMES * len(met):
            return f"`{name}` is {values.min():.0f} and {len(met)} prompts were met"
    earlier, later = (
        rows["step"].isin([step for step, _ in prompts[start : start + found.count]])
        for start in (found.first, found.since)
    )
    for name, values in measured(rows, "epoch").items():
        is_one = np.floor(values[earlier].min()) == np.floor(values[later].max())
        return f"`{name}` is at {values[later].max():.3g}" if is_one else ""
    behind = prompts[found.since + found.count :]
    fresh = [step for step, asked in behind if len(asked) >= _MIN_PROMPTS and len(asked & met) <= _NEW * len(asked)]
    if fresh:
        return f"step {fresh[0]} has new ones"
    return f"those of steps {prompts[0][0]} and {prompts[1][0]} came before" if found.first > 1 else ""
