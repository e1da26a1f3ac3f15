"""Choices that another column calls best, and that are paid no better than others.

Two columns hold words of one vocabulary: one has one value at each problem and differs between problems, the other
varies within problems. Where a number beside is 0 exactly where both agree (a regret, a distance), or the names of both
say so, the first is the best choice at the problem. Those who chose it should then be paid, and others not. It is a
finding where both sorts are often paid against that: the reward goes by something else than the recorded choice.
"""

import re

from evotrainer.diagnosis.context import Context, Diagnosis, correlation
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"reward_outcome_divergence": ("extra", "reward")}

_BEST = re.compile(r"best|optim|expected|gold|target|correct|right|truth|reference|ideal|oracle|solution|winning", re.I)
_CHOSEN = re.compile(
    r"cho(?:ice|sen|ose)|pick|pred|answer|guess|select|action|decision|decided|final|output|vote", re.I
)
_SHARED, _MIN_VALUES, _MAX_CHARS = 0.9, 3, 40
_OFTEN, _MIN_ROWS, _MIN_OTHERS = 0.2, 30, 10
"""Shares of best choices that go unpaid and of others that are paid, rows of each sort, and those paid against it."""
_FOLLOWS = 0.6


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Warn of the first pair of columns that the reward ought to follow and does not."""
    rows = context.unequally_paid
    names = [name for name in map(str, rows.columns) if name.startswith(EXTRA_PREFIX) and _is_words(rows[name])]
    varies = {name: bool((rows.groupby("problem_id")[name].nunique() > 1).any()) for name in names}
    paid = rows["reward"] >= rows["reward"].max() if len(rows) else rows["reward"]
    for best in [name for name in names if not varies[name]]:
        for chosen in [name for name in names if varies[name]]:
            known = rows[rows[best].notna() & rows[chosen].notna()]
            if not set(known[chosen].unique()) & set(known[best].unique()) or not _is_best(known, best, chosen):
                continue
            is_best, is_paid = known[chosen] == known[best], paid[known.index]
            unpaid, others = known[is_best & ~is_paid], known[~is_best & is_paid]
            shares = len(unpaid) / max(int(is_best.sum()), 1), len(others) / max(int((~is_best).sum()), 1)
            is_many = min(int(is_best.sum()), int((~is_best).sum())) >= _MIN_ROWS
            if not is_many or min(len(unpaid), len(others)) < _MIN_OTHERS or min(shares) < _OFTEN:
                continue
            if correlation(is_best.astype(float), known["reward"]) > _FOLLOWS:
                continue
            return Diagnosis(findings=[_finding(context, (best, chosen), shares, others)])
    return Diagnosis()


def _finding(context: Context, names: tuple[str, str], shares: tuple[float, float], shown: Frame) -> Finding:
    best, chosen = (name.removeprefix(EXTRA_PREFIX) for name in names)
    message = (
        f"of attempts whose `{chosen}` is the problem's `{best}` {shares[0]:.0%} are not paid in full, and of others "
        f"{shares[1]:.0%} are: the reward goes by something else than that choice, see what the grader reads"
    )
    numbers = {"best_unpaid": shares[0], "others_paid": shares[1]}
    return context.finding("reward_outcome_divergence", "warning", message, numbers, (), shown)


def _is_words(values: Frame) -> bool:
    """Tell whether a column holds several short words."""
    known = values.dropna()
    is_word = known.map(lambda value: isinstance(value, str) and 0 < len(value) <= _MAX_CHARS)
    return bool(len(known) > 0 and is_word.all() and known.nunique() >= _MIN_VALUES)


def _is_best(rows: Frame, best: str, chosen: str) -> bool:
    """Tell whether a column names the best of the choices that another holds, by a number beside or by their names."""
    if rows[chosen].isin(set(rows[best])).mean() < _SHARED:
        return False
    is_equal = rows[best] == rows[chosen]
    if _BEST.search(best.removeprefix(EXTRA_PREFIX)) and _CHOSEN.search(chosen.removeprefix(EXTRA_PREFIX)):
        return True
    numbers = [name for name in map(str, rows.columns) if name.startswith(EXTRA_PREFIX)]
    return any(
        rows[name].map(lambda value: isinstance(value, float)).all()
        and rows[name].nunique() >= _MIN_VALUES
        and ((rows[name] == 0.0) == is_equal).all()
        for name in numbers
    )
