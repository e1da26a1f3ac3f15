"""One JSON object that is paid or not by how it is written: keys in another order, other white space.

Attempts at one problem that give the same object in other words are graded as one by a grader that reads JSON. A grader
that compares texts pays the spelling of the reference.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"weak_verifier": ("num_chars", "reward")}

_MIN_OBJECTS, _SHARE = 10, 0.3


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where attempts with the same object earn the most and the least reward."""
    rows = context.unequally_paid
    rows = rows[rows["as_json"] != ""] if len(rows) else rows
    if rows.empty:
        return Diagnosis()
    written = rows.drop_duplicates(["problem_id", "as_json", "response_hash"])
    objects = written.groupby(["problem_id", "as_json"])["reward"].agg(["size", "min", "max"])
    several = objects[(objects["size"] >= 2) & (objects["max"] >= rows["reward"].max())]
    mixed = several[several["min"] <= rows["reward"].min()]
    if len(several) < _MIN_OBJECTS or len(mixed) < _SHARE * len(several):
        return Diagnosis()
    shown = written.set_index(["problem_id", "as_json"], drop=False).loc[mixed.index]
    message = (
        f"{len(mixed)} of {len(several)} JSON objects that are paid and written in several ways are unpaid in some: "
        "the grader compares text, let it compare objects"
    )
    numbers = {"objects": len(several), "mixed": len(mixed)}
    found = context.finding("weak_verifier", "critical", message, numbers, (), shown.reset_index(drop=True))
    return Diagnosis(findings=[found])
