"""Calls that are recorded whole, and that the tool's side could not read: a parser loses what the policy wrote.

The arguments stand in the rows, so somebody read them. Where the tool answers that they cannot be read, at several
problems and at a cost, a parser, a template or an escape between the two is broken. A policy that writes malformed
calls leaves no arguments behind. A call may also stay text: it stands whole in a message without calls, nothing answers
it, and others of its form, the same tool with the same arguments, were read. A limit of turns leaves calls behind too.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"tool_failures": ("num_tool_calls", "reward")}

_MIN_ROWS, _MIN_PROBLEMS, _FEWER = 8, 3, 0.5
_SHARE, _MIN_READ, _AT_LIMIT = 0.03, 3, 0.9
"""Share of attempts whose call is left as text, readings of its form, and share of them at the most turns."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where tools cannot read calls that the rows hold, or never get them, and such attempts are hardly paid."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    return Diagnosis(findings=_refused(context, rows) or _left_as_text(context, rows))


def _refused(context: Context, rows: Frame) -> list[Finding]:
    hit = rows["num_unread"] > 0
    shares = _costs(rows, hit)
    if shares is None:
        return []
    message = (
        f"in {int(hit.sum())} of {len(rows)} attempts a tool could not read a call whose arguments the rows hold; "
        f"{shares[0]:.0%} of them earn more than the least reward, {shares[1]:.0%} of the others: see the parser of "
        "calls"
    )
    return [_found(context, rows[hit], shares, message)]


def _left_as_text(context: Context, rows: Frame) -> list[Finding]:
    """Find calls that stand whole in the text alone, of a form that was read in other attempts."""
    forms = rows["read_calls"].str.split(" ").explode().value_counts()
    hit = rows["lost_call"].isin(set(forms[forms >= _MIN_READ].index) - {""}) & ~rows["is_truncated"].astype(bool)
    shares = _costs(rows, hit)
    if shares is None or hit.sum() < _SHARE * len(rows):
        return []
    is_last_turn = (rows.loc[hit, "num_turns"] >= rows["num_turns"].max()).mean() >= _AT_LIMIT
    if is_last_turn and rows["num_turns"].max() > rows["num_turns"].median():
        return []
    message = (
        f"in {int(hit.sum())} of {len(rows)} attempts a whole call stands in the text and nothing answers it, though "
        f"calls of the same tool with the same arguments are read elsewhere; {shares[0]:.0%} of them earn more than "
        f"the least reward, {shares[1]:.0%} of the others: see which values the parser of calls throws away"
    )
    return [_found(context, rows[hit], shares, message)]


def _costs(rows: Frame, is_hit: Frame) -> tuple[float, float] | None:
    """Return how often attempts that were hit, and others, are paid; None where that is no cost, or they are few."""
    hit, others = rows[is_hit], rows[~is_hit]
    if len(hit) < _MIN_ROWS or hit["problem_id"].nunique() < _MIN_PROBLEMS or others.empty:
        return None
    shares = _paid(hit, rows), _paid(others, rows)
    return shares if shares[0] <= _FEWER * shares[1] else None


def _found(context: Context, hit: Frame, shares: tuple[float, float], message: str) -> Finding:
    numbers = {"hit": len(hit), "paid": shares[0], "others_paid": shares[1]}
    return context.finding("tool_failures", "warning", message, numbers, (), hit)


def _paid(part: Frame, rows: Frame) -> float:
    """Return the share of a part of the rows that earns more than the least reward of all."""
    return float((part["reward"] > rows["reward"].min()).mean())
