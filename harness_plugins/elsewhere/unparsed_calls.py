"""Calls that never get through at some problems: what they must hold breaks the form in which calls are written.

A quote within a string, a line break, a letter of another script: what a problem asks for stands in the call, and the
call is answered with an error of its parser. Nearly all attempts at such problems meet it, early and late in the run,
and attempts at others hardly do; the former are hardly paid. An escape is missing, or the form of calls does not suit.

A policy that does not know the form yet fails at all problems, first of all in the first steps. One that is careless
fails in some attempts at each problem. Calls that are mended at the second try are paid. None of these is judged.
Problems are chosen by every other attempt at them, and judged by the rest.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above, thirds
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"tool_failures": ("num_chars", "reward")}

_MIN_ATTEMPTS, _MIN_PROBLEMS, _MIN_ROWS = 2, 3, 8
_CHOSEN, _NEARLY_ALL, _HARDLY_ANY, _LATE, _FEWER = 0.5, 0.8, 0.1, 0.6, 0.5
"""Shares of attempts that meet the error: where a problem is chosen, at all chosen ones, at others, at chosen ones in
the last third of steps; and how often chosen ones are paid as a share of others."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where calls at some problems are never parsed, and others are."""
    rows = context.unequally_paid
    if rows.empty or (rows["num_unparsed"] > 0).sum() < _MIN_ROWS:
        return Diagnosis()
    rows = rows.assign(is_hit=rows["num_unparsed"] > 0, is_odd=rows.groupby("problem_id").cumcount() % 2 == 1)
    is_there = rows["problem_id"].isin(_chosen(rows[~rows["is_odd"]]))
    there, others = rows[is_there], rows[~is_there]
    judged = there[there["is_odd"]]
    if others.empty or judged["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    hit, elsewhere = (float(part["is_hit"].mean()) for part in (judged, others))
    is_beyond = significantly_above(int(judged["is_hit"].sum()), len(judged), _HARDLY_ANY, context.thresholds.alpha)
    if hit < _NEARLY_ALL or elsewhere > _HARDLY_ANY or not is_beyond or _is_learnt(rows, is_there):
        return Diagnosis()
    paid = [float((part["reward"] > rows["reward"].min()).mean()) for part in (there, others)]
    if paid[0] > _FEWER * paid[1]:
        return Diagnosis()
    count = there["problem_id"].nunique()
    message = (
        f"at {count} of {rows['problem_id'].nunique()} problems {hit:.0%} of attempts are answered that their call "
        f"cannot be parsed, elsewhere {elsewhere:.0%}; {paid[0]:.0%} of them earn more than the least reward, "
        f"{paid[1]:.0%} of the others: see what these calls hold that the parser or the form of calls does not stand"
    )
    numbers = {"problems": count, "hit": hit, "others_hit": elsewhere, "paid": paid[0], "others_paid": paid[1]}
    shown = there[there["is_hit"]]
    return Diagnosis(findings=[context.finding("tool_failures", "warning", message, numbers, ("alpha",), shown)])


def _chosen(rows: Frame) -> list[str]:
    """Return the problems at which most attempts meet the error."""
    hit = rows.groupby("problem_id")["is_hit"].agg(["mean", "size"])
    return hit[(hit["mean"] >= _CHOSEN) & (hit["size"] >= _MIN_ATTEMPTS)].index.tolist()


def _is_learnt(rows: Frame, is_there: Frame) -> bool:
    """Tell whether time, not the problem, tells the attempts apart: early ones all fail, or late ones no more."""
    parts = thirds(rows)
    if parts is None:
        return False
    early, late = parts
    late_there = late["is_hit"][is_there.loc[late.index]]
    return bool(is_there.loc[early.index].all() or late_there.empty or late_there.mean() < _LATE)
