"""Attempts that are paid for how the one before them on their machine ended, and not for how they ended themselves.

A state that is read before it was set back belongs to the episode before. Where the last words of tools come in a few
forms, each of them tells the reward of the next attempt with the same value of a column (a simulator, a worker), in the
order of the file or of a column that counts, and tells the attempt's own reward far less.
"""

from collections.abc import Iterator

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frames import Frame

NEEDS = {"stale_grades": ("num_tool_calls", "reward", "extra")}

_MAX_FORMS, _MAX_MACHINES = 12, 64
_TOLD, _OWN = 0.95, 0.9
"""Shares of rewards that the ending before tells, at the least, and that the own one does, at the most."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where rewards are told by the ending of the attempt before on the same machine."""
    rows = context.unequally_paid
    if rows.empty or "last_form" not in rows or rows["reward"].nunique() != 2:
        return Diagnosis()
    rows = rows[rows["last_form"] != ""]
    if len(rows) < context.thresholds.min_rows or not 2 <= rows["last_form"].nunique() <= _MAX_FORMS:
        return Diagnosis()
    own = _told(rows["last_form"], rows["reward"])
    for machine, order in _orders(rows) if own <= _OWN else ():
        ordered = rows.sort_values(order, kind="stable")
        before = ordered.groupby(machine)["last_form"].shift()
        known = ordered[before.notna()]
        told = _told(before[before.notna()], known["reward"])
        if len(known) < context.thresholds.min_rows or told < _TOLD:
            continue
        message = (
            f"how the attempt before with the same `{machine.removeprefix(EXTRA_PREFIX)}` ended tells {told:.0%} of "
            f"rewards, how attempts ended themselves {own:.0%}: their state is read before it is set back"
        )
        numbers = {"before": told, "own": own}
        return Diagnosis(findings=[context.finding("stale_grades", "warning", message, numbers, ("min_rows",), known)])
    return Diagnosis()


def _orders(rows: Frame) -> Iterator[tuple[str, str]]:
    """Yield columns of machines, each with the columns by which their attempts may follow each other."""
    names = outside_columns(rows)
    for machine in names:
        if not 2 <= rows[machine].nunique() <= _MAX_MACHINES or rows[machine].isna().any():
            continue
        yield machine, "place"
        for name in names:
            is_number = rows[name].map(lambda value: isinstance(value, int | float)).all()
            if name != machine and is_number and not rows.duplicated([machine, name]).any():
                yield machine, name


def _told(form: Frame, reward: Frame) -> float:
    """Return the share of rewards that are the commonest one of their form."""
    return float(reward.groupby(form).agg(lambda part: part.value_counts().iloc[0]).sum() / len(reward))
