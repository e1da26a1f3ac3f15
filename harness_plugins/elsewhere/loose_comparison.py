"""What a grader does not look at: answers that equal the gold one but for a sign or decimals, and are paid.

Wrong answers are those that cannot be read as the gold one. They are alike but for something where both are the same
number once it is left out. It is what the grader ignores where most of the wrong answers that are alike are paid, and
of the other wrong ones hardly any.
"""

from collections.abc import Callable

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import gold_column, is_short, plain_number
from evotrainer.evidence.frames import Frame

NEEDS = {"weak_verifier": ("gold", "reward")}

_MIN_PAID, _MIN_PROBLEMS, _MIN_OTHERS = 8, 5, 20
_MOSTLY, _HARDLY = 0.6, 0.1


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding for the first thing that a grader ignores."""
    rows = context.unequally_paid
    name = gold_column(rows, rows["problem_id"], EXTRA_PREFIX) if len(rows) else ""
    if not name:
        return Diagnosis()
    rows = rows[(rows["is_gold"] == 0.0) & ~rows["is_truncated"].astype(bool) & rows[name].map(is_short)]
    is_paid = rows["reward"] >= context.graded["reward"].max()
    pairs = list(zip(rows["final_answer"].astype(str), rows[name].astype(str), strict=True))
    for what, left in _LEFT.items():
        alike = [left(answer) != "" and left(answer) == left(gold) for answer, gold in pairs]
        shares = _shares(rows, is_paid, rows.index.isin(rows.index[alike]), context.thresholds.alpha)
        if shares is None:
            continue
        shown = rows[alike][is_paid[alike]]
        message = (
            f"of attempts whose answer differs from the gold one {what} ({shown['final_answer'].iloc[0]} for "
            f"{shown[name].iloc[0]}), {shares[0]:.0%} are paid in full, of other wrong ones {shares[1]:.0%}: the "
            "grader does not compare that"
        )
        numbers = {"alike": shares[0], "others": shares[1]}
        return Diagnosis(findings=[context.finding("weak_verifier", "warning", message, numbers, ("alpha",), shown)])
    return Diagnosis()


def _shares(rows: Frame, is_paid: Frame, alike: Frame, alpha: float) -> tuple[float, float] | None:
    """Return the shares of alike and of other wrong answers that are paid; None where that shows nothing."""
    paid, others = rows[alike & is_paid], rows[~alike]
    if len(paid) < _MIN_PAID or paid["problem_id"].nunique() < _MIN_PROBLEMS or len(others) < _MIN_OTHERS:
        return None
    shares = float(is_paid[alike].mean()), float(is_paid[~alike].mean())
    table = [[int((is_paid & part).sum()), int((~is_paid & part).sum())] for part in (alike, ~alike)]
    chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    return shares if shares[0] >= _MOSTLY and shares[1] <= _HARDLY and chance < alpha else None


def _magnitude(text: str) -> str:
    value = plain_number(text)
    return f"{abs(value):.9g}" if value == value else ""


def _whole(text: str) -> str:
    value = plain_number(text)
    return str(int(value)) if value == value else ""


_LEFT: dict[str, Callable[[str], str]] = {"by its sign alone": _magnitude, "behind the point alone": _whole}
"""What is left out -> what is left of an answer; empty where the answer has no such part."""
