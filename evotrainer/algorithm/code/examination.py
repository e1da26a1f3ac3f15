"""Why code of an intervention may not train, as far as stored rows show it. What it does to them says its backtest.

    identity    other values from a fresh process that meets the rows in reverse order, under other identities: no
                function of the row
    memorised   its text names a problem: an id, or a line that only the grader knows
    constant    one value everywhere: it would train the present recipe once more

Errors, overruns, values that are not finite or out of bounds are refused by worker.py. Refusals do not prove that a
function is good, nor that a policy cannot game it.
"""

from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from evotrainer.algorithm.code.rows import problem_row, renamed, rewarded_row, trajectory_row
from evotrainer.algorithm.code.worker import run_code
from evotrainer.algorithm.curriculum import full_pass_rates
from evotrainer.algorithm.groups import Groups
from evotrainer.config.code import reference, string_constants
from evotrainer.errors import CodeError
from evotrainer.evidence.rows import Rows, mean_by
from evotrainer.records import Problem, Trajectory

MIN_HIDDEN_CHARACTERS = 16


def refusals(key: str, source: str, rows: "Sequence[Trajectory] | Rows", problems: Sequence[Problem] = ()) -> list[str]:
    """Return why the code of `key` may not train; empty where it may.

    Args:
        key: one of CODE_KEYS.
        source: the text.
        rows: stored attempts with grades and rewards.
        problems: the train pool, for weights and to see whether the text names a problem.

    """
    graded = Rows.of(rows).graded
    items, others = _items(key, graded, problems)
    if not items:
        return ["there is nothing to examine it on: name rows with grades, or problems"]
    try:
        found = run_code(key, reference(source), source, items)
        other = run_code(key, reference(source), source, others[::-1])
    except CodeError as error:
        return [str(error)]
    ids = {name for row in graded for name in (row.problem_id, row.trajectory_id, row.group_id)}
    return [
        *_dependent(found, other[::-1]),
        *_memorised(source, ids | {problem.problem_id for problem in problems}, problems),
        *_constant(found),
    ]


def _items(key: str, rows: Rows, problems: Sequence[Problem]) -> tuple[list, list]:
    """Return what the function is given, and the same under other names."""
    if key == "data.weight_code":
        rates = full_pass_rates(problems, mean_by(rows.problem, rows.correct))
        shown = [problem_row(problem, rates[problem.problem_id]) for problem in problems]
        names = [{problem.problem_id} for problem in problems]
    else:
        show = trajectory_row if key == "reward.code" else rewarded_row
        shown = [show(row) for row in rows]
        names = [{row.problem_id, row.group_id, row.trajectory_id} for row in rows]
    others = [renamed(one, own) for one, own in zip(shown, names, strict=True)]
    if key != "filter.group_code":
        return shown, others
    members = Groups(rows.group.codes).rows_of
    first, second = ([[items[i] for i in one] for one in members] for items in (shown, others))
    return first, second


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
