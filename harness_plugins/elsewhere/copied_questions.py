"""One question under several gold answers: data sets were joined, and their keys disagree.

Questions count as one where their texts are the same without case and spaces. A gold column has one value within a
group. Where most questions have several gold answers, the text does not identify the problem (one prompt for all levels
of a game, an image that no column holds), and nothing follows.
"""

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.diagnosis.texts.gold import is_gold_name, is_same, is_short
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"duplicate_problems": ("gold", "num_chars")}

_MIN_QUESTIONS, _SOME, _MOST, _NEARLY_ALL = 4, 0.03, 0.4, 0.9
"""Questions with several gold answers: so many, from this share on and up to that one."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where one question has several gold answers."""
    rows = context.with_texts(context.graded_with_validation)
    for name in outside_columns(rows) if len(rows) else []:
        if not is_gold_name(name.removeprefix(EXTRA_PREFIX)):
            continue
        one_a_group = rows.groupby("group")[name].nunique() <= 1
        if one_a_group.mean() < _NEARLY_ALL:
            continue
        keys = rows[rows[name].map(is_short)].groupby("asked")[name].unique()
        parted = keys[keys.map(_disagree)]
        if len(parted) < max(_MIN_QUESTIONS, _SOME * len(keys)) or len(parted) > _MOST * len(keys):
            continue
        return Diagnosis(findings=[_told(context, rows, name, parted, len(keys))])
    return Diagnosis()


def _disagree(keys: list[object]) -> bool:
    return any(not is_same(str(keys[0]), str(other)) for other in keys[1:])


def _told(context: Context, rows: Frame, name: str, parted: Frame, total: int) -> Finding:
    shown = rows[rows["asked"].isin(parted.index)]
    first = ", ".join(repr(str(key)[:20]) for key in parted.iloc[0][:3])
    message = (
        f"{len(parted)} of {total} questions have several values of `{name.removeprefix(EXTRA_PREFIX)}` in the data "
        f"({first} for one of them), so one answer is right in one group and wrong in another: take copies out, and "
        "see which key is right"
    )
    numbers = {"questions": len(parted), "attempts": len(shown)}
    shown = shown.sort_values("asked", kind="stable")
    return context.finding("duplicate_problems", "warning", message, numbers, (), shown)
