"""A grader that takes the gold answer from anywhere: other answers are paid where it stands beside them.

Attempts mark their answer, so that nothing is misread, and the marked one is not the gold one. Those whose text holds
the gold answer somewhere are mostly paid, those without it hardly ever; or those are whose tools showed it to them.
Words that are part of the gold answer, or hold it, may be another name of the same and are not judged. As other names
may share no word at all, and tools show numbers that are rounded later, only numbers in the text are critical.
Texts may also mark one answer after another, each in the same way. Where wrong last ones are mostly paid if an earlier
one was right, answers that were given up count: critical where the right one stands in the middle too, so that no rule
of the first or the last explains it.
"""

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import gold_column, is_part, is_same, plain_number
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"weak_verifier": ("gold", "reward")}

_MIN_PAID, _MIN_PROBLEMS, _MIN_OTHERS = 8, 5, 20
_MOSTLY, _HARDLY = 0.6, 0.1
_MIN_MIDDLE = 5
_PLACES = {"mentions_gold": "elsewhere in the text", "told_gold": "in what tools answered"}


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where wrong answers are paid for a gold answer beside them."""
    rows = context.with_texts(context.graded)
    name = gold_column(rows, rows["problem_id"], EXTRA_PREFIX) if len(rows) else ""
    if not name:
        return Diagnosis()
    rows = rows[(rows["is_gold"] == 0.0) & ~rows["is_truncated"].astype(bool)]
    found = _given_up(context, rows, name)
    if found:
        return Diagnosis(findings=found)
    rows = rows[rows["is_marked"].astype(bool)]
    is_number = rows[name].map(plain_number).notna()
    pairs = zip(rows["final_answer"].astype(str), rows[name].astype(str), strict=True)
    is_other = is_number | pd.Series([not is_part(*pair) for pair in pairs], index=rows.index, dtype=bool)
    rows = rows[is_other]
    is_paid = rows["reward"] >= context.graded["reward"].max()
    for place, where in _PLACES.items():
        beside = rows[place].astype(bool)
        shares = _shares(rows, is_paid, beside, context.thresholds.alpha)
        if shares is None:
            continue
        message = (
            f"of attempts that mark another answer than the gold one, {shares[0]:.0%} are paid where the gold answer "
            f"stands {where}, {shares[1]:.0%} where it does not: the grader reads more than the answer, give it that "
            "alone"
        )
        numbers = {"beside": shares[0], "without": shares[1]}
        shown = rows[beside & is_paid]
        is_sure = place == "mentions_gold" and is_number[shown.index].mean() > 0.5
        severity = "critical" if is_sure else "warning"
        return Diagnosis(findings=[context.finding("weak_verifier", severity, message, numbers, ("alpha",), shown)])
    return Diagnosis()


def _given_up(context: Context, rows: Frame, name: str) -> list[Finding]:
    """Find wrong last answers that are paid for an earlier one, which was marked in the same way and given up."""
    triples = zip(rows["written_answer"], rows["final_answer"], rows[name].astype(str), strict=True)
    is_last = [is_same(text, final) and not is_part(text, gold) for text, final, gold in triples]
    rows = rows[pd.Series(is_last, index=rows.index, dtype=bool)]
    pairs = zip(rows["given_up"].str.split("\n"), rows[name].astype(str), strict=True)
    places = [[place for place, one in enumerate(some) if one and is_same(one, gold)] for some, gold in pairs]
    is_paid = rows["reward"] >= context.graded["reward"].max()
    beside = pd.Series(list(map(bool, places)), index=rows.index, dtype=bool)
    shares = _shares(rows, is_paid, beside, context.thresholds.alpha)
    if shares is None:
        return []
    shown = rows[beside & is_paid]
    middle = sum(0 not in some and bool(some) for some, paid in zip(places, is_paid, strict=True) if paid)
    message = (
        f"of attempts whose last answer is not the gold one, {shares[0]:.0%} are paid where an earlier answer, marked "
        f"in the same way, is, {shares[1]:.0%} of others; {middle} have it neither first nor last: answers that were "
        "given up count, grade the last one alone"
    )
    numbers = {"beside": shares[0], "without": shares[1], "middle": middle}
    severity = "critical" if middle >= _MIN_MIDDLE else "warning"
    return [context.finding("weak_verifier", severity, message, numbers, ("alpha",), shown)]


def _shares(rows: Frame, is_paid: Frame, beside: Frame, alpha: float) -> tuple[float, float] | None:
    """Return the shares of answers beside the gold one and of others that are paid; None where that shows nothing."""
    paid = rows[beside & is_paid]
    if len(paid) < _MIN_PAID or paid["problem_id"].nunique() < _MIN_PROBLEMS or (~beside).sum() < _MIN_OTHERS:
        return None
    shares = float(is_paid[beside].mean()), float(is_paid[~beside].mean())
    table = [[int(is_paid[part].sum()), int((~is_paid[part]).sum())] for part in (beside, ~beside)]
    p_value = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    return shares if shares[0] >= _MOSTLY and shares[1] <= _HARDLY and p_value < alpha else None
