"""A line of a math file, ours or in the style of a public set, recognised by its keys; other keys are kept.

docs/domains.md lists the styles and where each has its answer: GSM8K (arXiv 2110.14168), MATH (arXiv 2103.03874), verl
(examples/data_preprocess/gsm8k.py), prompt and completion. A prompt is text or a list of messages, of which user and
system text are taken. Without `id` a row is named by a hash of its problem.
"""

import re
from collections.abc import Callable
from typing import Any

from evotrainer.domains.math.answers import MAX_ANSWER_CHARACTERS, why_ungradable
from evotrainer.domains.math.grader import last_boxed
from evotrainer.domains.problem_sets.rows import (
    Row,
    difficulty_of,
    family_of,
    id_of,
    prompt_of,
    text_of,
    unknown_columns,
)
from evotrainer.errors import DataError

COMPLETIONS = ("completion", "answer", "solution", "ground_truth", "label")
"""Keys of the answer to a `prompt`, the first that a row has."""

_WANTED = (
    "problem and answer, question and answer (GSM8K), problem and solution (MATH), prompt and "
    "reward_model.ground_truth (verl), or prompt and completion"
)
_OWN_KEYS = {"id", "problem", "answer", "family", "difficulty"}
_LEVEL = re.compile(r"Level ([1-5])\Z")


def parse_row(values: dict[str, Any], place: str) -> Row:
    """Return the row; raises DataError for a missing, empty or mistyped key."""
    for is_style, parse in _STYLES:
        if is_style(values):
            return parse(values, place)
    raise unknown_columns(values, _WANTED, "problem=KEY,answer=KEY", place)


def _own(values: dict[str, Any], place: str) -> Row:
    return _made(values, place, text_of(values, "problem", place), text_of(values, "answer", place), _OWN_KEYS)


def _gsm8k(values: dict[str, Any], place: str) -> Row:
    answer = text_of(values, "answer", place)
    used = {"question", "answer", "id", "family", "difficulty"}
    made = _made(values, place, text_of(values, "question", place), answer.rpartition("####")[2].strip(), used)
    if "####" in answer:
        made.data["solution"] = answer
    return made


def _math(values: dict[str, Any], place: str) -> Row:
    problem, solution = text_of(values, "problem", place), text_of(values, "solution", place)
    answer = last_boxed(solution)
    if answer is None:
        raise DataError(f"{place}: 'solution' has no \\boxed{{...}} with the answer, and there is no 'answer'")
    return _made(values, place, problem, answer, {"problem", "id", "family", "difficulty"})


def _verl(values: dict[str, Any], place: str) -> Row:
    truth = values["reward_model"]
    if not isinstance(truth, dict) or truth.get("ground_truth") is None:
        raise DataError(f"{place}: 'reward_model' must hold ground_truth, as verl's data has it")
    problem, system = prompt_of(values, "prompt", place)
    answer = text_of({"reward_model.ground_truth": truth["ground_truth"]}, "reward_model.ground_truth", place)
    known = {"family": str(values.get("data_source") or "verl"), **system}
    return _made({**values, **known}, place, problem, answer, {"prompt", "reward_model", "id", "family", "difficulty"})


def _completed(values: dict[str, Any], place: str) -> Row:
    problem, system = prompt_of(values, "prompt", place)
    key = next(key for key in COMPLETIONS if values.get(key) is not None)
    said, _ = prompt_of(values, key, place, role="assistant")
    boxed = last_boxed(said)
    answer = boxed if boxed is not None else said.rpartition("####")[2].strip()
    if len(answer) > MAX_ANSWER_CHARACTERS:
        raise DataError(
            f"{place}: '{key}' has neither \\boxed{{...}} nor #### and is too long for an answer ({len(answer)} "
            f"characters, at most {MAX_ANSWER_CHARACTERS})"
        )
    return _made({**values, **system}, place, problem, answer, {"prompt", "id", "family", "difficulty"})


def _made(values: dict[str, Any], place: str, problem: str, answer: str, used: set[str]) -> Row:
    if reason := why_ungradable(answer):
        raise DataError(f"{place}: the answer {reason}")
    return Row(
        row_id=id_of(values, ("id", "unique_id"), problem, place),
        problem=problem,
        answer=answer,
        family=_family(values, place),
        difficulty=_difficulty(values, place),
        data={key: value for key, value in values.items() if key not in used},
        identity=problem,
    )


def _family(values: dict[str, Any], place: str) -> str:
    named = next((key for key in ("family", "subject", "type") if isinstance(values.get(key), str)), "family")
    return text_of(values, named, place) if named in values and values[named] else family_of(values, place)


def _difficulty(values: dict[str, Any], place: str) -> float:
    """Return the a-priori difficulty; MATH's levels 1 to 5, as number or text, are 0 to 1."""
    if "difficulty" in values or "level" not in values:
        return difficulty_of(values, place)
    level = values["level"]
    match = _LEVEL.match(level) if isinstance(level, str) else None
    number = int(match[1]) if match else level
    return (number - 1) / 4 if isinstance(number, int) and 1 <= number <= 5 else 0.0


Style = tuple[Callable[[dict[str, Any]], bool], Callable[[dict[str, Any], str], Row]]

_STYLES: tuple[Style, ...] = (
    (lambda values: "prompt" in values and "reward_model" in values, _verl),
    (lambda values: "problem" in values and "answer" not in values and "solution" in values, _math),
    (lambda values: "problem" in values, _own),
    (lambda values: "question" in values and "answer" in values, _gsm8k),
    (lambda values: "prompt" in values and any(values.get(key) is not None for key in COMPLETIONS), _completed),
)
