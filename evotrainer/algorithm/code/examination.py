"""What code of an intervention does on stored rows, and why it may not train, if so.

Numbers say what a person wants to know before training: how values are distributed, which groups a reward revives, how
it goes with correctness and length, what a filter drops. Every number but `cpu_ms_a_row` repeats bit for bit.

    identity    other values from a fresh process that meets the rows in reverse order, under other identities: no
                function of the row
    memorised   its text names a problem: an id, or a line that only the grader knows
    disordered  wrong attempts of a group would be paid above right ones
    constant    one value everywhere: it would train the present recipe once more

Errors, overruns, values that are not finite or out of bounds are refused by worker.py. Refusals read what stored rows
show: they do not prove that a function is good, nor that a policy cannot game it.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from statistics import fmean, pstdev
from typing import Any

import numpy as np

from evotrainer.algorithm.advantages import spreads
from evotrainer.algorithm.code import RecipeCode
from evotrainer.algorithm.code.rows import problem_row, renamed, rewarded_row, trajectory_row
from evotrainer.algorithm.code.worker import run_code
from evotrainer.algorithm.credit import group_rows, reward_matrix
from evotrainer.algorithm.curriculum import full_pass_rates
from evotrainer.algorithm.filters import DEAD_SPREAD
from evotrainer.algorithm.groups import Groups, order_violations
from evotrainer.algorithm.masks import masked_rows
from evotrainer.algorithm.rewards import combine, terms_of
from evotrainer.config import Config
from evotrainer.config.code import CODE_TERMS, reference, string_constants
from evotrainer.errors import CodeError
from evotrainer.records import Problem, Trajectory

MAX_VIOLATION_RISE = 0.02
"""Rise of the share of (correct, wrong) pairs of a group in which the wrong attempt earns more."""
MIN_HIDDEN_CHARACTERS = 16


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
    items, others = _items(subject)
    if not items:
        return Examination(key, {}, ["there is nothing to examine it on: name rows with grades, or problems"])
    try:
        found = run_code(key, reference(source), source, items)
        other = run_code(key, reference(source), source, others[::-1])
    except CodeError as error:
        return Examination(key, {}, [str(error)])
    numbers, refusals = _EFFECTS[key](subject, found.values, recipe)
    ids = [name for row in subject.rows for name in (row.problem_id, row.trajectory_id, row.group_id)]
    num_rows = max(1, len(problems) if key == "data.weight_code" else len(subject.rows))
    return Examination(
        key,
        {**numbers, "cpu_ms_a_row": 1000 * found.cpu_seconds / num_rows},
        [
            *_dependent(found.values, other.values[::-1]),
            *_memorised(source, {*ids, *(problem.problem_id for problem in problems)}, problems),
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
        shown = [problem_row(problem, subject.rates[problem.problem_id]) for problem in subject.problems]
        names = [{problem.problem_id} for problem in subject.problems]
    else:
        show = trajectory_row if subject.key == "reward.code" else rewarded_row
        shown = [show(row) for row in subject.rows]
        names = [{row.problem_id, row.group_id, row.trajectory_id} for row in subject.rows]
    others = [renamed(one, own) for one, own in zip(shown, names, strict=True)]
    if subject.key != "filter.group_code":
        return shown, others
    first, second = ([[items[i] for i in members] for members in subject.groups] for items in (shown, others))
    return first, second


def _reward(subject: _Subject, values: list[float], recipe: Config) -> tuple[dict[str, float], list[str]]:
    rows, groups = subject.rows, subject.groups
    paid = [
        row.model_copy(update={"reward": (row.reward or 0.0) + value}) for row, value in zip(rows, values, strict=True)
    ]
    masked = masked_rows(rows, replace(recipe, filter=replace(recipe.filter, mask_code="")))
    dead, dead_now = (spreads(reward_matrix(each, masked)) < DEAD_SPREAD for each in (rows, paid))
    right, layout = np.array([bool(row.correct) for row in rows]), Groups.of(rows)
    pay, pay_now = (np.array([row.reward or 0.0 for row in each]) for each in (rows, paid))
    violations, violations_now = (order_violations(each, right, layout) for each in (pay, pay_now))
    correct = [float(row.correct or 0.0) for row in rows]
    numbers = {
        "mean": fmean(values),
        "sd": pstdev(values),
        "groups": float(len(groups)),
        "dead_groups_before": float(dead.mean()),
        "dead_groups_after": float(dead_now.mean()),
        "revived": float((dead & ~dead_now).sum() / max(1, dead.sum())),
        "varies_in_groups": fmean(len({values[i] for i in members}) > 1 for members in groups),
        "correlation_with_correctness": _within(groups, values, correct),
        "correlation_with_length": _within(groups, values, [float(row.num_tokens) for row in rows]),
        "order_violations_before": violations,
        "order_violations_after": violations_now,
    }
    return numbers, [*_constant(values), *_disordered(violations, violations_now)]


def _mask(subject: _Subject, values: list[bool], recipe: Config) -> tuple[dict[str, float], list[str]]:
    rows = subject.rows
    masked = frozenset(place for place, value in enumerate(values) if value)
    left = [reward_matrix(rows, each) for each in (frozenset(), masked)]
    usable = [float((spreads(rewards) >= DEAD_SPREAD).mean()) for rewards in left]
    numbers = {
        "attempts": float(len(rows)),
        "masked": fmean(values),
        "masked_of_correct": _share(values, [bool(row.correct) for row in rows]),
        "masked_of_wrong": _share(values, [not row.correct for row in rows]),
        "usable_groups_before": usable[0],
        "usable_groups_after": usable[1],
    }
    return numbers, _constant(values)


def _keep(subject: _Subject, values: list[bool], recipe: Config) -> tuple[dict[str, float], list[str]]:
    spread = spreads(reward_matrix(subject.rows))
    alive = (spread >= DEAD_SPREAD).tolist()
    numbers = {
        "groups": float(len(subject.groups)),
        "kept": fmean(values),
        "kept_of_usable": _share(values, alive),
        "kept_of_dead": _share(values, [not one for one in alive]),
    }
    return numbers, _constant(values)


def _weight(subject: _Subject, values: list[float], recipe: Config) -> tuple[dict[str, float], list[str]]:
    total, rates = sum(values), [subject.rates[problem.problem_id] for problem in subject.problems]
    numbers = {
        "mean": fmean(values),
        "sd": pstdev(values),
        "problems": float(len(values)),
        "never_drawn": fmean(value == 0 for value in values),
        "effective_problems": total**2 / sum(value**2 for value in values) if total else 0.0,
        "pass_rate_now": fmean(rates),
        "pass_rate_weighted": sum(v * r for v, r in zip(values, rates, strict=True)) / total if total else 0.0,
    }
    return numbers, _constant(values) if total else ["it gives every problem the weight 0"]


_EFFECTS = {
    "reward.code": _reward,
    "reward.correction": _reward,
    "filter.mask_code": _mask,
    "filter.group_code": _keep,
    "data.weight_code": _weight,
}
"""What each kind of code does: numbers and refusals of its own."""


def _within(groups: Sequence[Sequence[int]], first: Sequence[float], second: Sequence[float]) -> float:
    """Return the correlation of two numbers around their means in each group; 0 where either does not vary."""
    pair = np.array([first, second])
    for members in groups:
        pair[:, members] -= pair[:, members].mean(axis=1, keepdims=True)
    scale = float(np.sqrt((pair**2).sum(axis=1)).prod())
    return float(pair[0] @ pair[1]) / scale if scale > 0 else 0.0


def _share(values: Sequence[bool], among: Sequence[bool]) -> float:
    chosen = [value for value, is_one in zip(values, among, strict=True) if is_one]
    return fmean(chosen) if chosen else 0.0


def _dependent(values: Sequence[float | bool], other: Sequence[float | bool]) -> list[str]:
    """Return the refusal of code that gives other values to the same rows under other names, in another order."""
    moved = sum(first != second for first, second in zip(values, other, strict=True))
    if not moved:
        return []
    return [
        f"it is no function of its argument: {moved} of {len(values)} values move when a fresh process is given the "
        "rows in another order, under other identities"
    ]


def _memorised(source: str, ids: Set[str], problems: Sequence[Problem]) -> list[str]:
    """Return the refusals of a text that names single problems."""
    constants = string_constants(source)
    hidden = {line for problem in problems for line in _hidden_lines(problem)}
    prompts = "\n".join(problem.prompt for problem in problems)
    long = {text for text in constants if len(text) >= MIN_HIDDEN_CHARACTERS and text not in prompts}
    known = [text for text in long if text.strip() in hidden]
    return [
        *(f"its text names the problem or attempt {name!r}" for name in sorted(constants & ids)[:1]),
        *(f"its text holds {len(known)} lines that only the grader knows" for _ in known[:1]),
    ]


def _constant(values: Sequence[float | bool]) -> list[str]:
    """Return the refusal of values that do not differ."""
    return [] if len(set(values)) > 1 else [f"it is constant: {len(values)} items all have the value {values[0]}"]


def _disordered(before: float, after: float) -> list[str]:
    """Return the refusal of a reward that ranks wrong attempts first; shares of pairs without it and with it."""
    if after - before <= MAX_VIOLATION_RISE:
        return []
    return [
        f"wrong attempts would be paid above right ones in {after:.1%} of pairs of a group, {before:.1%} without it "
        f"(allowed rise {MAX_VIOLATION_RISE:.0%})"
    ]


def _hidden_lines(problem: Problem) -> Iterator[str]:
    """Yield the lines of what only the grader reads."""
    for text in (problem.answer, *_texts(problem.data)):
        yield from (line.strip() for line in text.splitlines())


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from _texts(item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _texts(item)
