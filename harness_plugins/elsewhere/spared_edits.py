"""Attempts that need no edit because one before them made it: a repository or state that is handed on.

At the same problem some attempts are paid with an edit and others without any. Where each attempt begins anew, those
without stand before or behind the others as chance has it: of a group with k paid edits one without comes behind one of
them in k of k + 1 cases. Where nearly all do, and chance does not explain it, they find what was mended before.
"""

import math

from evotrainer.diagnosis.context import Context, Diagnosis, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.tool_use_metrics import is_solved

NEEDS = {"history_leak": ("num_tool_calls", "group", "reward")}

_NEARLY_ALL = 0.95
_MIN_SPARED, _MIN_PROBLEMS = 12, 4


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where paid attempts without an edit follow paid ones with it."""
    rows = context.unequally_paid
    if rows.empty or not rows["num_edit_turns"].any():
        return Diagnosis()
    solved, has_edit = is_solved(rows), rows["num_edit_turns"] > 0
    first = rows["place"].where(solved & has_edit).groupby(rows["group"]).transform("min")
    edits = (solved & has_edit).groupby(rows["group"]).transform("sum")
    spared = rows[solved & ~has_edit & (edits > 0)]
    if len(spared) < _MIN_SPARED or spared["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    is_behind = spared["place"] > first[spared.index]
    chance = edits[spared.index] / (edits[spared.index] + 1)
    # Attempts of a group depend on each other: each group counts once.
    by_group = (is_behind - chance).groupby(spared["group"]).mean()
    spread = (chance * (1 - chance)).groupby(spared["group"]).mean()
    z = float(by_group.sum()) / math.sqrt(float(spread.sum()))
    if is_behind.mean() < _NEARLY_ALL or z < z_limit(context.thresholds.alpha):
        return Diagnosis()
    message = (
        f"{len(spared)} paid attempts edit nothing, where others at the same {spared['problem_id'].nunique()} problems "
        f"must, and {is_behind.mean():.0%} of them come behind a paid attempt that did: they find what it mended, give "
        "each attempt a fresh copy"
    )
    numbers = {"spared": len(spared), "behind": float(is_behind.mean()), "z": z}
    return Diagnosis(findings=[context.finding("history_leak", "warning", message, numbers, ("alpha",), spared)])
