"""Prompts of multiple choice that list no options: what is asked for is a letter, and none stands there.

Options may be lost on the way from the data to the prompt, for one source, one length or one format of them. It is a
finding where most prompts list options by letters and some list none, attempts answer both with letters, and those that
see no options are right less often. Where questions without options are of another kind, their answers are no letters.
"""

import re

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl

NEEDS = {"metric_defect": ("num_chars", "reward")}

_LETTER = re.compile(r"\(?[A-Ja-j]\)?[.:]?")
_MIN_OPTIONS, _MIN_ROWS, _MIN_PROBLEMS = 2, 12, 3
_LISTED, _LETTERS, _LETTERS_WITHOUT = 0.4, 0.8, 0.6
"""Shares of attempts whose prompts list options, and of answers with options and without that are letters."""
_LESS = 0.15
"""How much seldomer those without options are paid."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where some prompts lack the options that others list."""
    rows = context.unequally_paid
    rows = rows[~rows["is_truncated"].astype(bool)]
    if rows.empty:
        return Diagnosis()
    listed = rows["num_options"] >= _MIN_OPTIONS
    is_letter = rows["final_answer"].map(lambda answer: _LETTER.fullmatch(answer.strip()) is not None)
    lost, others = rows[~listed], rows[listed]
    if len(lost) < _MIN_ROWS or lost["problem_id"].nunique() < _MIN_PROBLEMS or listed.mean() < _LISTED:
        return Diagnosis()
    if is_letter[others.index].mean() < _LETTERS or is_letter[lost.index].mean() < _LETTERS_WITHOUT:
        return Diagnosis()
    paid = rows["reward"] >= rows["reward"].max()
    shares = [float(paid[part.index].mean()) for part in (lost, others)]
    table = [[int((~paid[part.index]).sum()), int(paid[part.index].sum())] for part in (lost, others)]
    chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    if shares[0] > shares[1] - _LESS or chance >= context.thresholds.alpha:
        return Diagnosis()
    message = (
        f"the prompts of {lost['problem_id'].nunique()} of {rows['problem_id'].nunique()} problems list no options, "
        f"though attempts answer them with letters, as they do others; {shares[0]:.0%} of these attempts are paid in "
        f"full, {shares[1]:.0%} of others: see how options come into the prompt"
    )
    numbers = {"attempts": len(lost), "paid": shares[0], "paid_others": shares[1]}
    shown = lost.drop_duplicates("problem_id")
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, ("alpha",), shown)])
