"""References that are the text which the prompt gave: of a translation its source, of a summary the whole page.

A loader took the wrong column, and whoever hands the text back is paid most.

A passage may hold an answer word for word. Its prompt gives more beside: other sentences, a question. Here what stands
beside the reference is one instruction for many problems. Proofreading gives some right texts, and others whose
reference is another. Where a text shall be repeated, all attempts are like it from the beginning. So the finding needs
early attempts that are not, and copies that earn more than others at their problem.
"""

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.diagnosis.texts.given_references import NOT_GIVEN

NEEDS = {"wrong_labels": ("extra", "reward")}

_GIVEN, _MIN_PROBLEMS, _ONE_WORDING = 0.8, 10, 0.2
"""Share of attempts with a reference whose prompt gives it; problems; wordings beside it to a problem, at most."""
_COPY, _UNLIKE, _MIN_COPIES, _WORTH = 0.8, 0.6, 10, 0.3
"""Likeness of copies, and of early attempts at most; copies; standard deviations that a copy earns."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of references that prompts give, where copies of them are paid."""
    rows = context.unequally_paid
    rows = rows[(rows["beside_reference"] != "") & ~rows["is_truncated"].astype(bool)] if len(rows) else rows
    if len(rows) < context.thresholds.min_rows:
        return Diagnosis()
    given = rows[rows["beside_reference"] != NOT_GIVEN]
    problems = given["problem_id"].nunique()
    if len(given) < _GIVEN * len(rows) or problems < _MIN_PROBLEMS:
        return Diagnosis()
    early = given[given["step"] <= np.quantile(given["step"], 1 / 3)]
    if given["beside_reference"].nunique() > _ONE_WORDING * problems or early["reference_share"].median() > _UNLIKE:
        return Diagnosis()
    is_copy = given["reference_share"] >= _COPY
    copies = given[is_copy]
    if len(copies) < _MIN_COPIES or copies["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    pay = pay_of(given, is_copy)
    if pay is None or pay.difference < _WORTH or pay.z < z_limit(context.thresholds.alpha):
        return Diagnosis()
    message = (
        f"the reference of {problems} problems is the text that their prompts give, and {len(copies)} replies that "
        f"hand it back earn {pay.difference:.1f} standard deviations more than others at their problem: load the "
        "column of answers, not that of what is asked"
    )
    numbers = {"problems": problems, "copies": len(copies), "pay": pay.difference}
    shown = copies.sort_values("reward", ascending=False, kind="stable")
    names = ("min_rows", "alpha")
    return Diagnosis(findings=[context.finding("wrong_labels", "warning", message, numbers, names, shown)])
