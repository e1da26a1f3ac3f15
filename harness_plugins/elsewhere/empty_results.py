"""Empty results that count as right: a query that finds nothing equals any other that finds nothing.

Databases and fixtures that hold too little let unlike programs agree. Columns of results are known by their names.
Where a third of what is paid rests on an empty result, and at problems where one is paid nearly all are, others less,
the comparison tells little. Attempts that hold one program at each problem agree for another reason: all are right.
A column that holds complaints where it is not empty, none of them paid, says that nothing is wrong where it is.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frames import Frame

NEEDS = {"weak_verifier": ("extra", "reward")}

_RESULT = re.compile(r"(?:^|[_.])(?:results?|outputs?|rows|returned|fetched|pred(?:icted|iction)?)$", re.I)
_COMPLAINT = re.compile(r"error|fail|exception|traceback|warning|invalid|violat|unsolved|denied", re.I)
_EMPTY = {"", "[]", "()", "{}", "[[]]", "set()", "0 rows", "no rows", "empty set"}
_THIRD, _NEARLY_ALL, _LESS, _MIN_PROBLEMS = 0.3, 0.8, 0.2, 5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first column of results that is empty where attempts are paid."""
    rows = context.unequally_paid
    is_paid = rows["reward"] >= rows["reward"].max() if len(rows) else rows["reward"]
    for column in [str(name) for name in rows.columns if str(name).startswith(EXTRA_PREFIX)]:
        name = column.removeprefix(EXTRA_PREFIX)
        if not _RESULT.search(name) or not rows[column].map(lambda value: isinstance(value, str)).any():
            continue
        is_empty = rows[column].map(lambda value: isinstance(value, str) and value.strip().lower() in _EMPTY)
        paid, others = rows[is_empty & is_paid], is_paid[~is_empty]
        if paid["problem_id"].nunique() < _MIN_PROBLEMS or len(paid) < _THIRD * is_paid.sum() or others.empty:
            continue
        share = len(paid) / int((is_empty & rows["problem_id"].isin(paid["problem_id"])).sum())
        if share < _NEARLY_ALL or share < others.mean() + _LESS or _is_one_program(paid):
            continue
        if not others.any() and rows.loc[~is_empty, column].astype(str).str.contains(_COMPLAINT).mean() > 0.5:
            continue
        message = (
            f"`{name}` is empty in {len(paid)} of {int(is_paid.sum())} paid attempts at {paid['problem_id'].nunique()} "
            f"problems; {share:.0%} of empty ones there are paid, {others.mean():.0%} of others: unlike programs agree "
            "in finding nothing, fill the data that they run on"
        )
        numbers = {"empty_paid": len(paid), "share": share, "others": float(others.mean())}
        return Diagnosis(findings=[context.finding("weak_verifier", "critical", message, numbers, (), paid)])
    return Diagnosis()


def _is_one_program(paid: Frame) -> bool:
    """Tell whether most problems have one program among what is paid; unknown where no program is told apart."""
    programs = paid.loc[paid["program"] != "", ["problem_id", "program"]].groupby("problem_id")["program"]
    several = programs.nunique()[programs.size() > 1]
    return bool(len(several)) and float((several == 1).mean()) > 0.5
