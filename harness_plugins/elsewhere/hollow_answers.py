"""Answers of tools without content: from a step on, or on some machines, all calls get one text but for its numbers.

Elsewhere the tool answers unlike calls with unlike texts. A text that some steps or some values of a column know, and
others do not, is the frame of an answer (titles, ids, scores) whose content was lost, where unlike calls get it and
such attempts succeed less often. A part of the calls may get it too, from a step on: then the same first calls at the
same problem had another answer before. A tool that finds nothing by chance does so from the beginning.
"""

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, outside_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"infrastructure_zeros": ("num_tool_calls", "reward")}

_MOST, _ELSEWHERE, _UNLIKE = 0.7, 0.01, 0.3
"""Shares: of attempts with the text where it is known, and elsewhere; of unlike texts elsewhere, and calls here."""
_POORER = 0.7
"""Share of such attempts that are paid, as a part of that of others."""
_PART, _MIN_AGAIN = 0.3, 8
"""Share of attempts from a step on, and attempts whose first call was answered otherwise before."""
_MIN_ROWS, _MIN_PROBLEMS, _MAX_VALUES, _MAX_FORMS = 20, 5, 64, 3


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where the answers of tools are one form in some steps, or with some values of a column."""
    rows = context.unequally_paid
    if "answer_form" not in rows:
        return Diagnosis()
    asked = rows["calls_number"].where(rows["calls_number"] != "", rows["first_request"])
    rows = rows.assign(_asked=asked)[(rows["answer_form"] != "") & (asked != "")]
    forms = rows["answer_form"].value_counts()
    for form in forms[forms >= _MIN_ROWS].index[:_MAX_FORMS]:
        for column in ("step", *(name for name in outside_columns(rows) if _is_shared(rows, name))):
            found = _judge(context, rows, rows["answer_form"] == form, column)
            if found:
                return Diagnosis(findings=found)
    return Diagnosis(findings=_in_part(context, rows))


def _in_part(context: Context, rows: Frame) -> list[Finding]:
    """Find a form that a part of the first answers have from a step on, to calls that were answered otherwise."""
    if "first_form" not in rows:
        return []
    rows = rows[(rows["first_form"] != "") & (rows["first_call"] != "")]
    forms, key = rows["first_form"].value_counts(), ["problem_id", "first_call"]
    for form in forms[forms >= _MIN_ROWS].index[:_MAX_FORMS]:
        hollow = rows["first_form"] == form
        before = rows[rows["step"] < rows.loc[hollow, "step"].min()]
        later = rows["step"] >= rows.loc[hollow, "step"].min()
        again = rows[hollow].merge(before[key].drop_duplicates(), on=key)
        if hollow[later].mean() < _PART or len(before) < _MIN_ROWS or len(again) < _MIN_AGAIN:
            continue
        if rows.loc[hollow, "first_call"].nunique() < _MIN_PROBLEMS:
            continue
        if again["problem_id"].nunique() < _MIN_PROBLEMS or before["first_form"].nunique() < _UNLIKE * len(before):
            continue
        where = f"from step {rows.loc[hollow, 'step'].min():g} on, {hollow[later].mean():.0%} there"
        found = _at_a_cost(context, rows[hollow], rows[~hollow], where)
        if found:
            return found
    return []


def _is_shared(rows: Frame, name: str) -> bool:
    """Tell whether a column has a few values, of which attempts at one problem meet several."""
    if not 2 <= rows[name].nunique() <= _MAX_VALUES:
        return False
    return bool((rows.groupby("problem_id")[name].nunique() > 1).mean() > 0.5)


def _judge(context: Context, rows: Frame, hollow: Frame, column: str) -> list[Finding]:
    often = hollow.groupby(rows[column]).mean()
    struck = often[often >= _MOST].index
    there = rows[column].isin(struck)
    hit, rest = rows[there & hollow], rows[~there]
    if len(hit) < _MIN_ROWS or len(rest) < _MIN_ROWS or hit["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    if hollow[~there].mean() > _ELSEWHERE or rest["answer_form"].nunique() < _UNLIKE * len(rest):
        return []
    if hit["_asked"].nunique() < _UNLIKE * len(hit):
        return []
    values = ", ".join(str(value)[:40] for value in sorted(struck, key=str)[:4])
    where = f"from step {struck.min():g} on" if column == "step" else f"{column.removeprefix(EXTRA_PREFIX)} {values}"
    return _at_a_cost(context, hit, rest, where)


def _at_a_cost(context: Context, hit: Frame, rest: Frame, where: str) -> list[Finding]:
    least = min(hit["reward"].min(), rest["reward"].min())
    table = [[int((part["reward"] <= least).sum()), int((part["reward"] > least).sum())] for part in (hit, rest)]
    paid = [right / (right + wrong) for wrong, right in table]
    chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    if paid[0] > _POORER * paid[1] or chance >= context.thresholds.alpha:
        return []
    message = (
        f"in {len(hit)} attempts ({where}) unlike calls get one answer but for its numbers, which others do not know; "
        f"{paid[0]:.0%} of them are paid, {paid[1]:.0%} of others: the tool lost its content, mask these attempts"
    )
    numbers = {"attempts": len(hit), "paid": paid[0], "paid_others": paid[1], "p_value": chance}
    return [context.finding("infrastructure_zeros", "warning", message, numbers, ("alpha",), hit)]
