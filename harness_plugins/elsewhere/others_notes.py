"""Notes of a judge, or logs that it read, that are about another problem than the attempt's own.

A note that names its problem does so by words of the prompt that hardly any other prompt holds. Where it names none of
them and names another problem instead, it was written for another attempt: one path for the logs of all sessions, rows
put in another order. Notes that leave out their own problem seldom name another by chance. How often they do is seen
in those that name their own.

That is no fault by itself: memories and examples that were retrieved for an attempt come from other problems. So the
finding needs more. Grades follow a measure where notes are the attempt's own, and not where they are another's: then it
is critical. Or in some steps all notes are the attempts' own, and in others they are not.
"""

import math

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, correlation, graded, z_limit
from evotrainer.diagnosis.followed_measures import followed_measures
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame

NEEDS = {"stale_grades": ("extra", "num_chars")}

_MIN_ROWS, _MIN_PROBLEMS, _SHARE = 12, 5, 0.05
"""Attempts with another's note, their problems, and their share of all."""
_OWN, _TIMES = 0.1, 5.0
"""Share of notes that name their own problem, and how much more often than any one other."""
_CHANCE, _MOSTLY = 0.05, 0.7
"""Shares of notes that name another problem: by chance at least, and of those that do not name their own."""
_ALL, _MIN_STEPS, _MIN_OF_STEP = 0.95, 2, 4
_LOST, _ONE = 0.5, 0.999
"""Share of a correlation that is left where it is lost, and the largest correlation that is told from one."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where notes are about other problems, and grades with them."""
    limits, rows = context.thresholds, context.with_texts(graded(context.training))
    rows = rows[rows["note"] != ""] if "note" in rows else rows.head(0)
    if len(rows) < limits.min_rows:
        return Diagnosis()
    own, others = rows["names_own"].astype(bool), rows["names_others"] > 0
    is_strange = ~own & others
    strange, problems = rows[is_strange], rows["problem_id"].nunique()
    if len(strange) < max(_MIN_ROWS, _SHARE * len(rows)) or strange["problem_id"].nunique() < _MIN_PROBLEMS:
        return Diagnosis()
    any_one = float(rows["names_others"].mean()) / max(problems - 1, 1)
    if own.mean() < max(_OWN, _TIMES * any_one) or len(strange) < _MOSTLY * (~own).sum():
        return Diagnosis()
    chance = max(_CHANCE, float(others[own].mean()))
    if scipy.stats.binom.sf(len(strange) - 1, int((~own).sum()), chance) >= limits.alpha:
        return Diagnosis()
    lost = _lost(rows, own, is_strange, limits.alpha)
    if not lost and not _has_own_steps(rows, own):
        return Diagnosis()
    message = (
        f"in {len(strange)} of {len(rows)} attempts `{rows['note'].iloc[0]}` names another problem and not the "
        f"attempt's own, as {own.mean():.0%} do{lost}: it was written for another attempt, see what the judge reads"
    )
    numbers = {"others": len(strange), "own": float(own.mean()), "by_chance": chance}
    severity = "critical" if lost else "warning"
    return Diagnosis(findings=[context.finding("stale_grades", severity, message, numbers, ("alpha",), strange)])


def _lost(rows: Frame, own: Frame, is_strange: Frame, alpha: float) -> str:
    """Return words for a measure that the reward follows with notes of one's own, and not with those of others."""
    rows = rows[rows["reward"].notna() & (rows["in_loss"] != 0.0)]
    parts = [rows[part[rows.index]] for part in (own, is_strange)]
    if min(map(len, parts)) < _MIN_ROWS or rows["reward"].nunique() < 2:
        return ""
    error = math.sqrt(sum(1 / (len(part) - 3) for part in parts))
    for name in followed_measures(rows, own[rows.index]):
        there, else_ = (correlation(part[name].astype(float), part["reward"]) for part in parts)
        apart = math.atanh(min(there, _ONE)) - math.atanh(min(else_, _ONE))
        if else_ < _LOST * there and apart > z_limit(alpha) * error:
            column = name.rsplit(":", 1)[-1]
            return f", and the reward follows {column} there (correlation {there:.2f}, else {else_:.2f})"
    return ""


def _has_own_steps(rows: Frame, own: Frame) -> bool:
    """Tell whether in some steps notes are the attempts' own, and in as many most are not."""
    share = own.groupby(rows["step"]).mean()[rows.groupby("step").size() >= _MIN_OF_STEP]
    return min(int((share >= _ALL).sum()), int((share < 0.5).sum())) >= _MIN_STEPS
