"""One JSON object that is paid or not by how it is written: keys in another order, other white space.

Attempts at one problem that give the same object in other words are graded as one by a grader that reads JSON. A grader
that compares texts pays the spelling of the reference.

Texts may reason before their object, and pay may follow the reasoning. Then attempts that write one object alike are
paid unlike each other. The finding needs objects where all that write it one way are paid, and all that write it
another way are not. A prompt that asks for one way of writing is no case (texts/json_answers.py).
"""

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"weak_verifier": ("num_chars", "reward"), "metric_defect": ("num_chars", "reward")}

_MIN_OBJECTS, _SHARE = 10, 0.3
_ALIKE = 0.8
"""Share of objects with several attempts to a way of writing in which every way is paid alike: more than this."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where attempts with the same object earn the most and the least reward."""
    rows = context.unequally_paid
    found = (_whole_texts(context, rows) or _ends(context, rows)) if len(rows) else []
    return Diagnosis(findings=found)


def _whole_texts(context: Context, rows: Frame) -> list[Finding]:
    """Find objects that are whole texts, and paid in some of their writings."""
    whole = rows[rows["as_json"] != ""]
    written = whole.drop_duplicates(["problem_id", "as_json", "response_hash"])
    objects = written.groupby(["problem_id", "as_json"])["reward"].agg(["size", "min", "max"])
    several = objects[(objects["size"] >= 2) & (objects["max"] >= whole["reward"].max())]
    mixed = several[several["min"] <= whole["reward"].min()]
    if len(several) < _MIN_OBJECTS or len(mixed) < _SHARE * len(several):
        return []
    shown = written.set_index(["problem_id", "as_json"], drop=False).loc[mixed.index]
    message = (
        f"{len(mixed)} of {len(several)} JSON objects that are paid and written in several ways are unpaid in some: "
        "the grader compares text, let it compare objects"
    )
    numbers = {"objects": len(several), "mixed": len(mixed)}
    return [context.finding("weak_verifier", "critical", message, numbers, (), shown.reset_index(drop=True))]


def _ends(context: Context, rows: Frame) -> list[Finding]:
    """Find objects at the end of texts whose way of writing decides, whatever stands before them."""
    rows = rows[(rows["last_object"] != "") & ~rows["is_truncated"].astype(bool)]
    rows = rows.drop_duplicates(["problem_id", "response_hash"])
    if len(rows) < context.thresholds.min_rows:
        return []
    rows = rows.assign(_paid=rows["reward"] > (rows["reward"].min() + rows["reward"].max()) / 2)
    names = ["problem_id", "last_object"]
    ways = rows.groupby([*names, "last_writing"])["_paid"].agg(["size", "mean"])
    ways = ways.assign(_alike=ways["mean"].isin([0.0, 1.0]))
    objects = ways.groupby(names).agg(
        ways=("size", "size"),
        most=("size", "max"),
        least=("mean", "min"),
        best=("mean", "max"),
        alike=("_alike", "all"),
    )
    several = objects[(objects["ways"] >= 2) & (objects["best"] > 0)]
    mixed = several[several["alike"] & (several["least"] == 0.0)]
    told = several[(several["least"] < 1.0) & (several["most"] >= 2)]
    if len(mixed) < max(_MIN_OBJECTS, _SHARE * len(several)):
        return []
    if not significantly_above(int(told["alike"].sum()), len(told), _ALIKE, context.thresholds.alpha):
        return []
    message = (
        f"{len(mixed)} of {len(several)} JSON objects that texts end with in several ways of writing are paid in one "
        "way and unpaid in another, whatever stands before them: the grader compares text, let it compare objects"
    )
    numbers = {"objects": len(several), "mixed": len(mixed)}
    shown = rows.set_index(names, drop=False).loc[mixed.index].reset_index(drop=True)
    return [context.finding("metric_defect", "warning", message, numbers, ("min_rows", "alpha"), shown)]
