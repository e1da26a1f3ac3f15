"""Attempts that need no edit because one before them made it: a repository or state that is handed on.

At the same problem some attempts are paid with an edit and others without any. Where each attempt begins anew, those
without stand before or behind the others as chance has it (diagnosis/come_behind.py). Where nearly all come behind, and
chance does not explain it, they find what was mended before.
"""

from evotrainer.diagnosis.come_behind import come_behind
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
    spared, behind = come_behind(rows, solved & ~has_edit, solved & has_edit)
    if len(spared) < _MIN_SPARED or spared["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    if behind.share < _NEARLY_ALL or behind.z < z_limit(context.thresholds.alpha):
        return Diagnosis()
    message = (
        f"{len(spared)} paid attempts edit nothing, where others at the same {spared['problem_id'].nunique()} problems "
        f"must, and {behind.share:.0%} of them come behind a paid attempt that did: they find what it mended, give "
        "each attempt a fresh copy"
    )
    numbers = {"spared": len(spared), "behind": behind.share, "z": behind.z}
    return Diagnosis(findings=[context.finding("history_leak", "warning", message, numbers, ("alpha",), spared)])
