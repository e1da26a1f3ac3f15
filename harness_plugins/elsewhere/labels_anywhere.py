"""A grader that looks for the gold label anywhere: whoever names several labels is paid, whichever comes first or last.

Replies name labels that they weigh, and end with one, or begin with it. A grader that reads an answer pays by its
place. Where the gold label stands beside others, some such replies mean another one. So the finding needs replies that
name it beside others, first, last and between, and are paid nearly always. Replies with one label must often be wrong,
and those that lack the gold one hardly ever paid. Careful replies may be right more often, yet hardly always.
"""

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import gold_column
from evotrainer.evidence.frames import Frame

NEEDS = {"weak_verifier": ("gold", "reward")}

_MIN_CASES, _MIN_PLACE, _MIN_PROBLEMS, _MIN_OTHERS = 40, 8, 5, 20
_NEARLY_ALL, _OFTEN_WRONG, _HARDLY = 0.95, 0.85, 0.05
"""Shares that are paid: at least, with the gold label beside others; at most, with one label; and without the gold one.
"""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the gold label counts wherever it stands."""
    rows = context.unequally_paid
    rows = rows[(rows["labels_named"] != "") & ~rows["is_truncated"].astype(bool)] if len(rows) else rows
    name = gold_column(rows, rows["problem_id"], EXTRA_PREFIX) if len(rows) else ""
    if not name:
        return Diagnosis()
    golds = rows[name].astype(str).str.strip().str.casefold()
    named = rows["labels_named"].str.split("\n")
    holds = [gold in some for gold, some in zip(golds, named, strict=True)]
    is_paid = rows["reward"] >= context.graded["reward"].max()
    rows = rows.assign(_gold=golds, _first=named.str[0], _count=named.str.len(), _holds=holds, _paid=is_paid)
    cases = rows[rows["_holds"] & (rows["_count"] >= 2)]
    single = rows[(rows["_count"] == 1) & rows["problem_id"].isin(cases["problem_id"])]
    without = rows[~rows["_holds"]]
    if len(cases) < _MIN_CASES or cases["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    if min(len(single), len(without)) < _MIN_OTHERS or not _is_paid_anywhere(cases, golds.nunique()):
        return Diagnosis()
    shares = [float(part["_paid"].mean()) for part in (cases, single, without)]
    paid, alpha = int(cases["_paid"].sum()), context.thresholds.alpha
    is_sure = significantly_above(paid, len(cases), max(shares[1], _OFTEN_WRONG), alpha)
    if shares[0] < _NEARLY_ALL or shares[1] > _OFTEN_WRONG or shares[2] > _HARDLY or not is_sure:
        return Diagnosis()
    message = (
        f"{len(cases)} replies name the gold label beside others, first, last or between, and {shares[0]:.0%} of them "
        f"are paid, of replies with one label at these problems {shares[1]:.0%}: the grader looks for the label "
        "anywhere, let it read the answer"
    )
    numbers = {"cases": len(cases), "paid": shares[0], "single": shares[1], "without": shares[2]}
    return Diagnosis(findings=[context.finding("weak_verifier", "warning", message, numbers, ("alpha",), cases)])


def _is_paid_anywhere(cases: Frame, num_labels: int) -> bool:
    """Tell whether the gold label is nearly always paid where it is first alone, last alone, and between others."""
    is_first, is_last = cases["_first"] == cases["_gold"], cases["label_last"] == cases["_gold"]
    places = [is_first & ~is_last, is_last & ~is_first]
    places += [~is_first & ~is_last] if num_labels > 2 else []
    return all(place.sum() >= _MIN_PLACE and cases.loc[place, "_paid"].mean() >= _NEARLY_ALL for place in places)
