"""Replies that say what nobody showed them: the rest of a problem that was cut off, a passage that was withheld.

A column of the problem (one text for all attempts at it) holds words that neither prompt nor answers of tools have. A
reply that says six of them in a row knows the problem from elsewhere. Turns of phrase that several problems share do
not count, nor do columns of answers, code or tests, which a right reply says. Comments of code do: a right program
needs none of them, and hardly names the same number, name or date in the same words.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX

NEEDS = {"contamination": ("extra", "num_chars")}

_MIN_ROWS, _MIN_PROBLEMS, _SOME = 8, 3, 0.02


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where replies recite hidden texts of their problems."""
    rows = context.with_texts(context.graded_with_validation)
    for name in sorted(set(rows["recites"]) - {""}) if len(rows) else []:
        hit, column = rows[rows["recites"] == name], f"{EXTRA_PREFIX}{name}"
        known = rows[column].notna() if column in rows else rows["split"].isin(hit["split"].unique())
        if len(hit) < _MIN_ROWS or hit["problem_id"].nunique() < _MIN_PROBLEMS:
            continue
        if not significantly_above(len(hit), int(known.sum()), _SOME, context.thresholds.limit_alpha):
            continue
        message = (
            f"{len(hit)} replies at {hit['problem_id'].nunique()} problems say words of `{name}` in a row that nothing "
            "showed them: these problems were in what the policy was trained on, leave them out of evaluations"
        )
        numbers = {"replies": len(hit), "problems": hit["problem_id"].nunique()}
        return Diagnosis(
            findings=[context.finding("contamination", "warning", message, numbers, ("limit_alpha",), hit)]
        )
    return Diagnosis()
