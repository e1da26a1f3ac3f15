"""An evaluation that grades by another rule than training: right answers that one pays, and the other does not.

An attempt is right where its text marks the gold answer, whatever a column says that the grader read. Where training
pays nearly all right answers and evaluations refuse far more of them, or the other way round, two graders are at work,
and the curve of evaluations is not that of what is trained. The same for wrong numbers that one of them pays. Where
refused answers have a mark before their last one, and others have not, graders differ in which mark they read.
"""

import pandas as pd
import scipy

from evotrainer.diagnosis.context import Context, Diagnosis, graded
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("validation", "gold", "reward")}

_MIN_ROWS, _MIN_CASES, _MIN_PROBLEMS = 20, 8, 5
_FEW, _MORE = 0.05, 0.1
"""Share of misjudged attempts of the better grader at most, and how many more of them the other one has."""
_MOSTLY, _SELDOM = 0.8, 0.5
"""Shares of misjudged and of other attempts with several marks, where graders read different ones."""


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn where attempts that are alike right, or alike wrong, are judged in two ways."""
    parts = {"training": context.training, "validation": context.validation}
    if context.texts is None or any(rows.empty for rows in parts.values()):
        return Diagnosis()
    judged = {name: _judged(context, rows) for name, rows in parts.items()}
    for is_right, what in ((True, "refuses"), (False, "pays")):
        found = _compare(context, {name: rows[rows["_right"] == is_right] for name, rows in judged.items()}, what)
        if found:
            return Diagnosis(findings=found)
    return Diagnosis()


def _judged(context: Context, rows: Frame) -> Frame:
    """Return attempts that mark an answer beside a gold one, with what they are and whether pay says otherwise."""
    rows = context.with_texts(graded(rows))
    rows = rows[rows["reward"].notna() & ~rows["is_truncated"].astype(bool)]
    is_best = (rows["reward"] >= rows["reward"].max()).astype(float)
    is_paid = rows["correct"].fillna(is_best) if rows["reward"].nunique() == 2 else rows["correct"]
    right = rows["writes_gold"] > 0
    is_known = is_paid.isin((0.0, 1.0)) & (right | (rows["gold_error"] > 0))
    return rows.assign(_right=right, _misjudged=(is_paid > 0) != right)[is_known]


def _compare(context: Context, parts: dict[str, Frame], what: str) -> list[Finding]:
    shares = {name: float(rows["_misjudged"].mean()) for name, rows in parts.items() if len(rows) >= _MIN_ROWS}
    if len(shares) < 2:
        return []
    better, worse = sorted(shares, key=shares.__getitem__)
    cases = parts[worse][parts[worse]["_misjudged"]]
    if shares[better] > _FEW or shares[worse] < shares[better] + _MORE or len(cases) < _MIN_CASES:
        return []
    table = [[int((rows["_misjudged"] == value).sum()) for value in (True, False)] for rows in parts.values()]
    if (
        cases["problem_id"].nunique() < _MIN_PROBLEMS
        or scipy.stats.fisher_exact(table).pvalue >= context.thresholds.alpha
    ):
        return []
    kind = "mark the gold answer" if what == "refuses" else "mark another answer than the gold one"
    message = (
        f"the grader of {worse} {what} {shares[worse]:.0%} of attempts that {kind}, that of {better} "
        f"{shares[better]:.0%}{_which_mark(parts[worse])}: grade both by one rule"
    )
    numbers = {f"share_{name}": share for name, share in shares.items()}
    return [context.finding("metric_defect", "warning", message, numbers, ("alpha",), cases)]


def _which_mark(rows: Frame) -> str:
    several = pd.Series(rows["first_marked"] != "")
    shares = [float(several[part].mean()) for part in (rows["_misjudged"], ~rows["_misjudged"]) if part.any()]
    if len(shares) < 2 or shares[0] < _MOSTLY or shares[1] > _SELDOM:
        return ""
    return f", and {shares[0]:.0%} of them have an earlier mark, of others {shares[1]:.0%}: it reads another mark"
