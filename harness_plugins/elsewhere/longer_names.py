"""A grader that compares the beginning of a name alone: whatever goes on behind the right address is paid too.

One column holds a name that attempts reached (an address, a path, an identifier), and another the right one of the
problem. A name that goes on within its last part (orders-all for orders) is another one. Where such are nearly all paid
in full, as equal names are, and hardly any that begin otherwise, the grader looks at the beginning. A query, an anchor,
a page below or another ending of a file may lead to the same place, and is not judged. Nor are words and numbers, which
have inflections and decimals.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"weak_verifier": ("extra", "reward")}

_NAME = re.compile(r"(?=\S*[a-z])(?=\S*[\d/:._-])\S{6,300}", re.I)
_GOES_ON = re.compile(r"[\w-]{2}")
_MIN_PAID, _MIN_PROBLEMS, _MIN_ENDS, _MIN_OTHERS = 8, 5, 3, 20
_NEARLY_ALL, _HARDLY = 0.9, 0.05
_MOST, _MAX_COLUMNS = 0.8, 12
"""Share of a column's values that are names, and columns of either kind that are compared."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first two columns of which the beginning alone is compared."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    names = [name for name in map(str, rows.columns) if name.startswith(EXTRA_PREFIX) and _holds_names(rows[name])]
    of_problems = [name for name in names if not (rows.groupby("problem_id")[name].nunique() > 1).any()]
    reached = [name for name in names if name not in of_problems]
    for right in of_problems[:_MAX_COLUMNS]:
        for own in reached[:_MAX_COLUMNS]:
            found = _judge(context, rows, own, right)
            if found:
                return Diagnosis(findings=found)
    return Diagnosis()


def _holds_names(values: Frame) -> bool:
    known = values.dropna()
    if known.nunique() < _MIN_PROBLEMS or not known.map(lambda value: isinstance(value, str)).all():
        return False
    return sum(_NAME.fullmatch(value) is not None for value in known) >= _MOST * len(values)


def _judge(context: Context, rows: Frame, own: str, right: str) -> list[Finding]:
    known = rows[rows[own].notna() & rows[right].notna()]
    pairs = list(zip(known[own], known[right], strict=True))
    behind = [name[len(gold) :] if name.startswith(gold) else None for name, gold in pairs]
    is_equal = [end == "" for end in behind]
    goes_on = [bool(end) and _GOES_ON.match(str(end)) is not None for end in behind]
    best = rows["reward"].max()
    equal, longer, other = known[is_equal], known[goes_on], known[[end is None for end in behind]]
    paid = longer[longer["reward"] >= best]
    ends = {end for end, is_longer in zip(behind, goes_on, strict=True) if is_longer}
    if len(paid) < _MIN_PAID or paid["problem_id"].nunique() < _MIN_PROBLEMS or len(ends) < _MIN_ENDS:
        return []
    if min(len(equal), len(other)) < _MIN_OTHERS:
        return []
    shares = [float((part["reward"] >= best).mean()) for part in (equal, longer, other)]
    if min(shares[:2]) < _NEARLY_ALL or shares[2] > _HARDLY:
        return []
    names = [name.removeprefix(EXTRA_PREFIX) for name in (own, right)]
    message = (
        f"in {len(longer)} attempts `{names[0]}` only begins with `{names[1]}` ({paid[own].iloc[0][-60:]} for "
        f"{paid[right].iloc[0][-60:]}), and {shares[1]:.0%} of them have the greatest reward, {shares[2]:.0%} of those "
        "that begin otherwise: the grader compares the beginning alone, compare the whole name"
    )
    numbers = {"attempts": len(longer), "paid": shares[1], "paid_others": shares[2], "paid_equal": shares[0]}
    return [context.finding("weak_verifier", "warning", message, numbers, (), paid)]
