"""Runs that are out of time where the machine was busy, not the program slow: right programs earn the least reward.

A column beside the attempts (a note of the runner, a log) says that a run was out of time or killed. It is the
machine's fault where the very same program is paid at the same problem in other attempts, or where such notes come
with a high load: a column of numbers that its name calls a load (concurrency, queue, pending) and that belongs to the
batch. Slow programs are out of time wherever they run. An attempt that holds no program and calls nothing cannot be
slow: where it is whole and ends with an answer as others do, the grader itself was.
"""

import re

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frames import Frame

NEEDS = {"infrastructure_zeros": ("extra", "reward")}

_LOAD = re.compile(r"concurren|(?:^|[_.])load|queue|in_?flight|pending|parallel|busy|utili[sz]ation|backlog", re.I)
_MIN_ROWS, _MIN_PROBLEMS, _MIN_TWINS = 8, 4, 5
_MOSTLY, _MANY = 0.9, 0.5
_APART = 0.9
"""Share of pairs in which the attempt that was out of time has the higher load."""
_WHOLE, _LONGER = 0.8, 1.5
"""Share of late attempts that end with an answer, and their usual length as a multiple of others'."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where time ran out by the machine's fault: critical where equal programs say so."""
    rows = context.unequally_paid
    rows = rows[rows["in_loss"] != 0.0]
    if rows.empty:
        return Diagnosis()
    is_late, least = rows["out_of_time"] != "", rows["reward"].min()
    late, others = rows[is_late], rows[~is_late]
    if len(late) < _MIN_ROWS or late["problem_id"].nunique() < _MIN_PROBLEMS or others.empty:
        return Diagnosis()
    if (late["reward"] <= least).mean() < _MOSTLY:
        return Diagnosis()
    twins, paid = _paid_elsewhere(late, others, least)
    is_same = twins >= _MIN_TWINS and paid > _MANY * twins
    is_apart = (others["reward"] <= least).mean() <= _MANY
    load, share = _load(context, late, others) if is_apart else ("", 0.0)
    is_idle = _is_paid_less(context, late, others, least) and _run_nothing(late, others)
    if not is_same and not load and not is_idle:
        return Diagnosis()
    why = [f"the same program is paid elsewhere in {paid} of {twins} of them that are met again"] if is_same else []
    why += [f"`{load}` is higher than at others in {share:.0%} of pairs"] if load else []
    why += ["they hold no program and call nothing"] if is_idle and not why else []
    message = (
        f"in {len(late)} attempts `{late['out_of_time'].mode().iloc[0]}` says that time ran out, and they have the "
        f"least reward; {', and '.join(why)}: the machine was busy, mask these attempts and limit time of the processor"
    )
    numbers = {"late": len(late), "twins": twins, "paid": paid}
    severity = "critical" if is_same else "warning"
    return Diagnosis(findings=[context.finding("infrastructure_zeros", severity, message, numbers, ("alpha",), late)])


def _is_paid_less(context: Context, late: Frame, others: Frame, least: float) -> bool:
    table = [[int((part["reward"] <= least).sum()), int((part["reward"] > least).sum())] for part in (late, others)]
    return float(scipy.stats.fisher_exact(table, alternative="greater").pvalue) < context.thresholds.alpha


def _run_nothing(late: Frame, others: Frame) -> bool:
    """Tell whether late attempts have nothing to run, and are as whole and as short as others."""
    has_work = (late["program"] != "") | (late["num_tool_calls"] > 0) | late["is_truncated"].astype(bool)
    is_short = late["num_chars"].median() <= _LONGER * others["num_chars"].median()
    return not has_work.any() and is_short and bool((late["final_answer"] != "").mean() >= _WHOLE)


def _paid_elsewhere(late: Frame, others: Frame, least: float) -> tuple[int, int]:
    """Return how many late attempts have a program that others at their problem ran in time, and how often it paid."""
    key = ["problem_id", "program"]
    best = others[others["program"] != ""].groupby(key)["reward"].max().rename("_best").reset_index()
    met = late[key].merge(best, on=key)
    return len(met), int((met["_best"] > least).sum())


def _load(context: Context, late: Frame, others: Frame) -> tuple[str, float]:
    """Return the column of a load that is higher at late attempts, and in which share of pairs; empty for none."""
    for name in [str(column) for column in late.columns if str(column).startswith(EXTRA_PREFIX)]:
        one, other = late[name].dropna(), others[name].dropna()
        is_number = len(one) >= _MIN_ROWS and one.map(lambda value: isinstance(value, float)).all()
        if not _LOAD.search(name.removeprefix(EXTRA_PREFIX)) or not is_number or other.empty:
            continue
        test = scipy.stats.mannwhitneyu(one.astype(float), other.astype(float), alternative="greater")
        share = float(test.statistic) / (len(one) * len(other))
        if share >= _APART and float(test.pvalue) < context.thresholds.alpha:
            return name.removeprefix(EXTRA_PREFIX), share
    return "", 0.0
