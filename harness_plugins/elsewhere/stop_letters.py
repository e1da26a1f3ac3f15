"""A stop text that ends attempts at each of its characters, since it was given where a list is wanted.

Rows tell the text that ends an attempt (`until`, `stop`). Read as a list it is one stop for each character. Then no
reply holds any of them, and attempts end within a line, behind the same words at many problems. Such attempts have the
least reward, and those that end as sentences do are paid.

Replies may lack the characters of a stop text by their style, and short answers end without a full stop. They are
paid where they are right. Attempts that a limit of tokens cut end behind many different words. A policy that gives up
is seen to end its sentence. Where it leaves out the full stop, and no right reply does, it would look the same.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"truncation": ("extra", "reward")}

_NONE_HELD, _NEARLY_ALL, _USUAL, _FEW = 0.98, 0.95, 0.2, 0.02
"""Shares: of replies without the characters, of open ends unpaid, of open ends behind the same words, of attempts."""
_MIN_PROBLEMS, _MIN_PAID = 8, 0.1


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where attempts end at characters of their stop text."""
    rows = context.unequally_paid
    if rows.empty or "stop_set" not in rows:
        return Diagnosis()
    rows = rows[(rows["stop_set"] != "") & ~rows["is_truncated"].astype(bool)]
    for text, part in rows.groupby("stop_set"):
        found = _judged(context, str(text), part)
        if found:
            return Diagnosis(findings=found)
    return Diagnosis()


def _judged(context: Context, text: str, rows: Frame) -> list[Finding]:
    limits, is_open = context.thresholds, rows["open_end"] != ""
    if len(rows) < limits.min_rows or rows["lacks_stop"].mean() < _NONE_HELD:
        return []
    if not significantly_above(int(is_open.sum()), len(rows), _FEW, limits.limit_alpha):
        return []
    ends, is_least = rows.loc[is_open, "open_end"], rows["reward"] <= rows["reward"].min()
    usual = str(ends.value_counts().index[0])
    alike = rows[rows["open_end"] == usual]
    if len(alike) < _USUAL * len(ends) or alike["problem_id"].nunique() < _MIN_PROBLEMS:
        return []
    pay = pay_of(rows, is_open)
    is_paid_else = (~is_least[~is_open]).mean() >= _MIN_PAID
    if pay is None or pay.z > -z_limit(limits.alpha) or is_least[is_open].mean() < _NEARLY_ALL or not is_paid_else:
        return []
    message = (
        f"{len(ends)} of {len(rows)} attempts end within a line, {len(alike)} of them behind {usual!r}, and nearly all "
        f"have the least reward, while no reply holds any character of the stop text {text!r}: see whether it is read "
        "as a list of letters, and give it as a list of one text"
    )
    numbers = {"share": len(ends) / len(rows), "pay": pay.difference, "z": pay.z}
    return [context.finding("truncation", "warning", message, numbers, ("alpha", "limit_alpha"), alike)]
