"""Calls that are recorded whole, and that the tool's side could not read: a parser loses what the policy wrote.

The arguments stand in the rows, so somebody read them. Where the tool answers that they cannot be read, at several
problems and at a cost, a parser, a template or an escape between the two is broken. A policy that writes malformed
calls leaves no arguments behind.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"tool_failures": ("num_tool_calls", "reward")}

_MIN_ROWS, _MIN_PROBLEMS, _FEWER = 8, 3, 0.5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where tools cannot read calls that the rows hold, and such attempts are hardly paid."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    is_hit = rows["num_unread"] > 0
    hit, others = rows[is_hit], rows[~is_hit]
    if len(hit) < _MIN_ROWS or hit["problem_id"].nunique() < _MIN_PROBLEMS or others.empty:
        return Diagnosis()
    earned, usual = _paid(hit, rows), _paid(others, rows)
    if earned > _FEWER * usual:
        return Diagnosis()
    message = (
        f"in {len(hit)} of {len(rows)} attempts a tool could not read a call whose arguments the rows hold; "
        f"{earned:.0%} of them earn more than the least reward, {usual:.0%} of the others: see the parser of calls"
    )
    numbers = {"hit": len(hit), "paid": earned, "others_paid": usual}
    return Diagnosis(findings=[context.finding("tool_failures", "warning", message, numbers, (), hit)])


def _paid(part: Frame, rows: Frame) -> float:
    """Return the share of a part of the rows that earns more than the least reward of all."""
    return float((part["reward"] > rows["reward"].min()).mean())
