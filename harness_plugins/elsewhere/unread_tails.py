"""Right numbers that go unpaid for the sign behind them: a clause after a comma, a remark after a dash.

A grader may look for the last number in a text, and for a sentence that ends with it. Attempts whose last number is
the gold one are compared with others at the same problem, whose last number is the gold one too and stands behind the
same words. Where those that end with it are paid, and those that go on behind one sign hardly ever, the grader trips
over that sign. Paid is what lies nearer to such attempts than to those with another number.

Healthy graders refuse right numbers as well: for a unit, which follows at once, for a mark that is missing, or since
the number stands there by chance. Units and marks are not compared, and chance meets other words. Who takes the
answer back behind a comma does so at few attempts, and seldom with nothing but the gold number as the last one.
"""

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import gold_column, is_same, is_short
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"format_gate": ("gold", "reward", "group")}

_END = "."
_PAID, _UNPAID = 0.9, 0.05
"""Shares that are paid: of right numbers at the end, and of those with words behind a sign."""
_MIN_ROWS, _MIN_GROUPS, _MIN_WRONG = 12, 5, 8


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of the first sign behind which right numbers go unpaid."""
    rows = context.unequally_paid
    if rows.empty or "number_tail" not in rows:
        return Diagnosis()
    rows = rows[(rows["number_tail"] != "") & ~rows["is_marked"].astype(bool) & ~rows["is_truncated"].astype(bool)]
    if (rows["number_tail"] != _END).sum() < _MIN_ROWS or (rows["number_tail"] == _END).sum() < _MIN_ROWS:
        return Diagnosis()
    gold = gold_column(rows, rows["problem_id"], EXTRA_PREFIX)
    if not gold:
        return Diagnosis()
    rows = rows[rows[gold].map(is_short)]
    is_right = pd.Series(
        [is_same(number, str(key)) for number, key in zip(rows["last_number"], rows[gold], strict=True)],
        index=rows.index,
        dtype=bool,
    )
    right, wrong = rows[is_right], rows[~is_right]
    ends = right[right["number_tail"] == _END]
    if len(wrong) < _MIN_WRONG or len(ends) < _MIN_ROWS:
        return Diagnosis()
    level = (float(ends["reward"].median()) + float(wrong["reward"].median())) / 2
    if float(wrong["reward"].median()) >= level or (ends["reward"] > level).mean() < _PAID:
        return Diagnosis()
    signs = [sign for sign in right["number_tail"].value_counts().index if sign != _END]
    found = (_unpaid(context, ends, right[right["number_tail"] == sign], level) for sign in signs)
    return Diagnosis(findings=next(filter(None, found), []))


def _unpaid(context: Context, ends: Frame, tailed: Frame, level: float) -> list[Finding]:
    """Find right numbers with words behind a sign that go unpaid where others of their group are paid."""
    tailed = tailed[tailed["number_lead"].isin(set(ends["number_lead"]) - {""})]
    groups = set(tailed["group"]) & set(ends.loc[ends["reward"] > level, "group"])
    if len(tailed) < _MIN_ROWS or len(groups) < _MIN_GROUPS or (tailed["reward"] > level).mean() > _UNPAID:
        return []
    first = tailed.iloc[0]
    shown = f"{first['number_lead']} {first['last_number']}{first['number_tail']}"
    message = (
        f"{len(tailed)} attempts give the gold number and go on behind it, as `{shown} ...`, and go unpaid; "
        f"{len(ends)} that end with it, behind the same words, are paid, in {len(groups)} groups beside them: the "
        "grader does not read a number with that sign behind it"
    )
    numbers = {"unpaid": len(tailed), "paid": len(ends), "groups": len(groups)}
    return [context.finding("format_gate", "warning", message, numbers, (), tailed)]
