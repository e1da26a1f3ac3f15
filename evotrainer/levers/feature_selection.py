"""Features of attempts as columns, which of them tell attempts at one problem apart, and how well on problems held out.

A column is a feature, or whether a feature lies above a cut (a quantile of its values). It needs *support*: values that
differ at several problems, on either side. So no column is a word of a single problem, and none is nearly constant.

A target (true correctness, or an overpayment) is compared within problems only: what is equal in a group vanishes
under the group's mean, and a column that follows the problem's difficulty is no behaviour. Columns are chosen forward
(orthogonal matching pursuit; Pati, Rezaiifar and Krishnaprasad 1993) until none correlates with the residual beyond
what the best of as many random columns would. What was chosen is judged on problems that had no part in choosing.

Legend: R rows, C columns, K chosen columns.
"""

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import scipy.optimize

from evotrainer.algorithm.code.rows import trajectory_row
from evotrainer.levers.row_features import features
from evotrainer.records import Trajectory

MIN_PROBLEMS = 6
"""Problems at which a column must have its most frequent value, and at which it must have another."""
MIN_SHARE = 0.03
"""Share of rows on either side of a cut, and that have another value than the most frequent one."""
CUTS = (0.1, 0.25, 0.4, 0.5, 0.6, 0.75, 0.9)
FEW_VALUES = 12
"""A feature with at most this many values is cut at each of them."""
PLAIN = ("length", "turn", "has", "num", "tool", "share", "repeat", "overlap")
MAX_COLUMNS = 4000
"""Columns that one search looks at; the best supported ones are taken."""


@dataclass(frozen=True, order=True)
class Column:
    """A feature by name; with `cut`, whether it lies above that value."""

    name: str
    cut: float | None = None

    @property
    def title(self) -> str:
        """The column in words."""
        return self.name if self.cut is None else f"{self.name} above {self.cut:g}"

    def value(self, found: Mapping[str, float]) -> float:
        """Return the column's value of one attempt's features."""
        value = found.get(self.name, 0.0)
        return value if self.cut is None else float(value > self.cut)


@dataclass(frozen=True)
class Table:
    """Values of columns by row, and the problem of each row as a number from 0."""

    columns: tuple[Column, ...]
    values: np.ndarray  # [R, C]
    problems: np.ndarray  # [R]

    def rows(self, places: np.ndarray) -> "Table":
        """Return these rows alone, with all columns."""
        return Table(self.columns, self.values[places], self.problems[places])


def feature_table(rows: Sequence[Trajectory], problems_R: np.ndarray) -> Table:
    """Return the table of all supported columns of these attempts."""
    return table_of([features(trajectory_row(row)) for row in rows], problems_R)


def same_columns(table: Table, rows: Sequence[Trajectory], problems_R: np.ndarray) -> Table:
    """Return the columns of a table for other attempts, whose problems are numbered as the table's."""
    found = [features(trajectory_row(row)) for row in rows]
    values = [[column.value(one) for column in table.columns] for one in found]
    return Table(table.columns, np.array(values).reshape(len(rows), len(table.columns)), problems_R)


def table_of(found: Sequence[Mapping[str, Any]], problems_R: np.ndarray) -> Table:
    """Return the table of features that were computed already, one mapping a row."""
    names = sorted({name for one in found for name in one}, key=_plainness)
    kept: list[tuple[float, Column, np.ndarray]] = []
    seen: set[bytes] = set()
    for name in names:
        values_R = np.array([one.get(name, 0.0) for one in found])
        for cut in (None, *_cuts(values_R)):
            column_R = values_R if cut is None else (values_R > cut).astype(float)
            share = _support(column_R, problems_R)
            key = np.round(column_R, 9).tobytes()
            if share >= MIN_SHARE and key not in seen:
                seen.add(key)
                kept.append((share, Column(name, cut), column_R))
    kept = sorted(kept, key=lambda one: (-one[0], _plainness(one[1].name), one[1].cut or 0.0))[:MAX_COLUMNS]
    values_RC = np.stack([values for _, _, values in kept], axis=1) if kept else np.zeros((len(found), 0))
    return Table(tuple(column for _, column, _ in kept), values_RC, problems_R)


def _plainness(name: str) -> tuple[int, str]:
    """Return the order of features: of columns with equal values the plainest is kept."""
    kind = name.partition(":")[0]
    return PLAIN.index(kind) if kind in PLAIN else len(PLAIN), name


def _cuts(values_R: np.ndarray) -> list[float]:
    """Return the cuts of a feature with more than two values."""
    values = np.unique(values_R)
    if len(values) <= 2:
        return []
    cuts = values[:-1] if len(values) <= FEW_VALUES else np.quantile(values_R, CUTS)
    return sorted({float(f"{cut:.4g}") for cut in cuts})


def _support(column_R: np.ndarray, problems_R: np.ndarray) -> float:
    """Return the share of rows off the most frequent value; 0 where one side stands at too few problems."""
    values, counts = np.unique(column_R, return_counts=True)
    usual_R = column_R == values[counts.argmax()]
    sides = (len(np.unique(problems_R[side])) for side in (usual_R, ~usual_R))
    return float(min(np.mean(usual_R), np.mean(~usual_R))) if min(sides) >= MIN_PROBLEMS else 0.0


MAX_TERMS = 6
MAX_PAID_FOR = 3
"""Of these, columns that tell which wrong attempts are paid."""
NUM_FOLDS = 5
RIDGE = 1.0
"""Of standardised columns, in rows: as if one more row had pulled each weight to 0."""
LEAST = 1e-9
LEVEL, NUM_SAMPLES = 0.05, 1000
"""Of the lower bound of a fit: its error, and how often problems are drawn again."""

Learner = Callable[[Table, np.ndarray], "Model"]
"""From a table and a target [R] to a model."""


@dataclass(frozen=True)
class Model:
    """A linear score of chosen columns: intercept + values[:, chosen] @ weights. Nothing chosen: a constant."""

    chosen: tuple[int, ...]
    weights: tuple[float, ...]
    intercept: float = 0.0

    def score(self, table: Table) -> np.ndarray:
        """Return the score of each row, [R]."""
        return self.intercept + table.values[:, list(self.chosen)] @ np.array(self.weights)


def within(values: np.ndarray, problems_R: np.ndarray) -> np.ndarray:
    """Return values [R] or [R, C] less the mean of their problem."""
    counts = np.bincount(problems_R)
    if values.ndim == 1:
        return values - (np.bincount(problems_R, values) / np.maximum(counts, 1))[problems_R]
    sums = np.zeros((len(counts), values.shape[1]))
    np.add.at(sums, problems_R, values)
    return values - (sums / np.maximum(counts, 1)[:, None])[problems_R]


def choose(table: Table, target_R: np.ndarray, given: Sequence[int] = (), most: int = MAX_TERMS) -> list[int]:
    """Return the places of the columns that explain a target within problems, the strongest first.

    Columns `given` are taken already: others are chosen for what these leave unexplained, up to `most` in all.
    """
    columns_RC, residual_R = within(table.values, table.problems), within(target_R, table.problems)
    norms_C = np.sqrt((columns_RC**2).sum(0))
    usable_C = norms_C > LEAST
    units_RC = columns_RC / np.where(usable_C, norms_C, 1.0)
    free = len(target_R) - len(np.unique(table.problems))
    limit = math.sqrt(2 * math.log(2 * max(1, int(usable_C.sum()))))
    target_R = residual_R
    chosen = [place for place in given if usable_C[place]]
    if chosen:
        residual_R = _residual(columns_RC[:, chosen], target_R)
    while len(chosen) < most and free - len(chosen) > 1:
        length = float(np.sqrt((residual_R**2).sum()))
        if length <= LEAST:
            break
        correlations_C = np.where(usable_C, np.abs(units_RC.T @ residual_R) / length, 0.0)
        best = int(correlations_C.argmax())
        if correlations_C[best] * math.sqrt(free - len(chosen)) <= limit or best in chosen:
            break
        chosen.append(best)
        residual_R = _residual(columns_RC[:, chosen], target_R)
    return chosen


def _residual(basis_RK: np.ndarray, target_R: np.ndarray) -> np.ndarray:
    return target_R - basis_RK @ np.linalg.lstsq(basis_RK, target_R, rcond=None)[0]


def learn_linear(table: Table, target_R: np.ndarray) -> Model:
    """Return a ridge regression of a number on chosen columns, both within problems."""
    chosen = choose(table, target_R)
    if not chosen:
        return Model((), ())
    columns_RK = within(table.values[:, chosen], table.problems)
    scale_K = np.maximum(columns_RK.std(0), LEAST)
    basis_RK = columns_RK / scale_K
    penalty_KK = RIDGE * np.eye(len(chosen))
    weights_K = np.linalg.solve(basis_RK.T @ basis_RK + penalty_KK, basis_RK.T @ within(target_R, table.problems))
    weights_K = weights_K / scale_K
    intercept = -float(table.values[:, chosen].mean(0) @ weights_K)
    return Model(tuple(chosen), tuple(map(float, weights_K)), intercept)


def learn_logistic(table: Table, target_R: np.ndarray, unpaid: Table) -> Model:
    """Return a logistic regression of the truth of paid attempts; its score is a logit.

    Columns are chosen twice: those that tell wrong attempts that are paid from `unpaid` ones, which is what the grader
    takes for right; then those that tell true from false among the paid.
    """
    chosen = choose(table, target_R, _paid_for(table, target_R, unpaid))
    values_RK = table.values[:, chosen]
    mean_K, scale_K = values_RK.mean(0), np.maximum(values_RK.std(0), LEAST)
    basis_RK = (values_RK - mean_K) / scale_K

    def loss(parameters: np.ndarray) -> tuple[float, np.ndarray]:
        logits_R = parameters[0] + basis_RK @ parameters[1:]
        value = np.logaddexp(0, logits_R).sum() - target_R @ logits_R + 0.5 * RIDGE * (parameters[1:] ** 2).sum()
        slope_R = 1 / (1 + np.exp(-logits_R)) - target_R
        return float(value), np.concatenate([[slope_R.sum()], basis_RK.T @ slope_R + RIDGE * parameters[1:]])

    found = scipy.optimize.minimize(loss, np.zeros(1 + len(chosen)), jac=True, method="L-BFGS-B").x
    weights_K = found[1:] / scale_K
    return Model(tuple(chosen), tuple(map(float, weights_K)), float(found[0] - mean_K @ weights_K))


def _paid_for(table: Table, target_R: np.ndarray, unpaid: Table) -> list[int]:
    """Return the columns that tell wrong attempts that are paid from unpaid ones at the same problems."""
    beside = unpaid.rows(np.isin(unpaid.problems, table.problems))
    false = table.rows(target_R <= 0)
    values_RC, problems_R = (
        np.concatenate(pair) for pair in ((false.values, beside.values), (false.problems, beside.problems))
    )
    is_paid_R = np.arange(len(problems_R)) < len(false.problems)
    return choose(Table(table.columns, values_RC, problems_R), is_paid_R.astype(float), most=MAX_PAID_FOR)


def held_out(table: Table, target_R: np.ndarray, learn: Learner, seed: int) -> np.ndarray:
    """Return each row's score by a model that saw no attempt at its problem, choosing of columns included, [R]."""
    scores_R = np.zeros(len(target_R))
    for is_held_R in _folds(table.problems, seed):
        if is_held_R.any() and not is_held_R.all():
            model = learn(table.rows(~is_held_R), target_R[~is_held_R])
            scores_R[is_held_R] = model.score(table.rows(is_held_R))
    return scores_R


def _folds(problems_R: np.ndarray, seed: int) -> Iterator[np.ndarray]:
    names = np.unique(problems_R)
    order = np.random.default_rng(seed).permutation(names).tolist()
    fold_of = {name: place % NUM_FOLDS for place, name in enumerate(order)}
    folds_R = np.array([fold_of[name] for name in problems_R.tolist()])
    yield from (folds_R == fold for fold in range(NUM_FOLDS))


def pair_counts(scores_R: np.ndarray, target_R: np.ndarray, problems_R: np.ndarray) -> np.ndarray:
    """Return [problems, 2]: pairs of a true and another attempt that a score orders rightly (ties half), and all."""
    counts = []
    for problem in np.unique(problems_R):
        here = problems_R == problem
        right, wrong = scores_R[here & (target_R > 0)], scores_R[here & (target_R <= 0)]
        gaps = right[:, None] - wrong[None, :]
        counts.append((float((gaps > LEAST).sum() + 0.5 * (np.abs(gaps) <= LEAST).sum()), float(gaps.size)))
    return np.array(counts).reshape(-1, 2)


def square_sums(scores_R: np.ndarray, target_R: np.ndarray, problems_R: np.ndarray) -> np.ndarray:
    """Return [problems, 2]: squares within the problem that a score explains of a target, and all."""
    target, left = within(target_R, problems_R), within(target_R - scores_R, problems_R)
    total = np.bincount(problems_R, target**2)
    return np.stack([total - np.bincount(problems_R, left**2), total], axis=1)


def ratio(sums_P2: np.ndarray) -> float:
    """Return the first column's sum over the second's: an area under a curve, or a share of squares."""
    return float(sums_P2[:, 0].sum() / max(LEAST, sums_P2[:, 1].sum()))


def lower_bound(sums_P2: np.ndarray, seed: int) -> float:
    """Return the one-sided lower bound of a ratio of sums by resampling problems."""
    draws = np.random.default_rng(seed).multinomial(len(sums_P2), np.full(len(sums_P2), 1 / len(sums_P2)), NUM_SAMPLES)
    sums = draws @ sums_P2
    return float(np.quantile(sums[:, 0] / np.maximum(LEAST, sums[:, 1]), LEVEL))
