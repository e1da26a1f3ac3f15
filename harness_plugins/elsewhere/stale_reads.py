"""Reads behind a write that answer what they answered before it: a cache, a replica, a state that is not kept.

The attempt reads something, changes it by another tool, and reads it again. In some attempts the second answer is a
new one, in others it is the first, word for word, though the write was answered without a failure. A read that never
changes may be of something else, so both must occur; those who are told the old state earn less.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of

NEEDS = {"leftover_state": ("num_tool_calls", "reward")}

_MIN_ROWS, _MIN_PROBLEMS, _SOME = 12, 5, 0.1


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where part of the reads behind a write show the state before it, and cost reward."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    is_stale = rows["num_stale_reads"] > 0
    stale, fresh = rows[is_stale], rows[~is_stale & (rows["num_new_reads"] > 0)]
    if min(len(stale), len(fresh)) < _MIN_ROWS or stale["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    share = len(stale) / (len(stale) + len(fresh))
    both = rows[is_stale | rows.index.isin(fresh.index)]
    pay = pay_of(both, is_stale[both.index])
    if share < _SOME or pay is None or pay.difference >= 0:
        return Diagnosis()
    message = (
        f"in {len(stale)} attempts a read behind a write has the answer from before it, word for word, in {len(fresh)} "
        f"a new one; the former earn {-pay.difference:.1f} standard deviations less: the tools serve an old state, see "
        "caches and replicas"
    )
    numbers = {"stale": len(stale), "fresh": len(fresh), "pay": pay.difference}
    return Diagnosis(findings=[context.finding("leftover_state", "warning", message, numbers, (), stale)])
