"""A grader that takes an option which the reply excludes: attempts state the right one, list the others, are unpaid.

A reply that names one option and then all others in a row sorts them in two. The first is its answer, and no list of
several letters is. Where such replies with the right letter are hardly ever paid, and right letters without a list are,
the grader reads the last letter. What is right is the gold letter, or the one that problems pay without a list.
"""

import re

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.diagnosis.texts.gold import gold_column
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("num_chars", "reward")}

_LETTER = re.compile(r"\W*([A-J])\W*")
_MIN_CASES, _MIN_PROBLEMS, _MIN_PLAIN = 10, 5, 20
_HARDLY, _PAID = 0.2, 0.3
"""Shares of right listed replies that are paid, at most, and of attempts without a list, at least."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where replies that state the right option and exclude all others are not paid."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    is_paid = (rows["correct"] >= 1.0).where(rows["correct"].notna(), rows["reward"] >= rows["reward"].max())
    rows = rows.assign(_paid=is_paid.astype(bool))[~rows["is_truncated"].astype(bool)]
    has_list = rows["stated_option"] != ""
    right = rows["problem_id"].map(_keys(rows[~has_list]))
    cases, plain = rows[has_list & (rows["stated_option"] == right)], rows[~has_list]
    if len(cases) < _MIN_CASES or cases["problem_id"].nunique() < _MIN_PROBLEMS or len(plain) < _MIN_PLAIN:
        return Diagnosis()
    shares = [float(part["_paid"].mean()) for part in (cases, plain)]
    table = [[int((part["_paid"] == value).sum()) for value in (False, True)] for part in (cases, plain)]
    chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    if shares[0] > _HARDLY or shares[1] < _PAID or chance >= context.thresholds.alpha:
        return Diagnosis()
    message = (
        f"{len(cases)} attempts state the right option and then list all others as excluded, and {shares[0]:.0%} of "
        f"them are paid, of attempts without such a list {shares[1]:.0%}: the grader takes the last letter for the "
        "answer, let it take what is stated"
    )
    numbers = {"cases": len(cases), "paid": shares[0], "paid_plain": shares[1]}
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, ("alpha",), cases)])


def _keys(plain: Frame) -> dict[str, str]:
    """Return {problem: its right letter}, from a gold column, else from answers that are paid without a list."""
    name = gold_column(plain, plain["problem_id"], EXTRA_PREFIX)
    known = plain if name else plain[plain["_paid"]]
    letters = (known[name] if name else known["final_answer"]).map(_letter)
    table: Frame = pd.DataFrame({"problem": known["problem_id"], "letter": letters})
    first = table[table["letter"] != ""].groupby("problem")["letter"].agg(lambda some: some.mode().iloc[0])
    return dict(zip(first.index.tolist(), first.tolist(), strict=True))


def _letter(answer: object) -> str:
    found = _LETTER.fullmatch(str(answer))
    return found.group(1) if found else ""
