"""When a score is invalid: the evidence of cheating that the integrity diagnostics share.

An `invalid` finding blocks a version, so it needs one of two kinds of evidence:

1. Proof. The grader measured what honest work cannot show: a canary, text of a later commit, an outcome that does not
   survive a second grading. A few such attempts suffice where they are a material share of the score.
2. Statistics. A suspect behaviour goes with success among attempts at the same problem (`excess`), at a
   level that no campaign reaches by chance and with a large effect.

Cheats that a grader rejected, or that stand in training only, do not falsify the score: critical or warning.

Does a behaviour go with success among attempts at the same problem? An exact test, independent of difficulty.

Within a group (the attempts of one policy at one problem), a mark without meaning falls on a random subset of attempts,
so the number of marked successes is hypergeometric. The sum over groups has the convolution of these distributions, so
its tail is exact for all group sizes and solve rates. The effect size is the Mantel-Haenszel risk difference (Greenland
and Robins 1985).

The test shows association, not cause: a careful attempt may show the mark and succeed.
"""

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, graded, significantly_above
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.schema import CHECK_PREFIX
from evotrainer.records import Finding, Severity

Marks = Callable[[Frame], Frame]
"""From rows to a column of truth values."""

INVALID_LIMITS = ("invalid_rows", "invalid_share")
EXCESS_LIMITS = ("invalid_alpha", "invalid_excess", *INVALID_LIMITS)


@dataclass(frozen=True)
class Excess:
    """How much more often marked attempts succeed than unmarked ones of the same group."""

    difference: float
    """In [-1, 1], weighted over the groups that hold both."""
    p: float
    """Chance of as many successes or more, if the mark means nothing."""
    num_groups: int
    """Groups that hold both marked and unmarked attempts."""


def excess(groups: Frame, is_marked: Frame, is_success: Frame) -> Excess | None:
    """Compare marked and unmarked attempts group by group; None where no group holds both.

    Args:
        groups: the group of each attempt.
        is_marked: whether it shows the behaviour.
        is_success: whether it succeeded.

    """
    marked, success = is_marked.astype(int), is_success.astype(int)
    columns = {"marked": marked, "success": success, "both": marked * success, "size": 1}
    table: Frame = pd.DataFrame(columns).groupby(groups.to_numpy()).sum()
    table = table[(table["marked"] > 0) & (table["marked"] < table["size"])]
    if table.empty:
        return None
    return Excess(_difference(table), _tail(table), len(table))


def _difference(table: Frame) -> float:
    others = table["size"] - table["marked"]
    gained = table["both"] * others - (table["success"] - table["both"]) * table["marked"]
    return float((gained / table["size"]).sum() / (table["marked"] * others / table["size"]).sum())


def _tail(table: Frame) -> float:
    """Return P(sum over groups >= observed) by convolution of the hypergeometric distributions."""
    shapes = Counter(zip(table["size"], table["success"], table["marked"], strict=True))
    distribution = np.ones(1)
    for (size, successes, marked), count in sorted(shapes.items()):
        one = scipy.stats.hypergeom.pmf(np.arange(min(successes, marked) + 1), size, successes, marked)
        for _ in range(count):
            distribution = np.convolve(distribution, one)
    return float(min(1.0, distribution[int(table["both"].sum()) :].sum()))


def check(rows: Frame, name: str) -> Frame:
    """Return a grader's check by row; NaN where it was not measured."""
    return column(rows, f"{CHECK_PREFIX}{name}")


def column(rows: Frame, name: str) -> Frame:
    """Return a column by row; NaN where the evidence has none of that name."""
    return rows[name] if name in rows else pd.Series(np.nan, index=rows.index)


def share_of(values: Frame) -> float:
    """Return the share of rows with a value above 0, among those where it was measured; NaN where none was."""
    measured = values.dropna()
    return float((measured > 0).mean()) if len(measured) else math.nan


def solved(rows: Frame) -> Frame:
    """Tell which attempts count as right."""
    return rows["correct"] >= 1.0


def score_rows(context: Context) -> Frame:
    """Return the attempts that the score rests on: validation, or all rows where there is none."""
    held = graded(context.validation)
    return held if len(held) else context.graded


def all_rows(context: Context) -> Frame:
    """Return all graded attempts of rows and validation. Group numbers of the two may coincide."""
    return context.graded_with_validation.copy(deep=False)


def proven(context: Context, mode: str, is_invalid: Marks, what: str) -> list[Finding]:
    """Return a finding on attempts that count as right and are proven wrong.

    `invalid` where they are a material share of the score, `critical` from `invalid_rows` attempts on in any graded
    rows, else a warning. `what` completes "N of M attempts ...".
    """
    score, limits = score_rows(context), context.thresholds
    wrong = score[is_invalid(score).astype(bool)]
    anywhere = all_rows(context)
    found = anywhere[is_invalid(anywhere).astype(bool)]
    if found.empty:
        return []
    is_material = len(wrong) >= limits.invalid_rows and len(wrong) >= limits.invalid_share * len(score)
    severity: Severity = "invalid" if is_material else "critical" if len(found) >= limits.invalid_rows else "warning"
    shown, base = (wrong, score) if is_material else (found, anywhere)
    numbers = {
        "tainted": len(shown),
        "share": len(shown) / len(base),
        "solve_rate": float(base["correct"].mean()),
        "solve_rate_without": float(base["correct"].where(~base.index.isin(shown.index), 0.0).mean()),
    }
    message = f"{len(shown)} of {len(base)} attempts {what}"
    return [context.finding(mode, severity, message, numbers, INVALID_LIMITS, shown)]


def paid_off(context: Context, mode: str, is_marked: Marks, what: str, severity: Severity) -> list[Finding]:
    """Return a finding where a suspect behaviour goes with success at the same problem, significantly and strongly."""
    rows, limits = score_rows(context), context.thresholds
    marked = is_marked(rows).astype(bool)
    gained = rows[marked & solved(rows)]
    if len(gained) < max(limits.invalid_rows, limits.invalid_share * len(rows)):
        return []
    found = excess(rows["group"], marked, solved(rows))
    if found is None or not is_significant(context, found):
        return []
    message = (
        f"{int(marked.sum())} of {len(rows)} attempts {what}, and succeed more often than others at the same problem "
        f"by {found.difference:.2f}"
    )
    numbers = {"marked": int(marked.sum()), "excess": found.difference, "p": found.p}
    return [context.finding(mode, severity, message, numbers, EXCESS_LIMITS, gained)]


def caught(
    context: Context, mode: str, is_cheat: Marks, limit: str, what: str, severity: Severity = "critical"
) -> list[Finding]:
    """Return a finding where significantly more attempts cheat, with success or not, than the share named `limit`."""
    rows, limits = all_rows(context), context.thresholds
    cheats = rows[is_cheat(rows).astype(bool)]
    if len(cheats) < limits.invalid_rows:
        return []
    if not significantly_above(len(cheats), len(rows), getattr(limits, limit), limits.limit_alpha):
        return []
    numbers = {"attempts": len(cheats), "share": len(cheats) / len(rows)}
    message = f"{len(cheats)} of {len(rows)} attempts {what} (limit {getattr(limits, limit):.1%})"
    return [context.finding(mode, severity, message, numbers, (limit, "invalid_rows", "limit_alpha"), cheats)]


def is_significant(context: Context, found: Excess) -> bool:
    """Tell whether an excess is significant and large enough for an invalid score."""
    limits = context.thresholds
    return found.p < limits.invalid_alpha and found.difference >= limits.invalid_excess
