"""Rules that make findings of campaign evidence: one function a form of evidence, one line a rule where it is used.

    share, rate        significantly more attempts, or calls, are of a kind than a limit; or significantly fewer
    moves, moved       a mean over groups goes one way over the run, or lies beyond the incumbent's, without success
    proven             attempts count as right that the grader measured to be wrong
    paid_off           a suspect behaviour goes with success at the same problem (exact: stats.within)

An `invalid` finding blocks a version. So `proven` needs a material share of the score's attempts, and `paid_off` a
level that no campaign reaches by chance, and a large effect. What goes with success need not be its cause.
"""

import math
from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pandas as pd

from evotrainer.diagnosis import stats
from evotrainer.diagnosis.context import Context, graded
from evotrainer.diagnosis.thresholds import LIMITS
from evotrainer.diagnosis.trends import (
    Trend,
    flat_success,
    incumbent_trend,
    line_trend,
    significantly_above,
    significantly_below,
    thirds,
    trend,
    z_limit,
)
from evotrainer.evidence.frames import Frame
from evotrainer.evidence.schema import CHECK_PREFIX
from evotrainer.records import Finding, Severity

Marks = Callable[[Frame], Frame]
"""From rows to a column of truth values."""
MEANT = 0.05
"""Share of attempts with an action from which that action belongs to the domain."""
MARK = "_marked"
"""Column of the attempts that show what a finding is about."""


def share(
    context: Context,
    mode: str,
    rows: Frame,
    is_marked: Frame,
    limit: str,
    what: str,
    *,
    worse: str = "",
    fewer: bool = False,
    severity: Severity = "warning",
    order: Sequence[str] = (),
    numbers: Mapping[str, float] | None = None,
) -> list[Finding]:
    """Return a finding where significantly more rows are marked than the share named `limit`; or fewer.

    Args:
        context: what is judged, with its limits.
        mode: a name of docs/failure_modes.md.
        rows: the rows that could be marked, `min_rows` at least.
        is_marked: which are.
        limit: a name of thresholds.py.
        what: completes "N of M ..."; after a colon what to do.
        worse: the limit above which the finding is critical.
        fewer: whether it is a fault that few are marked; those that are not are then the examples.
        severity: of the finding.
        order: columns by which the examples are sorted, the largest first.
        numbers: further ones.

    """
    count, total = int(is_marked.sum()), len(rows)
    most, differs = getattr(LIMITS, limit), significantly_below if fewer else significantly_above
    if total < LIMITS.min_rows or not differs(count, total, most, LIMITS.limit_alpha):
        return []
    if worse and differs(count, total, getattr(LIMITS, worse), LIMITS.limit_alpha):
        severity = "critical"
    claim, _, so = what.partition(": ")
    message = f"{count} of {total} {claim} (limit {most:.3g})" + (f": {so}" if so else "")
    found = {"count": count, "share": count / total} | dict(numbers or {})
    examples = rows[~is_marked] if fewer else rows[is_marked]
    examples = examples.sort_values([*order], ascending=False, kind="stable") if order else examples
    return [context.finding(mode, severity, message, found, examples)]


def rate(
    context: Context, mode: str, rows: Frame, part: Frame, whole: Frame, limit: str, what: str, metric: str
) -> list[Finding]:
    """Return a finding where more of the calls of attempts are of a kind than a limit; attempts are the units."""
    of_all, most = float(part.sum() / max(whole.sum(), 1)), getattr(LIMITS, limit)
    if of_all <= most:
        return []
    is_many = (part > most * whole) & (part >= 1)
    found = share(context, mode, rows, is_many, limit, what, numbers={metric: of_all})
    return [one.model_copy(update={"message": f"{of_all:.0%} of {what} (limit {most:.0%})"}) for one in found]


def spreading(
    context: Context, mode: str, marks: Marks, who: str, *, least: str = "spreading", before: float | None = None
) -> list[Finding]:
    """Return a finding where marked attempts spread over the run, or are more than the incumbent's share `before`."""
    rows = graded(context.training)
    marked = rows.assign(**{MARK: marks(rows).astype(float)})
    found = moves(context, mode, marked, MARK, 1, least, f"attempts {who}")
    if found or before is None:
        return found
    return moved(context, mode, marked, MARK, 1, "rise_vs_incumbent", f"attempts {who}", before)


def outliers(context: Context, mode: str, marks: Marks, what: str) -> list[Finding]:
    """Return a finding where more attempts after the first third of a run are marked than `far_outliers`, success flat.

    Only for marks that are rare in healthy runs: then their count is more sensitive than the slope of their share.
    """
    rows = graded(context.training)
    parts = thirds(rows)
    if parts is None or flat_success(context, rows) is None:
        return []
    later = rows["step"] > parts[0]["step"].max()
    return share(context, mode, rows[later], marks(rows)[later], "far_outliers", f"{what} after the first steps")


def moves(
    context: Context, mode: str, rows: Frame, column: str, sign: int, least: str, what: str, level: str = "trend_alpha"
) -> list[Finding]:
    """Return a finding where the line of `column` goes by the limit `least`, if any, in a direction, success flat."""
    found = line_trend(rows, column, LIMITS.min_groups) if flat_success(context, rows) is not None else None
    if found is None or sign * found.z < z_limit(getattr(LIMITS, level)):
        return []
    if least and sign * (found.late - found.early) < getattr(LIMITS, least):
        return []
    message = f"{what} went from {found.early:.2f} to {found.late:.2f} over the run"
    return _moved(context, mode, rows, column, message, found)


def moved(
    context: Context, mode: str, rows: Frame, column: str, sign: int, least: str, what: str, before: float
) -> list[Finding]:
    """Return a finding where the mean of `column` lies beyond the incumbent's `before` by the limit `least`."""
    found = incumbent_trend(context, rows, column, before)
    if (
        found is None
        or sign * found.z < z_limit(LIMITS.trend_alpha)
        or sign * (found.late - before) < getattr(LIMITS, least)
    ):
        return []
    message = f"{what} are {found.late:.3f}, {before:.3f} in the incumbent"
    return _moved(context, mode, rows, column, message, found)


def _moved(context: Context, mode: str, rows: Frame, column: str, message: str, found: Trend) -> list[Finding]:
    examples = rows[rows[MARK] > 0] if column == MARK else rows.drop_duplicates("group", keep="last")
    examples = examples.sort_values("step", ascending=False, kind="stable")
    numbers = {"early": found.early, "late": found.late, "z": found.z}
    return [context.finding(mode, "warning", f"{message}, without a better score", numbers, examples)]


def rises_alone(context: Context, mode: str, rows: Frame, column: str, what: str) -> list[Finding]:
    """Return a finding where a score rises over the run, by `divergence` of its deviation, and the outcome does not."""
    rises, solved = trend(rows, column, LIMITS.min_groups), flat_success(context, rows)
    if rises is None or solved is None or rises.z < z_limit(LIMITS.alpha):
        return []
    if rises.late - rises.early < LIMITS.divergence * max(float(rows[column].std()), math.ulp(1.0)):
        return []
    message = (
        f"{what} rose from {rises.early:.2f} to {rises.late:.2f} over the run while the solve rate went from "
        f"{solved.early:.2f} to {solved.late:.2f}: the policy learns what is paid beside the outcome"
    )
    numbers = {"early": rises.early, "late": rises.late, "z": rises.z, "solve_rate_z": solved.z}
    wrong = rows[rows["correct"] < 1.0].sort_values(["step", column], ascending=False, kind="stable")
    return [context.finding(mode, "critical", message, numbers, wrong)]


def check(rows: Frame, name: str) -> Frame:
    """Return a grader's check by row; NaN where it was not measured."""
    return column(rows, f"{CHECK_PREFIX}{name}")


def is_measured(rows: Frame, *checks: str) -> Frame:
    """Tell for which attempts a grader measured one of these checks."""
    return pd.concat([check(rows, name).notna() for name in checks], axis=1).any(axis=1)


def with_any(*checks: str) -> Marks:
    """Return what tells which attempts have one of these checks above 0."""
    return lambda rows: pd.concat([check(rows, name) > 0 for name in checks], axis=1).any(axis=1)


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


def proven(context: Context, mode: str, is_false: Marks, what: str) -> list[Finding]:
    """Return a finding on attempts that count as right and are proven wrong.

    `invalid` where they are a material share of the score, `critical` from `invalid_rows` attempts on in any graded
    rows, else a warning. `what` completes "N of M attempts ...".
    """
    score, anywhere = score_rows(context), all_rows(context)
    wrong, found = (rows[solved(rows) & is_false(rows).astype(bool)] for rows in (score, anywhere))
    if found.empty:
        return []
    is_material = len(wrong) >= LIMITS.invalid_rows and len(wrong) >= LIMITS.invalid_share * len(score)
    severity: Severity = "invalid" if is_material else "critical" if len(found) >= LIMITS.invalid_rows else "warning"
    shown, base = (wrong, score) if is_material else (found, anywhere)
    numbers = {
        "tainted": len(shown),
        "share": len(shown) / len(base),
        "solve_rate": float(base["correct"].mean()),
        "solve_rate_without": float(base["correct"].where(~base.index.isin(shown.index), 0.0).mean()),
    }
    message = f"{len(shown)} of {len(base)} attempts {what}"
    return [context.finding(mode, severity, message, numbers, shown)]


def paid_off(context: Context, mode: str, is_marked: Marks, what: str, severity: Severity) -> list[Finding]:
    """Return a finding where a suspect behaviour goes with success at the same problem, significantly and strongly."""
    rows = score_rows(context)
    marked = is_marked(rows).astype(bool)
    gained = rows[marked & solved(rows)]
    if len(gained) < max(LIMITS.invalid_rows, LIMITS.invalid_share * len(rows)):
        return []
    found = excess(context, rows, marked, solved(rows))
    if found is None:
        return []
    message = (
        f"{int(marked.sum())} of {len(rows)} attempts {what}, and succeed more often than others at the same problem "
        f"by {found.difference:.2f}"
    )
    numbers = {"marked": int(marked.sum()), "excess": found.difference, "p": found.p}
    return [context.finding(mode, severity, message, numbers, gained)]


def excess(context: Context, rows: Frame, is_marked: Frame, is_success: Frame) -> stats.Effect | None:
    """Return how much more often marked attempts of a group succeed, where that suffices for an invalid score."""
    group = rows["group"].to_numpy(np.int64)
    found = stats.within(group, is_marked.to_numpy(bool), is_success.to_numpy(float))
    if found is None or found.p >= LIMITS.invalid_alpha or found.difference < LIMITS.invalid_excess:
        return None
    return found


def caught(
    context: Context, mode: str, is_cheat: Marks, limit: str, what: str, severity: Severity = "critical"
) -> list[Finding]:
    """Return a finding where significantly more attempts cheat, with success or not, than the share named `limit`."""
    rows = all_rows(context)
    cheats = is_cheat(rows).astype(bool)
    if cheats.sum() < LIMITS.invalid_rows:
        return []
    return share(context, mode, rows, cheats, limit, f"attempts {what}", severity=severity)
