"""A few prompts that make up much of a run, under whatever names; prompts that come again before an epoch is over.

Data sets that were joined or resampled hold some problems many times. A prompt counts as repeated where it has eight
times the attempts of the middle prompt, in training. Epochs meet all prompts equally often; games with one prompt for
all levels have no others. Where a column counts epochs and has not reached 1, or tells of many times as many rows, no
prompt should come back after steps without it: a loader that starts anew shows the same few. So it does where the
second half of the steps shows few prompts and the first met new ones at each step: a further epoch meets all again.
"""

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import measured
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"duplicate_problems": ("num_chars",)}

_TIMES, _MIN_OTHERS = 8.0, 10
_SHARE = 0.2
_MIN_PROMPTS, _MIN_VISITS, _MOST = 8, 3, 0.8
"""Prompts of a run that is judged, separate times at which one comes back, and the share of prompts that do."""
_NARROW, _FRESH = 0.5, 1.5
"""Prompts of the second half as a share of the first's, and how often the first meets one of its own at most."""
_FEW_PROMPTS, _MIN_STEPS = 3, 5
"""The same of a run that has the same prompts at nearly all steps."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where few prompts take a fifth of the attempts, or where prompts come again within an epoch."""
    rows = context.with_texts(graded(context.training))
    if rows.empty:
        return Diagnosis()
    return Diagnosis(findings=_often(context, rows) or _again(context, rows) or _narrowed(context, rows))


def _often(context: Context, rows: Frame) -> list[Finding]:
    counts = rows["asked"].value_counts()
    repeated = counts[counts >= _TIMES * counts.median()]
    share = float(repeated.sum() / len(rows))
    if share < _SHARE or len(counts) - len(repeated) < _MIN_OTHERS:
        return []
    found = rows[rows["asked"].isin(repeated.index)]
    message = (
        f"{len(repeated)} of {len(counts)} prompts make up {share:.0%} of attempts, under "
        f"{found['problem_id'].nunique()} names: take copies out of the data"
    )
    numbers = {"prompts": len(repeated), "share": share}
    return [context.finding("duplicate_problems", "warning", message, numbers, (), found.drop_duplicates("problem_id"))]


def _again(context: Context, rows: Frame) -> list[Finding]:
    steps = rows.groupby("asked")["step"].unique()
    met = steps.map(_num_visits)
    is_always = steps.map(len) >= max(_MIN_STEPS, _MOST * rows["step"].nunique())
    often = met[(met >= _MIN_VISITS) | is_always]
    why = _unfinished(rows, len(met), is_always=bool(is_always.all()))
    if not why or len(met) < (_FEW_PROMPTS if is_always.all() else _MIN_PROMPTS) or len(often) < _MOST * len(met):
        return []
    message = (
        f"{len(often)} of {len(met)} prompts come back, at {int(steps.map(len).median())} steps in the middle, though "
        f"{why}: the order of the data starts anew, see whether the loader's state is kept"
    )
    numbers = {"prompts": len(met), "repeated": len(often)}
    return [context.finding("duplicate_problems", "warning", message, numbers, (), rows.drop_duplicates("asked"))]


def _narrowed(context: Context, rows: Frame) -> list[Finding]:
    """Find a second half of steps that only shows a few prompts again and again."""
    steps = sorted(rows["step"].unique())
    early, late = (rows[rows["step"].isin(part)] for part in (steps[: len(steps) // 2], steps[len(steps) // 2 :]))
    seen, shown = (part.drop_duplicates(["step", "asked"]) for part in (early, late))
    few, many = late["asked"].nunique(), early["asked"].nunique()
    visits = shown["asked"].value_counts()
    if min(few, many) < _FEW_PROMPTS or few > _NARROW * many or len(seen) > _FRESH * many:
        return []
    if visits.median() < _MIN_VISITS:
        return []
    message = (
        f"the second half of the steps shows {few} prompts, each at {visits.median():.0f} steps in the middle, the "
        f"first showed {many}, each hardly twice: the loader starts anew, see whether its state is "
        "kept"
    )
    numbers = {"late": few, "early": many}
    return [context.finding("duplicate_problems", "warning", message, numbers, (), late.drop_duplicates("asked"))]


def _unfinished(rows: Frame, num_prompts: int, *, is_always: bool) -> str:
    """Return what says that the data was not gone through once; empty where no column does.

    A count of epochs that stays at 0 may never be filled: it counts where all steps show the same prompts.
    """
    for name, values in measured(rows, "epoch").items():
        if 0 < values.max() < 1 or (is_always and (values == 0).all()):
            return f"`{name}` is at {values.max():.3g}"
    for name, values in measured(rows, "data_size").items():
        if values.min() > _TIMES * num_prompts:
            return f"`{name}` is {values.min():.0f}"
    return ""


def _num_visits(steps: np.ndarray) -> int:
    """Return in how many runs of steps a prompt was met; steps that follow each other are one."""
    return 1 + int((np.diff(np.sort(steps)) > 1).sum())
