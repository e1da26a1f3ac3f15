"""Rewards and gold answers that belong to another row: a worker paid for the episode before, labels one row off.

1. A measure of the attempt (tests passed, a check) does not equal its reward, but that of the row before it does, in
   the order of the file, or among the rows of one worker, process or environment. Not so of the row behind: a column
   that holds the reward of the episode before is no fault.
2. The answer that most attempts at a problem end with is not its gold answer, but that of the problem before or behind,
   in the order of the file, or within one part of the data. Larger distances say how often that happens by chance.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import scipy

from evotrainer.diagnosis.context import Context, Diagnosis
from evotrainer.diagnosis.hookspecs import hookimpl
from evotrainer.diagnosis.texts import EXTRA_PREFIX, is_measure
from evotrainer.diagnosis.texts.gold import gold_column, is_same, is_short
from evotrainer.evidence.frame_columns import TERM_PREFIX
from evotrainer.evidence.frames import Frame
from evotrainer.records import Finding

NEEDS = {"metric_defect": ("extra", "reward")}

_LAGS = (1, -1)
_SAME, _BY_CHANCE = 0.95, 0.9
_MAX_PARTS = 64
_MIN_SHIFTED, _SHARE = 5, 0.3
_FARTHEST, _LEAST_CHANCE = 10, 0.02


@dataclass(frozen=True)
class _Shift:
    """How often what belongs to a row is found at another one: one behind it (lag 1) or before it (-1)."""

    lag: int
    same: int
    count: int
    by_chance: float

    @property
    def share(self) -> float:
        return self.same / self.count

    def is_beyond_chance(self, alpha: float) -> bool:
        test = scipy.stats.binomtest(self.same, self.count, self.by_chance, alternative="greater")
        return bool(test.pvalue < alpha)


@hookimpl
def diagnose(context: Context) -> Diagnosis:
    """Return a finding where the reward is another row's, or gold answers are another problem's."""
    rows = context.unequally_paid
    if rows.empty:
        return Diagnosis()
    rows = rows.sort_values("place", kind="stable")
    return Diagnosis(findings=_paid_for_another(context, rows) or _gold_of_another(context, rows))


def _orders(rows: Frame) -> Iterator[tuple[str, Frame]]:
    """Yield the ways in which rows can follow each other: as in the file, and by each column of a few values."""
    yield "", rows["place"] * 0
    for name in [str(column) for column in rows.columns if str(column).startswith(EXTRA_PREFIX)]:
        if 2 <= rows[name].nunique() <= _MAX_PARTS:
            yield name.removeprefix(EXTRA_PREFIX), rows[name]


def _paid_for_another(context: Context, rows: Frame) -> list[Finding]:
    names = [name for name in map(str, rows.columns) if name.startswith((EXTRA_PREFIX, TERM_PREFIX))]
    for name in [name for name in names if is_measure(rows[name])]:
        measure = rows[name].astype(float)
        for column, parts in _orders(rows):
            shift = _shift_of_pay(measure, rows["reward"], parts)
            if (
                shift
                and shift.count >= context.thresholds.min_rows
                and shift.is_beyond_chance(context.thresholds.alpha)
            ):
                own = float((measure == rows["reward"]).mean())
                message = (
                    f"the reward is `{name.removeprefix(EXTRA_PREFIX).removeprefix(TERM_PREFIX)}` of the row "
                    f"before it{f' with the same `{column}`' if column else ''} in {shift.share:.0%} of "
                    f"attempts, and their own in {own:.0%}: attempts are paid for what another one did"
                )
                numbers = {"shifted": shift.share, "own": own}
                shown = rows[measure.notna() & (measure != rows["reward"])]
                return [context.finding("metric_defect", "critical", message, numbers, ("alpha",), shown)]
    return []


def _shift_of_pay(measure: Frame, reward: Frame, parts: Frame) -> _Shift | None:
    shares = [values.value_counts(normalize=True) for values in (measure, reward)]
    chance = max(float((measure == reward).mean()), float((shares[0] * shares[1]).sum()))
    before = measure.groupby(parts).shift(1)
    is_known = before.notna()
    found = _Shift(-1, int((before == reward)[is_known].sum()), int(is_known.sum()), chance)
    return found if chance <= _BY_CHANCE and found.count and found.share >= _SAME else None


def _gold_of_another(context: Context, rows: Frame) -> list[Finding]:
    name = gold_column(rows, rows["problem_id"], EXTRA_PREFIX)
    if not name:
        return []
    rows = rows[(rows["final_answer"] != "") & rows[name].map(is_short)]
    usual = rows.groupby("problem_id", sort=False)["final_answer"].agg(lambda answers: answers.mode().iloc[0])
    problems = rows.drop_duplicates("problem_id").set_index("problem_id", drop=False)
    for column, parts in _orders(problems):
        for value, part in problems.groupby(parts, sort=False):
            shift = _shift_of_gold(usual.loc[part.index].tolist(), part[name].map(str).tolist())
            if shift and shift.is_beyond_chance(context.thresholds.alpha):
                message = (
                    f"at {shift.same} of {shift.count} problems{f' with {column} {str(value)[:40]}' if column else ''} "
                    f"most attempts end with the gold answer of the problem {_where(shift.lag)} it in the file: gold "
                    "answers stand one row off"
                )
                numbers = {"problems": shift.same, "share": shift.share, "by_chance": shift.by_chance}
                shown = rows[rows["problem_id"].isin(part.index)]
                return [context.finding("metric_defect", "critical", message, numbers, ("alpha",), shown)]
    return []


def _shift_of_gold(said: Sequence[str], gold: Sequence[str]) -> _Shift | None:
    own = sum(_matches(said, gold, 0))
    far = [sign * lag for lag in range(2, _FARTHEST + 1) for sign in _LAGS]
    others = [is_met for lag in far for is_met in _matches(said, gold, lag)]
    chance = max(_LEAST_CHANCE, sum(others) / len(others)) if others else 1.0
    for lag in _LAGS:
        matches = _matches(said, gold, lag)
        if sum(matches) >= max(_MIN_SHIFTED, _SHARE * len(matches), own + 1):
            return _Shift(lag, sum(matches), len(matches), chance)
    return None


def _matches(said: Sequence[str], gold: Sequence[str], lag: int) -> list[bool]:
    """Tell of each problem whether what is said is the gold answer of the one `lag` places behind it."""
    pairs = zip(said, gold[lag:], strict=False) if lag >= 0 else zip(said[-lag:], gold, strict=False)
    return [is_same(answer, other) for answer, other in pairs]


def _where(lag: int) -> str:
    return "behind" if lag > 0 else "before"
