"""What code of an intervention does on stored rows, and why it may not train, if so.

Numbers say what a person wants to know before paying for training: how values are distributed, which groups a reward
revives, how it goes with correctness and length, what a filter drops. Refusals are those of guards.py and worker.py.
Every number but `cpu_ms_a_row` repeats bit for bit, and no refusal rests on that one.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from statistics import fmean, pstdev

import numpy as np

from evotrainer.algorithm.advantages import spreads
from evotrainer.algorithm.code import RecipeCode, guards
from evotrainer.algorithm.code.rows import problem_row, rewarded_row, trajectory_row
from evotrainer.algorithm.code.worker import run_code
from evotrainer.algorithm.credit import group_rows, reward_matrix
from evotrainer.algorithm.curriculum import full_pass_rates
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.algorithm.groups import Groups
from evotrainer.algorithm.masks import masked_rows
from evotrainer.algorithm.order import equal_pay, order_violations
from evotrainer.algorithm.rewards import combine, terms_of
from evotrainer.config import Config
from evotrainer.config.code import CODE_TERMS, reference
from evotrainer.errors import CodeError
from evotrainer.records import Problem, Trajectory

SHUFFLE_SEED = 0


@dataclass(frozen=True)
class Examination:
    """Numbers by name, and the reasons to refuse; none for code that may train."""

    key: str
    numbers: dict[str, float] = field(default_factory=dict)
    refusals: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Subject:
    """The code under examination and what it is examined on."""

    key: str
    source: str
    rows: list[Trajectory]
    """Graded rows, with the reward that the recipe without this code gives them."""
    groups: list[list[int]]
    problems: Sequence[Problem]
    rates: Mapping[str, float]


def examine(
    key: str,
    source: str,
    recipe: Config,
    rows: Sequence[Trajectory],
    problems: Sequence[Problem] = (),
    code: RecipeCode | None = None,
) -> Examination:
    """Return what the code of `key` does on stored rows.

    Args:
        key: one of CODE_KEYS.
        source: the text.
        recipe: what it is added to; its own code of this key is left out.
        rows: stored attempts with grades.
        problems: the train pool, for weights and to see whether the text names a problem.
        code: the texts that `recipe` names.

    """
    subject = _subject(key, source, recipe, rows, problems, code or RecipeCode())
    items, renamed = _items(subject)
    if not items:
        return Examination(key, {}, ["there is nothing to examine it on: name rows with grades, or problems"])
    order = np.random.default_rng(SHUFFLE_SEED).permutation(len(items)).tolist()
    try:
        found = run_code(key, reference(source), source, items)
        again = run_code(key, reference(source), source, [items[place] for place in order for _ in range(2)])
        other = run_code(key, reference(source), source, renamed)
    except CodeError as error:
        return Examination(key, {}, [str(error)])
    numbers, refusals = _EFFECTS[key](subject, found.values, recipe)
    ids = [name for row in subject.rows for name in (row.problem_id, row.trajectory_id, row.group_id)]
    num_rows = max(1, len(problems) if key == "data.weight_code" else len(subject.rows))
    return Examination(
        key,
        {**numbers, "cpu_ms_a_row": 1000 * found.cpu_seconds / num_rows},
        [
            *guards.unstable(found.values, order, again.values),
            *guards.depends_on_identity(found.values, other.values),
            *guards.memorised(source, [*ids, *(problem.problem_id for problem in problems)], problems),
            *refusals,
        ],
    )


def _subject(
    key: str, source: str, recipe: Config, rows: Sequence[Trajectory], problems: Sequence[Problem], code: RecipeCode
) -> _Subject:
    without = {"reward.code": {"code": "", "correction": ""}, "reward.correction": {"correction": ""}}
    reward = replace(recipe.reward, **without.get(key, {}))
    graded = [row for row in rows if row.error is None and row.correct is not None]
    budget = recipe.sampling.max_response_tokens * recipe.sampling.max_turns
    terms = [
        terms_of({}, row.num_tokens, budget, row.is_truncated)
        | {name: value for name, value in row.reward_terms.items() if name not in CODE_TERMS}
        for row in graded
    ]
    paid = [
        row.model_copy(update={"reward_terms": own, "reward": combine(own, reward)})
        for row, own in zip(graded, terms, strict=True)
    ]
    paid = code.rewarded(paid, reward)
    outcomes: dict[str, list[float]] = {}
    for row in paid:
        outcomes.setdefault(row.problem_id, []).append(float(row.correct or 0.0))
    rates = full_pass_rates(problems, {name: fmean(values) for name, values in outcomes.items()})
    return _Subject(key, source, paid, group_rows(paid), problems, rates)


def _items(subject: _Subject) -> tuple[list, list]:
    """Return what the function is given, and the same under other names."""
    if subject.key == "data.weight_code":
        places = list(enumerate(subject.problems))
        rates = [subject.rates[problem.problem_id] for problem in subject.problems]
        return (
            [problem_row(problem, rates[place]) for place, problem in places],
            [problem_row(guards.renamed_problem(problem, place), rates[place]) for place, problem in places],
        )
    renamed = [guards.renamed(row, place) for place, row in enumerate(subject.rows)]
    if subject.key == "filter.group_code":
        return _shown_groups(subject.rows, subject.groups), _shown_groups(renamed, subject.groups)
    shown = trajectory_row if subject.key == "reward.code" else rewarded_row
    return [shown(row) for row in subject.rows], [shown(row) for row in renamed]


def _shown_groups(rows: Sequence[Trajectory], groups: Sequence[Sequence[int]]) -> list[list]:
    return [[rewarded_row(rows[index]) for index in members] for members in groups]


def _reward(subject: _Subject, values: list[float], recipe: Config) -> tuple[dict[str, float], list[str]]:
    rows, groups = subject.rows, subject.groups
    paid = [
        row.model_copy(update={"reward": (row.reward or 0.0) + value}) for row, value in zip(rows, values, strict=True)
    ]
    masked = masked_rows(rows, replace(recipe, filter=replace(recipe.filter, mask_code="")))
    dead, dead_now = (spreads(reward_matrix(each, groups, masked)) < DEAD_SPREAD for each in (rows, paid))
    right, layout = np.array([bool(row.correct) for row in rows]), Groups.of(rows)
    pay, pay_now = (np.array([row.reward or 0.0 for row in each]) for each in (rows, paid))
    violations, violations_now = (order_violations(each, right, layout) for each in (pay, pay_now))
    alike, alike_now = (equal_pay(each, right, layout) for each in (pay, pay_now))
    correct = [float(row.correct or 0.0) for row in rows]
    numbers = {
        **_distribution(values),
        "groups": float(len(groups)),
        "dead_groups_before": float(dead.mean()),
        "dead_groups_after": float(dead_now.mean()),
        "revived": float((dead & ~dead_now).sum() / max(1, dead.sum())),
        "varies_in_groups": fmean(len({values[i] for i in members}) > 1 for members in groups),
        "correlation_with_correctness": _within(groups, values, correct),
        "correlation_with_length": _within(groups, values, [float(row.num_tokens) for row in rows]),
        "order_violations_before": violations,
        "order_violations_after": violations_now,
        "equal_pay_before": alike,
        "equal_pay_after": alike_now,
    }
    refused = [*guards.disordered(violations, violations_now), *guards.levelled(alike, alike_now)]
    return numbers, [*guards.constant(values, groups), *refused]


def _mask(subject: _Subject, values: list[bool], recipe: Config) -> tuple[dict[str, float], list[str]]:
    rows = subject.rows
    masked = frozenset(place for place, value in enumerate(values) if value)
    left = [reward_matrix(rows, subject.groups, each) for each in (frozenset(), masked)]
    usable = [float((spreads(rewards) >= DEAD_SPREAD).mean()) for rewards in left]
    numbers = {
        "attempts": float(len(rows)),
        "masked": fmean(values),
        "masked_of_correct": _share(values, [bool(row.correct) for row in rows]),
        "masked_of_wrong": _share(values, [not row.correct for row in rows]),
        "usable_groups_before": usable[0],
        "usable_groups_after": usable[1],
    }
    return numbers, guards.constant(values, [])


def _keep(subject: _Subject, values: list[bool], recipe: Config) -> tuple[dict[str, float], list[str]]:
    spread = spreads(reward_matrix(subject.rows, subject.groups))
    alive = (spread >= DEAD_SPREAD).tolist()
    solved = [fmean(float(subject.rows[i].correct or 0.0) for i in members) for members in subject.groups]
    numbers = {
        "groups": float(len(subject.groups)),
        "kept": fmean(values),
        "kept_of_usable": _share(values, alive),
        "kept_of_dead": _share(values, [not one for one in alive]),
        "solve_rate_kept": _mean_where(solved, values),
        "solve_rate_dropped": _mean_where(solved, [not value for value in values]),
    }
    return numbers, guards.constant(values, [])


def _weight(subject: _Subject, values: list[float], recipe: Config) -> tuple[dict[str, float], list[str]]:
    total, rates = sum(values), [subject.rates[problem.problem_id] for problem in subject.problems]
    everywhere = [list(range(len(values)))]
    numbers = {
        **_distribution(values),
        "problems": float(len(values)),
        "never_drawn": fmean(value == 0 for value in values),
        "effective_problems": total**2 / sum(value**2 for value in values) if total else 0.0,
        "pass_rate_now": fmean(rates),
        "pass_rate_weighted": sum(v * r for v, r in zip(values, rates, strict=True)) / total if total else 0.0,
        "correlation_with_pass_rate": _within(everywhere, values, rates),
    }
    return numbers, guards.constant(values, []) if total else ["it gives every problem the weight 0"]


_EFFECTS = {
    "reward.code": _reward,
    "reward.correction": _reward,
    "filter.mask_code": _mask,
    "filter.group_code": _keep,
    "data.weight_code": _weight,
}
"""What each kind of code does: numbers and refusals of its own."""


def _distribution(values: Sequence[float]) -> dict[str, float]:
    low, middle, high = np.quantile(values, [0.1, 0.5, 0.9]).tolist()
    return {"mean": fmean(values), "sd": pstdev(values), "p10": low, "median": middle, "p90": high}


def _within(groups: Sequence[Sequence[int]], first: Sequence[float], second: Sequence[float]) -> float:
    """Return the correlation of two numbers around their means in each group; 0 where either does not vary."""
    pair = np.array([first, second])
    for members in groups:
        pair[:, members] -= pair[:, members].mean(axis=1, keepdims=True)
    scale = float(np.sqrt((pair**2).sum(axis=1)).prod())
    return float(pair[0] @ pair[1]) / scale if scale > 0 else 0.0


def _share(values: Sequence[bool], among: Sequence[bool]) -> float:
    return _mean_where([float(value) for value in values], among)


def _mean_where(values: Sequence[float], among: Sequence[bool]) -> float:
    chosen = [value for value, is_one in zip(values, among, strict=True) if is_one]
    return fmean(chosen) if chosen else 0.0
