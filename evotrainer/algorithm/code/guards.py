"""Guards of code before it may train: each is a reason to refuse, in a sentence with its numbers.

    unstable    other values on a second call, in another order, or in a fresh process: no function of the row
    identity    other values where only identities and what the grader keeps beside a grade were changed
    memorised   its text names a problem: an id, what only the grader knows, or words of a single problem's prompt
    constant    one value everywhere, or one in each group: what is equal in a group vanishes under its mean
    disordered  wrong attempts of a group would be paid above right ones
    levelled    right and wrong attempts of a group would be paid alike

Errors, overruns, values that are not finite or out of bounds are refused by worker.py. These guards read what stored
rows show. They do not prove that a function is good, nor that a policy cannot game it: the audit after training judges.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from evotrainer.config.code import string_constants
from evotrainer.records import Message, Problem, Trajectory

MAX_VIOLATION_RISE = 0.02
"""Rise of the share of (correct, wrong) pairs of a group in which the wrong attempt earns more."""
MAX_LEVELLED_RISE = 0.02
"""Rise of the share of such pairs in which both earn the same."""
MIN_HIDDEN_CHARACTERS = 16
MIN_PROMPT_CHARACTERS = 12
MIN_PROBLEMS = 20
"""Problems from which on words that stand in one prompt alone are taken for its name."""

Value = float | bool


def unstable(values: Sequence[Value], order: Sequence[int], again: Sequence[Value]) -> list[str]:
    """Return the refusal of code that answers otherwise; `again` are its values for `values`' items in `order`, twice.

    The second run was another process, whose batches hold other items.
    """
    expected = [values[place] for place in order for _ in range(2)]
    different = sum(first != second for first, second in zip(expected, again, strict=True))
    if not different:
        return []
    return [
        f"it is no function of its argument: {different} of {len(expected)} values differ when they are asked for "
        "twice, in another order, by a fresh process"
    ]


def depends_on_identity(values: Sequence[Value], perturbed: Sequence[Value]) -> list[str]:
    """Return the refusal of code whose values move with identities; `perturbed` are those of renamed items."""
    moved = sum(first != second for first, second in zip(values, perturbed, strict=True))
    if not moved:
        return []
    return [f"it depends on identities: {moved} of {len(values)} values move when only names are changed"]


def memorised(source: str, ids: Sequence[str], problems: Sequence[Problem]) -> list[str]:
    """Return the refusals of a text that names single problems."""
    constants = string_constants(source)
    named = sorted(constants & set(ids))
    prompts = [problem.prompt for problem in problems]
    hidden = {line for problem in problems for line in _hidden_lines(problem)}
    shown = "\n".join(prompts)
    known = sorted(
        text
        for text in constants
        if len(text) >= MIN_HIDDEN_CHARACTERS and text.strip() in hidden and text not in shown
    )
    single = sorted(
        text
        for text in constants
        if len(prompts) >= MIN_PROBLEMS
        and len(text) >= MIN_PROMPT_CHARACTERS
        and sum(text in prompt for prompt in prompts) == 1
    )
    return [
        *(f"its text names the problem or attempt {name!r}" for name in named[:1]),
        *(f"its text holds {len(known)} lines that only the grader knows" for _ in known[:1]),
        *(f"its text holds words of one problem alone: {text[:40]!r}" for text in single[:1]),
    ]


def constant(values: Sequence[Value], groups: Sequence[Sequence[int]]) -> list[str]:
    """Return the refusal of values that do not differ; `groups` are indices of values, empty where there are none."""
    if len(set(values)) <= 1:
        return [f"it is constant: {len(values)} items all have the value {values[0] if values else 'of none'}"]
    if groups and all(len({values[place] for place in members}) == 1 for members in groups):
        return ["it is constant in every group: what all attempts of a group earn vanishes under the group's mean"]
    return []


def disordered(before: float, after: float) -> list[str]:
    """Return the refusal of a reward that ranks wrong attempts first; shares of pairs without it and with it."""
    if after - before <= MAX_VIOLATION_RISE:
        return []
    return [
        f"wrong attempts would be paid above right ones in {after:.1%} of pairs of a group, {before:.1%} without it "
        f"(allowed rise {MAX_VIOLATION_RISE:.0%})"
    ]


def levelled(before: float, after: float) -> list[str]:
    """Return the refusal of a reward that no longer tells right from wrong; shares of pairs without it and with it."""
    if after - before <= MAX_LEVELLED_RISE:
        return []
    return [
        f"right and wrong attempts would be paid alike in {after:.1%} of pairs of a group, {before:.1%} without it "
        f"(allowed rise {MAX_LEVELLED_RISE:.0%})"
    ]


def renamed(row: Trajectory, place: int) -> Trajectory:
    """Return an attempt with other identities, in its text too, and without what the grader keeps beside its grade."""
    other = f"renamed{place:06d}"
    names = {row.problem_id, row.group_id, row.trajectory_id}
    return row.model_copy(
        update={
            "trajectory_id": other,
            "problem_id": other,
            "group_id": other,
            "campaign": other,
            "version": other,
            "policy_id": other,
            "step": row.step + 1000,
            "attempt": row.attempt + 1000,
            "seed": row.seed + 1,
            "extra": {name: row.extra[name] for name in ("family",) if name in row.extra},
            "messages": [_renamed_message(message, names) for message in row.messages],
        }
    )


def renamed_problem(problem: Problem, place: int) -> Problem:
    """Return a problem with another id, in its text too, and without what only the grader knows."""
    prompt = _without(problem.prompt, {problem.problem_id})
    return problem.model_copy(update={"problem_id": f"renamed{place:06d}", "prompt": prompt, "answer": "", "data": {}})


def _renamed_message(message: Message, names: set[str]) -> Message:
    return message.model_copy(update={"content": _without(message.content, names)})


def _without(text: str, names: set[str]) -> str:
    """Return a text with names, where they stand as words of at least four letters, replaced by others as long."""
    for name in sorted(names):
        if len(name) >= 4 and name in text:
            text = re.sub(rf"(?<!\w){re.escape(name)}(?!\w)", "x" * len(name), text)
    return text


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
