"""Replies that hand the prompt's own text back, where another text is asked for, and are paid best.

A reward that compares meanings, or counts words in common, is highest for the source of a translation itself, for the
sentence that was to be put in other words, for the code that was to be mended.

A text that is right as it stands may be handed back: in proofreading, in filters, where a passage is to be repeated.
So others at the same problem must show that something else is asked for. Either they are nearer to the reference,
which the prompt does not give, or they are in another language, and so at nearly all problems with copies.
Copies that are not paid more are attempts that failed, and early attempts that mostly copy were asked to.
"""

import numpy as np

from evotrainer.diagnosis.context import Context, Diagnosis, z_limit
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.pay import pay_of
from evotrainer.evidence.frames import Frame

NEEDS = {"weak_verifier": ("num_chars", "reward", "group")}

_MIN_COPIES, _MIN_PROBLEMS, _NEARLY_ALL = 10, 5, 0.8
_EARLY, _NEARER, _WORTH = 0.5, 0.2, 0.2
"""Share of early attempts that copy, at most; how much nearer to the reference others are; what a copy earns."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where copies of the prompt are paid more than what is asked for."""
    rows = context.unequally_paid
    if rows.empty or "copies_prompt" not in rows or rows["copies_prompt"].sum() < _MIN_COPIES:
        return Diagnosis()
    rows = rows[~rows["is_truncated"].astype(bool)]
    is_copy = rows["copies_prompt"].astype(bool)
    copies = rows[is_copy]
    is_early = rows["step"] <= np.quantile(rows["step"], 1 / 3)
    if len(copies) < _MIN_COPIES or is_copy[is_early].mean() > _EARLY:
        return Diagnosis()
    pay, what = pay_of(rows, is_copy), _asked_otherwise(copies, rows[~is_copy])
    if not what or pay is None or pay.difference < _WORTH or pay.z < z_limit(context.thresholds.alpha):
        return Diagnosis()
    num_problems = copies["problem_id"].nunique()
    message = (
        f"{len(copies)} replies at {num_problems} problems are the text that their prompt gave, word by word, where "
        f"others {what}; they earn {pay.difference:.1f} standard deviations more: the reward does not see what was "
        "asked for, check the language or refuse copies"
    )
    numbers = {"copies": len(copies), "problems": num_problems, "pay": pay.difference, "z": pay.z}
    shown = copies.sort_values("reward", ascending=False, kind="stable")
    return Diagnosis(findings=[context.finding("weak_verifier", "warning", message, numbers, ("alpha",), shown)])


def _asked_otherwise(copies: Frame, others: Frame) -> str:
    """Return what shows at nearly all problems that no copy is asked for; nothing where that is not shown."""
    known = [part.dropna(subset="near_reference").groupby("problem_id") for part in (copies, others)]
    nearer = (known[1]["near_reference"].mean() - known[0]["near_reference"].mean()).dropna() >= _NEARER
    if len(nearer) >= _MIN_PROBLEMS and nearer.mean() >= _NEARLY_ALL:
        return "are nearer to the reference"
    spoken = [part[part["language"] != ""].groupby("problem_id")["language"] for part in (copies, others)]
    own, usual = (languages.agg(lambda some: some.mode().iloc[0]) for languages in spoken)
    both = own.index.intersection(usual.index)
    is_other = own[both] != usual[both]
    return "are in another language" if len(both) >= _MIN_PROBLEMS and is_other.mean() >= _NEARLY_ALL else ""
