"""Multiple choice whose key does not belong to the options: attempts agree on one, and it is right by chance alone.

Attempts that know nothing agree no more within a problem than between problems. Where they agree far more within, on
different letters from problem to problem, they know something, or err alike. What they agree on is then right more
often than any letter. Where it is right as seldom as a letter drawn by chance, and other letters are paid instead, the
key is one of other options: shuffled, counted from another number, or shifted. A policy that gives one letter
everywhere agrees as much between problems.
"""

import re

import pandas as pd

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above, significantly_below
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"metric_defect": ("num_chars", "reward", "group")}

_LETTER = re.compile(r"\(?([A-J])\)?[.:]?")
_MOSTLY, _MODAL, _MIN_SIZE = 0.9, 0.6, 3
"""Shares of attempts that end with a letter, and at a problem with its commonest one; attempts there."""
_MIN_PROBLEMS, _MIN_OTHERS = 15, 5
"""Problems whose attempts agree, and those that pay another letter."""
_WITHIN, _ONE_LETTER, _USED = 0.25, 0.6, 0.03
"""Agreement within problems beyond that between them; share of a letter that is a bias; of one that is an option."""
_KNOWN = 0.25
"""How far beyond chance the share of right ones would lie at the least, if attempts that agree knew anything."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where the letters that attempts agree on are right by chance."""
    rows = context.unequally_paid
    rows = rows[~rows["is_truncated"].astype(bool)]
    if rows.empty:
        return Diagnosis()
    rows = rows.assign(_letter=rows["final_answer"].map(_letter))
    is_letter = rows["_letter"] != ""
    if is_letter.mean() < _MOSTLY:
        return Diagnosis()
    rows = rows[is_letter]
    rows = rows.assign(_paid=_is_paid(rows))
    shares = rows["_letter"].value_counts(normalize=True)
    options = int((shares >= _USED).sum())
    table = _table(rows)
    agreed = table[table["share"] >= _MODAL]
    if len(agreed) < _MIN_PROBLEMS or options < 2 or agreed["letter"].value_counts(normalize=True).max() > _ONE_LETTER:
        return Diagnosis()
    between = float((shares**2).sum())
    within = float((table["pairs"] * table["size"]).sum() / table["size"].sum())
    right, chance = int(agreed["right"].sum()), 1 / options
    if (
        within < between + _WITHIN
        or agreed["others_paid"].sum() < _MIN_OTHERS
        or not _is_chance(context, agreed, chance)
    ):
        return Diagnosis()
    message = (
        f"attempts agree on one option at {len(agreed)} of {len(table)} problems ({within:.0%} of pairs, {between:.0%} "
        f"of pairs between problems), and it is paid at {right} of them, where chance pays one in {options}: see "
        "whether the key belongs to the options as they are shown"
    )
    numbers = {"problems": len(agreed), "right": right, "chance": chance, "within": within, "between": between}
    shown = rows[rows["problem_id"].isin(agreed.index[~agreed["right"]])]
    names = ("alpha", "limit_alpha")
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, names, shown)])


def _is_chance(context: Context, agreed: Frame, chance: float) -> bool:
    """Tell whether agreed letters are right no more than by chance, and far less than by knowledge."""
    limits, right, total = context.thresholds, int(agreed["right"].sum()), len(agreed)
    is_more = significantly_above(right, total, chance, limits.limit_alpha)
    return not is_more and significantly_below(right, total, chance + _KNOWN, limits.alpha)


def _letter(answer: str) -> str:
    found = _LETTER.fullmatch(answer.strip())
    return found.group(1) if found else ""


def _is_paid(rows: Frame) -> Frame:
    """Tell which attempts count as right: those that are correct, or have the greatest reward where nobody says."""
    return (rows["correct"] >= 1.0).where(rows["correct"].notna(), rows["reward"] >= rows["reward"].max())


def _table(rows: Frame) -> Frame:
    """Return by problem: the attempts, their commonest letter, its share, and how many pairs of attempts agree.

    right: most attempts with that letter are paid. others_paid: an attempt with another one is.
    """
    by_letter = rows.groupby(["problem_id", "_letter"])["_paid"].agg(["size", "mean"]).reset_index()
    by_letter["pairs"] = by_letter["size"] * (by_letter["size"] - 1)
    by_problem = by_letter.groupby("problem_id")
    size = by_problem["size"].sum()
    usual = by_letter.sort_values(["size", "_letter"], ascending=[False, True]).drop_duplicates("problem_id")
    others = by_letter.drop(usual.index).groupby("problem_id")["mean"].max()
    usual = usual.set_index("problem_id")
    table: Frame = pd.DataFrame(
        {
            "size": size,
            "letter": usual["_letter"],
            "share": usual["size"] / size,
            "right": usual["mean"] > 0.5,
            "pairs": by_problem["pairs"].sum() / (size * (size - 1)).clip(lower=1),
            "others_paid": others.reindex(size.index).fillna(0.0) > 0.5,
        }
    )
    return table[table["size"] >= _MIN_SIZE]
