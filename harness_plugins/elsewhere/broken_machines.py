"""Errors that some machines make and others never: a package that is absent there, a disk that is full.

A text beside the attempts (a log, what was printed) ends with an error. Programs of a policy err on all machines alike.
An error that comes up with a part of the values of another column alone (a pod, a host, an image), and is unpaid, is
that part's. By chance all errors fall within so few values as seldom as their share to the power of their number.
"""

import math
import re

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, ends_of, outside_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"infrastructure_zeros": ("extra", "reward")}

_ERROR = re.compile(r"[^\n]*(?:\b\w*(?:Error|Exception)\b|\b(?:not found|denied|no space|cannot|failed)\b)[^\n]*", re.I)
_NUMBER = re.compile(r"\d+|0x[0-9a-f]+")
_MIN_ERRORS, _MAX_ERRORS, _MAX_VALUES = 8, 12, 64
_PART, _UNPAID, _MIN_OTHERS = 0.6, 0.9, 30
"""Share of attempts with the values that err at most, of errors that earn the least, and attempts with other values."""
_PAID = 0.05
"""Share of attempts with these values that are paid, below which they are another name of the outcome."""
_SURPRISING = 1e-6


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first error that is a matter of the machine."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    rows = rows[rows["in_loss"] != 0.0]
    names = outside_columns(rows)
    texts = [name for name in names if rows[name].map(lambda value: isinstance(value, str)).mean() > 0.5]
    machines = [name for name in names if _may_be_machine(rows, name)]
    for name in texts if machines else ():
        errors = ends_of(rows, name).map(_error)
        for error in errors[errors != ""].value_counts().loc[lambda counts: counts >= _MIN_ERRORS].index[:_MAX_ERRORS]:
            judged = [_judge(context, rows, errors == error, error, machine) for machine in machines if machine != name]
            found = [one for one in judged if one is not None]
            if found:
                return Diagnosis(findings=[min(found, key=lambda one: one.numbers["share_of_rows"])])
    return Diagnosis()


def _may_be_machine(rows: Frame, name: str) -> bool:
    """Tell whether a column has a few values, of which attempts at one problem meet several."""
    if not 2 <= rows[name].nunique() <= _MAX_VALUES:
        return False
    return bool((rows.groupby("problem_id")[name].nunique() > 1).mean() > 0.5)


def _error(text: object) -> str:
    """Return the last line of a text that names an error, without its numbers; empty for none."""
    found = _ERROR.findall(text) if isinstance(text, str) else []
    return _NUMBER.sub("0", found[-1]).strip()[:120] if found else ""


def _judge(context: Context, rows: Frame, marked: Frame, error: str, machine: str) -> Finding | None:
    values = sorted(set(rows.loc[marked, machine].dropna()), key=str)
    there = rows[machine].isin(values)
    share, count = float(there.mean()), int((marked & there).sum())
    if share > _PART or count < marked.sum() or (~there).sum() < _MIN_OTHERS:
        return None
    if (rows.loc[there, "reward"] > rows["reward"].min()).mean() < _PAID:
        return None  # another name of the outcome
    chance = math.comb(rows[machine].nunique(), len(values)) * share**count
    unpaid = (rows.loc[marked, "reward"] <= rows["reward"].min()).mean()
    if chance > _SURPRISING or unpaid < _UNPAID:
        return None
    named = ", ".join(str(value)[:40] for value in values[:4])
    message = (
        f"{count} attempts, all with {machine.removeprefix(EXTRA_PREFIX)} {named}, end with {error!r}, none of the "
        f"{int((~there).sum())} others, and {unpaid:.0%} of them earn the least reward: that machine is broken, mask "
        "these attempts"
    )
    numbers = {"attempts": count, "share_of_rows": share}
    return context.finding("infrastructure_zeros", "critical", message, numbers, (), rows[marked])
