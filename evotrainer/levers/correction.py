"""What the owner's reward pays beyond true correctness, found on audited attempts and frozen as a correction.

    gate      a reward that is 0 or one other value: R becomes R x P(true | features), fitted on passed attempts alone
    subtract  any other reward: what it pays beyond its part for correctness, in chosen features, is taken off

Both look within problems, since a group's mean takes the rest away. A correction is refused, and the incumbent kept,
where one guard fails; each failure is a sentence with its numbers:

    few        too few audited problems hold what is compared
    nothing    the reward pays nothing beyond the truth, or no feature tells what it pays
    held-out   on problems that were not looked at, the lower bound does not exceed what permuted labels reach
    cancels    the corrected reward has hardly any spread left in the groups, or agrees less with the truth

A correction is written as the text of reward.correction: the features' own module, the weights, one function. The text
alone says what is paid: it travels with the intervention, is frozen beside the version, and runs in the sandbox, where
it gives a stored row the bits that it gives a new one.
"""

import ast
import inspect
import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Literal

import numpy as np

from evotrainer.algorithm.code.worker import BOUNDS
from evotrainer.config.code import CODE_KEYS
from evotrainer.diagnosis import stats
from evotrainer.levers import row_features
from evotrainer.levers.audit import Audit
from evotrainer.levers.feature_selection import (
    LEAST,
    Column,
    Learner,
    Model,
    Table,
    feature_table,
    held_out,
    learn_linear,
    learn_logistic,
    lower_bound,
    pair_counts,
    ratio,
    same_columns,
    square_sums,
    within,
)

MIN_MIXED = 8
"""Problems with attempts of both kinds, below which nothing can be compared."""
NUM_PERMUTATIONS = 39
"""The best of 39 permuted searches is a level of 0.025."""
MIN_SPREAD = 0.2
"""Share of the reward's spread within groups that a correction must leave."""
MIN_GAIN = 0.02
"""Rise of the correlation of reward and truth within problems, on problems held out."""

Kind = Literal["gate", "subtract"]


@dataclass(frozen=True)
class Correction:
    """What is added to a reward, as weights of columns; `numbers` say what it rests on."""

    kind: Kind
    terms: tuple[tuple[Column, float], ...]
    intercept: float
    numbers: Mapping[str, float]

    @property
    def features(self) -> list[str]:
        """The features that it reads."""
        return sorted({column.name for column, _ in self.terms})


@dataclass(frozen=True)
class Searched:
    """A correction, or the reason why there is none."""

    correction: Correction | None
    reason: str = ""


@dataclass(frozen=True)
class _Question:
    """What is compared: some audited attempts and a target of each."""

    kind: Kind
    places: np.ndarray
    """Of the attempts among the audited ones."""
    table: Table
    target: np.ndarray  # [R]
    unpaid: Table
    """Wrong attempts that are paid nothing; a gate learns from them what the others are paid for."""

    @property
    def learn(self) -> Learner:
        return partial(learn_logistic, unpaid=self.unpaid) if self.kind == "gate" else learn_linear

    def agreement(self, scores_R: np.ndarray, target_R: np.ndarray) -> np.ndarray:
        """Return [problems, 2], whose ratio is the area (gate) or the share of squares (subtract)."""
        count = pair_counts if self.kind == "gate" else square_sums
        return count(scores_R, target_R, self.table.problems)


def find_correction(audit: Audit, weight: float, seed: int) -> Searched:
    """Search what the reward pays wrongly.

    Args:
        audit: attempts whose `reward` is the recipe's, without a correction.
        weight: of true correctness in that reward (reward.correct).
        seed: of folds, permutations and bootstrap.

    """
    rewards_R, truth_R = np.array([row.reward or 0.0 for row in audit.rows]), np.array(audit.truth)
    question = _question(audit, rewards_R, truth_R, weight)
    reason = _too_few(question)
    if reason:
        return Searched(None, reason)
    model = question.learn(question.table, question.target)
    scores_R = held_out(question.table, question.target, question.learn, seed)
    numbers = _numbers(question, scores_R, seed) | _effect(question, scores_R, rewards_R, truth_R, audit)
    numbers |= {"audited_rows": float(len(truth_R)), "columns": float(len(question.table.columns))}
    reason = _refusal(model, numbers)
    if reason:
        return Searched(None, reason)
    terms = tuple((question.table.columns[place], w) for place, w in zip(model.chosen, model.weights, strict=True))
    return Searched(Correction(question.kind, terms, model.intercept, numbers))


def _question(audit: Audit, rewards_R: np.ndarray, truth_R: np.ndarray, weight: float) -> _Question:
    paid = np.unique(np.round(rewards_R, 6))
    if len(paid) == 1 or (len(paid) == 2 and paid[0] == 0):
        places, kind, target_R = np.flatnonzero(rewards_R > LEAST), "gate", truth_R
    else:
        places, kind, target_R = np.arange(len(rewards_R)), "subtract", rewards_R - weight * truth_R
    problems_R = np.unique([row.problem_id for row in audit.rows], return_inverse=True)[1]
    table = feature_table([audit.rows[place] for place in places], problems_R[places])
    left = np.flatnonzero((rewards_R <= LEAST) & (truth_R <= 0)) if kind == "gate" else np.array([], dtype=int)
    unpaid = same_columns(table, [audit.rows[place] for place in left], problems_R[left])
    return _Question(kind, places, table, target_R[places], unpaid)


def _too_few(question: _Question) -> str:
    spread_P = [np.ptp(question.target[question.table.problems == one]) for one in set(question.table.problems)]
    mixed = sum(spread > 1e-6 for spread in spread_P)
    if not any(spread_P) and (question.kind == "subtract" or question.target.all()):
        return f"nothing to correct: of {len(question.target)} audited attempts none is paid beyond the truth"
    if mixed < MIN_MIXED:
        return (
            f"too few: at {mixed} audited problems paid attempts differ in what is true of them, {MIN_MIXED} are "
            "needed; audit more rows (budget.audit_rows, budget.rollout_problems)"
        )
    return ""


def _numbers(question: _Question, scores_R: np.ndarray, seed: int) -> dict[str, float]:
    """Return held-out agreement, its lower bound, and what searches on permuted labels reach."""
    sums = question.agreement(scores_R, question.target)
    null = []
    for target_R in stats.shuffles(question.target, question.table.problems, NUM_PERMUTATIONS, seed):
        null.append(ratio(question.agreement(held_out(question.table, target_R, question.learn, seed), target_R)))
    low = lower_bound(sums, seed) if len(sums) else 0.0
    return {"agreement": ratio(sums), "low": low, "null": max(null), "compared": float(len(question.places))}


def _effect(
    question: _Question, scores_R: np.ndarray, rewards_R: np.ndarray, truth_R: np.ndarray, audit: Audit
) -> dict[str, float]:
    """Return what the correction does to the reward of all audited attempts, by scores of models held out."""
    corrected_R = rewards_R.copy()
    if question.kind == "gate":
        corrected_R[question.places] *= 1 / (1 + np.exp(-scores_R))
    else:
        corrected_R = rewards_R - scores_R
    problems_R = np.unique([row.problem_id for row in audit.rows], return_inverse=True)[1]
    truth, before, after = (within(values, problems_R) for values in (truth_R, rewards_R, corrected_R))
    return {
        "truth_before": _correlation(before, truth),
        "truth_after": _correlation(after, truth),
        "spread": float(after.std() / max(LEAST, before.std())),
    }


def _correlation(one: np.ndarray, other: np.ndarray) -> float:
    return float(one @ other / max(LEAST, math.sqrt(float(one @ one) * float(other @ other))))


def _refusal(model: Model, numbers: Mapping[str, float]) -> str:
    if not model.chosen:
        return f"nothing found: none of {numbers['columns']:.0f} columns tells what is paid wrongly; audit more rows"
    if numbers["low"] <= numbers["null"]:
        return (
            f"not held out: agreement {numbers['agreement']:.2f} on problems not looked at, lower bound "
            f"{numbers['low']:.2f}, permuted labels reach {numbers['null']:.2f}; audit more rows"
        )
    if numbers["spread"] < MIN_SPREAD or numbers["truth_after"] < numbers["truth_before"] + MIN_GAIN:
        return (
            f"it cancels the reward: {numbers['spread']:.0%} of its spread would be left, and its correlation with the "
            f"truth would go from {numbers['truth_before']:.2f} to {numbers['truth_after']:.2f}"
        )
    return ""


KEY = "reward.correction"
_LIMIT = BOUNDS[KEY][1]

_FUNCTION = '''

KIND = {kind!r}
INTERCEPT = {intercept!r}
TERMS = {terms}


def {function}(row):
    """Return what is added to row["reward"]: of a gate -R (1 - P(true | features)), else -(what is paid wrongly)."""
    found = features(row)
    values = [(found.get(name, 0.0) if cut is None else float(found.get(name, 0.0) > cut)) for name, cut, _ in TERMS]
    score = INTERCEPT + math.fsum(value * weight for value, (_, _, weight) in zip(values, TERMS, strict=True))
    if KIND == "gate":
        return -row["reward"] / (1 + math.exp(max(-50.0, min(50.0, score)))) if row["reward"] > 0 else 0.0
    return max(-{limit!r}, min({limit!r}, -score))
'''


def write_correction(correction: Correction) -> str:
    """Return the text of a correction."""
    terms = [(column.name, column.cut, _short(weight)) for column, weight in correction.terms]
    listed = "".join(f"    {term!r},\n" for term in terms)
    return inspect.getsource(row_features).partition('"""\n\n')[2] + _FUNCTION.format(
        kind=correction.kind,
        intercept=_short(correction.intercept),
        terms=f"[\n{listed}]",
        function=CODE_KEYS[KEY],
        limit=_LIMIT,
    )


def read_terms(source: str) -> list[tuple[Column, float]]:
    """Return the weights of a correction's text; none of a file that a person wrote otherwise."""
    values: Mapping[str, ast.expr] = {
        target.id: node.value
        for node in ast.parse(source).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    }
    try:
        return [(Column(name, cut), weight) for name, cut, weight in ast.literal_eval(values["TERMS"])]
    except (KeyError, ValueError, TypeError):
        return []


def _short(value: float) -> float:
    return float(f"{value:.6g}")
