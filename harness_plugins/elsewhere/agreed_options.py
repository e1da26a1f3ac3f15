"""Multiple choice whose key does not belong to the options: attempts agree on one, and it is right by chance alone.

Attempts that know nothing agree no more within a problem than between problems. Where they agree far more within, on
different letters from problem to problem, they know something, or err alike. What they agree on is then right more
often than any letter. Where it is right as seldom as a letter drawn by chance, and other letters are paid instead, the
key is one of other options: shuffled, counted from another number, or shifted. A policy that gives one letter
everywhere agrees as much between problems.

Keys of some data files alone may be wrong. Then what attempts agree on is right as seldom as chance in some values of a
column that each problem has one of, and far more often in the others.
"""

import re

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, significantly_above, significantly_below
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("num_chars", "reward", "group")}

_LETTER = re.compile(r"\(?([A-J])\)?[.:]?")
_MOSTLY, _MODAL, _MIN_SIZE = 0.9, 0.6, 3
"""Shares of attempts that end with a letter, and at a problem with its commonest one; attempts there."""
_MIN_PROBLEMS, _MIN_OTHERS = 15, 5
"""Problems whose attempts agree, and those that pay another letter."""
_WITHIN, _WITHIN_FILES, _ONE_LETTER, _USED = 0.15, 0.1, 0.6, 0.03
"""Agreement within problems beyond that between them, also where files are compared; share of a letter that is a bias,
and of one that is an option."""
_MAX_FILES, _MIN_IN_FILES, _MIN_IN_BAD, _MOSTLY_RIGHT, _HALF = 32, 8, 2, 0.6, 0.5
"""Values of a column of files, problems on either side, those in bad files that pay another letter, the share of right
ones in the others, and that of a problem's commonest letter where files are compared."""
_SURPRISING = 1e-4
"""Chance of such a division, times all ways to choose the bad files."""
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
    if within < between + _WITHIN_FILES:
        return Diagnosis()
    is_all = within >= between + _WITHIN and agreed["others_paid"].sum() >= _MIN_OTHERS
    if not is_all or not _is_chance(context, agreed, chance):
        return Diagnosis(findings=_of_some_files(context, rows, table[table["share"] >= _HALF], chance))
    message = (
        f"attempts agree on one option at {len(agreed)} of {len(table)} problems ({within:.0%} of pairs, {between:.0%} "
        f"of pairs between problems), and it is paid at {right} of them, where chance pays one in {options}: see "
        "whether the key belongs to the options as they are shown"
    )
    numbers = {"problems": len(agreed), "right": right, "chance": chance, "within": within, "between": between}
    shown = rows[rows["problem_id"].isin(agreed.index[~agreed["right"]])]
    names = ("alpha", "limit_alpha")
    return Diagnosis(findings=[context.finding("metric_defect", "warning", message, numbers, names, shown)])


def _of_some_files(context: Context, rows: Frame, agreed: Frame, chance: float) -> list[Finding]:
    """Return a finding where agreed options are right by chance in some values of a column, mostly in the others."""
    for name in map(str, rows.columns):
        if not name.startswith(EXTRA_PREFIX) or rows[name].isna().any():
            continue
        by_problem = rows.groupby("problem_id")[name]
        if not 2 <= rows[name].nunique() <= _MAX_FILES or (by_problem.nunique() > 1).any():
            continue
        file = by_problem.first().map(str).reindex(agreed.index)
        bad_files = _least_right(agreed["right"], file, chance + _KNOWN)
        is_bad = file.isin(bad_files)
        bad, good = agreed[is_bad], agreed[~is_bad]
        if min(len(bad), len(good)) < _MIN_IN_FILES or good["right"].mean() < _MOSTLY_RIGHT:
            continue
        surprise = _surprise(bad["right"], good["right"]) * 2.0 ** min(file.nunique(), 30)
        is_more = significantly_above(int(bad["right"].sum()), len(bad), chance, context.thresholds.limit_alpha)
        if bad["others_paid"].sum() < _MIN_IN_BAD or surprise > _SURPRISING or is_more:
            continue
        message = (
            f"attempts agree on one option at {len(agreed)} problems, and it is paid at {int(bad['right'].sum())} of "
            f"{len(bad)} with {name.removeprefix(EXTRA_PREFIX)} {', '.join(sorted(bad_files))}, and at "
            f"{int(good['right'].sum())} of {len(good)} others: see whether the key there belongs to the options"
        )
        numbers = {"right": float(bad["right"].mean()), "right_others": float(good["right"].mean())}
        shown = rows[rows["problem_id"].isin(bad.index[~bad["right"]])]
        return [context.finding("metric_defect", "warning", message, numbers, ("alpha", "limit_alpha"), shown)]
    return []


def _least_right(is_right: Frame, file: Frame, most: float) -> list[str]:
    """Return the files with the fewest right problems, together below a share `most`, that chance makes seldomest."""
    shares = is_right.groupby(file).mean().sort_values(kind="stable").index
    parts = [list(shares[:count]) for count in range(1, len(shares))]
    parts = [part for part in parts if is_right[file.isin(part)].mean() < most]
    return min(parts, key=lambda part: _surprise(is_right[file.isin(part)], is_right[~file.isin(part)]), default=[])


def _surprise(ones: Frame, others: Frame) -> float:
    """Return the chance that two sets of problems differ as much in their shares of right ones."""
    table = [[int((part == value).sum()) for value in (True, False)] for part in (ones, others)]
    return float(scipy.stats.fisher_exact(table).pvalue)


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
