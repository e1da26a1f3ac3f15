"""A grader that wants phrases word by word, where another measure says that other words do as well.

A column lists phrases, and the reward says whether the text has each of them as it stands. A plural, another order or a
written-out date then fails. That may be what was asked for. It is a defect where a measure beside (a reviewer, a second
check) calls texts with the same words in another form right, nearly as often as paid ones, and texts that lack them
hardly ever. So the measure is not lenient, and sees what the comparison does not.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, is_measure, outside_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("extra", "reward")}

_NEARLY_ALL, _HARDLY, _RIGHT, _LENIENT = 0.9, 0.05, 0.7, 0.3
_MIN_LOOSE, _MIN_LACKING, _MIN_PROBLEMS = 20, 12, 5


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first measure that other words satisfy."""
    rows = context.unequally_paid
    rows = rows[rows["asked_phrases"] != ""] if "asked_phrases" in rows else rows.head(0)
    if rows.empty:
        return Diagnosis()
    parts = [rows[rows["asked_phrases"] == what] for what in ("all", "loosely", "lacks")]
    if min(map(len, parts[:2])) < _MIN_LOOSE or len(parts[2]) < _MIN_LACKING:
        return Diagnosis()
    paid = [float((part["reward"] >= rows["reward"].max()).mean()) for part in parts]
    if paid[0] < _NEARLY_ALL or max(paid[1:]) > _HARDLY or parts[1]["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    for name in outside_columns(rows):
        if is_measure(rows[name]) and (found := _judge(context, parts, name)):
            return Diagnosis(findings=found)
    return Diagnosis()


def _judge(context: Context, parts: list[Frame], name: str) -> list[Finding]:
    shares = [float((part[name].astype(float) >= 1.0).mean()) for part in parts]
    if shares[0] < _NEARLY_ALL or shares[1] < _RIGHT or shares[2] > _LENIENT:
        return []
    message = (
        f"{len(parts[1])} attempts have the phrases that were asked for in another form, and hardly any of them is "
        f"paid; `{name.removeprefix(EXTRA_PREFIX)}` calls {shares[1]:.0%} of them right, {shares[0]:.0%} of those with "
        f"the very phrases and {shares[2]:.0%} of those without: the grader wants phrases word by word, let it accept "
        "other forms"
    )
    numbers = {"attempts": len(parts[1]), "right": shares[1], "right_with": shares[0], "right_without": shares[2]}
    return [context.finding("metric_defect", "warning", message, numbers, (), parts[1])]
