"""Labels that are not what the reference solution of their own row ends with.

A column of texts holds solutions where most of them end with an answer in a mark, one text a problem. A short column is
its label where it is that answer at many problems, of many different values. Where it is another one at some, as 11
beside a solution that ends with -11, one of them is wrong. How right answers are paid is not asked: a wrong label pays
wrong ones, whoever gives them.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, ends_of
from evotrainer.diagnosis.texts.answer_marks import last_marked
from evotrainer.diagnosis.texts.gold import is_same, is_short
from evotrainer.evidence.frames import Frame

NEEDS = {"wrong_labels": ("extra",)}

_MARKED, _SAME, _MIN_VALUES = 0.8, 0.2, 8
"""Share of problems whose text ends with a mark, share of these whose label is that, and different values of the same.
"""
_SHARE, _MIN_PROBLEMS, _REPEATED = 0.02, 5, 0.5
"""Share and number of problems whose label differs, and share of problems with several attempts, from which a column of
one value a problem is none of attempts."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of the first label that differs from the end of its solution."""
    rows = context.with_texts(context.graded)
    if len(rows) < context.thresholds.min_rows or (rows["problem_id"].value_counts() > 1).mean() < _REPEATED:
        return Diagnosis()
    names = _of_problems(rows)
    marks = {name: ends_of(rows, name).map(_marked) for name in names}
    marks = {name: some for name, some in marks.items() if (some != "").mean() >= _MARKED}
    for solution, some in marks.items():
        for label in (name for name in names if name not in marks):
            found = _differing(context, rows, some, label)
            if found.empty:
                continue
            first = found.iloc[0]
            message = (
                f"at {found['problem_id'].nunique()} of {rows['problem_id'].nunique()} problems "
                f"`{label.removeprefix(EXTRA_PREFIX)}` is not what `{solution.removeprefix(EXTRA_PREFIX)}` ends with, "
                f"as {first[label]} where that ends with {first['_mark']}: see which is right, and make the labels anew"
            )
            numbers = {"problems": int(found["problem_id"].nunique())}
            finding = context.finding("wrong_labels", "warning", message, numbers, ("limit_alpha",), found)
            return Diagnosis(findings=[finding])
    return Diagnosis()


def _of_problems(rows: Frame) -> list[str]:
    """Return the columns of `extra` with one value a problem, and more than one in all."""
    names = [name for name in map(str, rows.columns) if name.startswith(EXTRA_PREFIX) and rows[name].nunique() > 1]
    by_problem = rows.groupby("problem_id")
    return [name for name in names if by_problem[name].nunique().max() == 1]


def _marked(text: object) -> str:
    return last_marked(text) if isinstance(text, str) else ""


def _differing(context: Context, rows: Frame, marks: pd.Series, label: str) -> Frame:
    """Return the attempts at problems whose label is not the marked answer; none where the label is something else."""
    known = rows.assign(_mark=marks)[(marks != "") & rows[label].map(is_short)]
    first = known.drop_duplicates("problem_id")
    pairs = zip(first[label].astype(str), first["_mark"], strict=True)
    is_label = pd.Series([is_same(*pair) for pair in pairs], index=first.index, dtype=bool)
    same, other = first[is_label], first[~is_label]
    if len(same) < _SAME * len(first) or same["_mark"].nunique() < _MIN_VALUES or len(other) < _MIN_PROBLEMS:
        return rows.head(0)
    if not significantly_above(len(other), len(first), _SHARE, context.thresholds.limit_alpha):
        return rows.head(0)
    return known[known["problem_id"].isin(other["problem_id"])]
