"""Gold answers in another unit than the attempts': minutes for hours, metres for kilometres, shares for percent.

At several problems the attempts agree on a number that is not paid, and it is the gold answer times one and the same
factor between units. Either the key is in another unit than the question, or the policy misreads what is asked.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import gold_column, plain_number
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("gold", "reward")}

_FACTORS = (60.0, 3600.0, 24.0, 1440.0, 7.0, 12.0, 3.6, 2.54, 1.609344, 0.45359237, 1024.0, 10.0, 100.0, 1e3, 1e4, 1e6)
"""Between units of time, length, speed, mass, memory and of the decimal system; their inverses too."""
_CLOSE = 0.005
_MIN_SIZE, _MODAL, _MIN_PROBLEMS, _MIN_GOLDS = 3, 0.5, 5, 4
_MOST = 0.5
"""Share of the problems whose attempts agree on an unpaid number, at which it is that factor."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where attempts agree on gold answers in another unit."""
    rows = context.with_texts(context.graded)
    if rows.empty:
        return Diagnosis()
    name = gold_column(rows, rows["problem_id"], EXTRA_PREFIX)
    rows = rows[~rows["is_truncated"].astype(bool) & rows["reward"].notna()]
    rows = rows[rows.groupby("problem_id")["is_gold"].transform("max") == 0.0] if name else rows
    if not name or rows.empty:
        return Diagnosis()
    rows = rows.assign(_own=rows["final_answer"].map(plain_number), _gold=rows[name].map(plain_number))
    known = rows[rows["_own"].notna() & rows["_gold"].notna() & (rows["_gold"] != 0)]
    table = _agreed(known, float(context.graded["reward"].max()))
    if len(table) < _MIN_PROBLEMS:
        return Diagnosis()
    ratios = table["own"] / table["gold"]
    counts = {factor: (ratios / factor - 1).abs() <= _CLOSE for one in _FACTORS for factor in (one, 1 / one)}
    factor = max(counts, key=lambda one: int(counts[one].sum()))
    found = table[counts[factor]]
    if len(found) < max(_MIN_PROBLEMS, _MOST * len(table)) or found["gold"].nunique() < _MIN_GOLDS:
        return Diagnosis()
    times = f"{factor:g} times the gold answer" if factor >= 1 else f"the gold answer divided by {1 / factor:g}"
    message = (
        f"at {len(found)} of {len(table)} problems whose attempts agree on a number that is not paid, it is {times}: "
        "see in which unit the question asks, and in which the keys are"
    )
    numbers = {"problems": len(found), "factor": factor}
    shown = rows[rows["problem_id"].isin(found.index)]
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, (), shown)])


def _agreed(rows: Frame, greatest: float) -> Frame:
    """Return by problem the number on which its attempts agree without the greatest reward, and the gold one."""
    usual = rows.groupby(["problem_id", "_own"])["reward"].agg(["size", "max"]).reset_index()
    usual = usual.sort_values(["size", "_own"], ascending=[False, True]).drop_duplicates("problem_id")
    usual = usual.set_index("problem_id").sort_index()
    table: Frame = pd.DataFrame(
        {
            "own": usual["_own"],
            "gold": rows.groupby("problem_id")["_gold"].first(),
            "size": rows.groupby("problem_id").size(),
        }
    )
    is_agreed = (table["size"] >= _MIN_SIZE) & (usual["size"] >= _MODAL * table["size"])
    is_unpaid = usual["max"] < greatest
    return table[is_agreed & is_unpaid]
