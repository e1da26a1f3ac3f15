"""Calls that tools refuse by chance: the same call is taken when it is repeated at once, or in other attempts.

A call that is wrong stays wrong until something changes. A tool that acts too early, loses its session or is short of a
connection answers an error to a right call, and takes the same one a moment later. Right calls were refused where they
were taken when repeated unchanged, or where the first call of an attempt was refused and the same first call at the
same problem was taken in another. It costs reward where attempts whose last call was refused, or that met it at all,
are paid half as often as others and earn less at the same problem. Policies that wait for a job repeat a call too: they
are refused each time at first, and nothing is lost by it.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"tool_failures": ("num_tool_calls", "reward")}

_MIN_ATTEMPTS, _MIN_PROBLEMS, _SHARE = 12, 4, 0.05
"""Attempts whose right call was refused, their problems, and their share of all."""
_TAKEN = 0.25
"""Share of repeated calls that are taken, below which their errors stay."""
_POORER = 0.5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where tools refuse calls that they take at another time, and attempts fail by it."""
    rows = context.unequally_paid
    if rows.empty or "num_retaken" not in rows:
        return Diagnosis()
    retaken, again = rows["num_retaken"] > 0, float((rows["num_retaken"] + rows["num_refused_twice"]).sum())
    is_passing = float(rows["num_retaken"].sum()) >= _TAKEN * max(again, 1.0)
    at_first = _refused_here_alone(rows)
    met = at_first | retaken if is_passing else at_first
    enough = max(_MIN_ATTEMPTS, _SHARE * len(rows))
    if met.sum() < enough or rows.loc[met, "problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    for hit, how in ((rows["ends_refused"].astype(bool), "end with a refused call"), (met, "met this")):
        found = _costs(context, rows, hit, how, met)
        if found is not None:
            return Diagnosis(findings=[found])
    return Diagnosis()


def _refused_here_alone(rows: Frame) -> Frame:
    """Tell of each attempt whether its first call was refused, and taken in another attempt at the same problem."""
    taken = set(zip(rows["problem_id"], rows["first_taken"], strict=True))
    refused = zip(rows["problem_id"], rows["first_refused"], strict=True)
    return pd.Series([bool(one[1]) and one in taken for one in refused], index=rows.index)


def _costs(context: Context, rows: Frame, hit: Frame, how: str, met: Frame) -> Finding | None:
    if hit.sum() < _MIN_ATTEMPTS or hit.all():
        return None
    is_paid = rows["reward"] > rows["reward"].min()
    shares = float(is_paid[hit].mean()), float(is_paid[~hit].mean())
    pay = pay_of(rows, hit)
    if pay is None or pay.z > -z_limit(context.thresholds.alpha) or shares[0] > _POORER * shares[1]:
        return None
    message = (
        f"in {int(met.sum())} of {len(rows)} attempts a tool refused a call that it took when the call was repeated "
        f"unchanged, or in other attempts at the same problem; {int(hit.sum())} attempts {how}, {shares[0]:.0%} of "
        f"them earn more than the least reward, {shares[1]:.0%} of the others: the tool fails for right calls, let it "
        "wait or try again itself, and mask these attempts"
    )
    numbers = {"refused": int(met.sum()), "hit": int(hit.sum()), "paid": shares[0], "others_paid": shares[1]}
    return context.finding("tool_failures", "warning", message, numbers, ("alpha",), rows[hit])
