"""Logs of graders that end otherwise in some steps than in all others, at attempts with the least reward.

What programs of a policy do wrong is as various as its problems, and comes up in all steps. A line that ends the log of
most attempts of a few steps, at unlike problems, and of hardly any in other steps, is the grader's own: it could not
fetch what it runs, or start. Where these problems are of a kind that other steps do not know, by a column of theirs or
by the system prompt, it is how that kind is graded.
"""

import re

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, ends_of, outside_columns
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"infrastructure_zeros": ("extra", "reward", "step")}

_NUMBER = re.compile(r"\d+")
_LINE_CHARS, _MAX_LINES = 160, 24
_MIN_HIT, _MIN_PROBLEMS = 12, 4
_MOST, _ELSEWHERE, _STEPS, _LEAST = 0.5, 0.01, 0.5, 0.95
"""Shares: of attempts of a struck step, of those of others, of steps, and of struck attempts with the least reward."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where a column's texts end with a line that fills some steps, is unknown in others, and goes unpaid."""
    rows = context.unequally_paid
    rows = rows[rows["in_loss"] != 0.0]
    if rows.empty or rows["step"].nunique() < 3:
        return Diagnosis()
    for name in outside_columns(rows):
        if not _is_log(rows, name):
            continue
        lines = ends_of(rows, name).map(_last_line)
        counts = lines[lines != ""].value_counts()
        for line in counts[counts >= _MIN_HIT].index[:_MAX_LINES]:
            found = _judge(context, rows, lines == line, name, line)
            if found is not None:
                return Diagnosis(findings=[found])
    return Diagnosis()


def _is_log(rows: Frame, name: str) -> bool:
    """Tell whether a column holds texts of several lines, or of which attempts at one problem have unlike ones."""
    if pd.api.types.is_numeric_dtype(rows[name]):
        return False
    texts = ends_of(rows, name).map(lambda value: isinstance(value, str))
    if texts.mean() <= _MOST:
        return False
    lines = ends_of(rows, name)[texts].str.contains("\n", regex=False)
    return bool(lines.mean() > _MOST or (rows.groupby("problem_id")[name].nunique() > 1).mean() > _MOST)


def _last_line(text: object) -> str:
    """Return the last line of a text, without its numbers."""
    return _NUMBER.sub("0", text.rstrip().rpartition("\n")[2])[:_LINE_CHARS] if isinstance(text, str) else ""


def _judge(context: Context, rows: Frame, marked: Frame, name: str, line: str) -> Finding | None:
    often = marked.groupby(rows["step"]).mean()
    is_struck = rows["step"].isin(often.index[often > _MOST])
    hit, rest = rows[marked & is_struck], rows[~is_struck]
    if len(hit) < _MIN_HIT or hit["problem_id"].nunique() < _MIN_PROBLEMS or rest.empty:
        return None
    if (often > _MOST).mean() > _STEPS or marked[rest.index].mean() > _ELSEWHERE or _is_other_kind(rows, hit, rest):
        return None
    least = rows["reward"].min()
    parts = [(part["reward"] <= least) for part in (hit, rest)]
    table = [[int(part.sum()), int((~part).sum())] for part in parts]
    chance = float(scipy.stats.fisher_exact(table, alternative="greater").pvalue)
    if parts[0].mean() < _LEAST or chance >= context.thresholds.alpha:
        return None
    steps = sorted(hit["step"].unique())
    message = (
        f"in {len(hit)} attempts of steps {steps[0]:g} to {steps[-1]:g} `{name.removeprefix(EXTRA_PREFIX)}` ends with "
        f"{line!r}, which other steps do not know; {parts[0].mean():.0%} of them have the least reward, "
        f"{parts[1].mean():.0%} of the attempts of other steps: what grades them was broken, mask these attempts"
    )
    numbers = {"hit": len(hit), "least": float(parts[0].mean()), "others": float(parts[1].mean()), "p_value": chance}
    return context.finding("infrastructure_zeros", "warning", message, numbers, ("alpha",), hit)


def _is_other_kind(rows: Frame, hit: Frame, rest: Frame) -> bool:
    """Tell whether the problems are of a kind that other steps do not know: by a column, or by the system prompt."""
    names = [name for name in (*outside_columns(rows), "domain", "system_prompt") if name in rows]
    for name in names:
        is_of_problems = (rows.groupby("problem_id")[name].nunique() <= 1).all()
        is_kind = is_of_problems and 2 <= rows[name].nunique() <= rows["problem_id"].nunique() / 2
        if is_kind and not set(hit[name].dropna()) & set(rest[name].dropna()) and hit[name].notna().any():
            return True
    return False
