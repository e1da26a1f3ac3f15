"""Rows in the style of TACO (arXiv 2312.14852; its metrics/testing_util.py says how tests are read).

`input_output` is JSON text with `inputs`, `outputs` and, for functions, `fn_name`; `solutions` is JSON text with a
list of programs, the first of which is taken as the reference. Deviations: a list of lines as input or output is
joined; outputs that are all lists of one value are accepted with and without that list, as there; keys of dictionaries
stay texts, where the original turns them into numbers.
"""

import hashlib
import math
import re
from typing import Any

from evotrainer.domains.code.problems.record import (
    DEFAULT_SECONDS,
    PRELUDE,
    Test,
    code_row,
    difficulty_of_word,
    make_test,
    method_name,
    named_function,
    parse_json,
    with_starter,
)
from evotrainer.domains.problem_sets.rows import Row, family_of, text_of
from evotrainer.errors import DataError

_SECONDS = re.compile(r"(?:\d+(?:\.\d+)?\s*-\s*)?(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)?\.?", re.IGNORECASE)
"""A number of seconds, or the longest of a range ("0.5 - 1 seconds")."""
MIN_SECONDS = 0.1


def parse_taco(values: dict[str, Any], place: str) -> Row:
    """Return the row of one TACO problem; raises DataError naming the key that cannot be used."""
    question = text_of(values, "question", place)
    tests = parse_json(values["input_output"], "input_output", place)
    if not isinstance(tests, dict):
        raise DataError(f"{place}: 'input_output' must hold an object with inputs and outputs")
    name, starter = named_function(tests.get("fn_name"), "fn_name", place), values.get("starter_code") or ""
    function = method_name(name, starter) if name else None
    return code_row(
        text_of(values, "id", place) if "id" in values else hashlib.sha256(question.encode()).hexdigest()[:16],
        with_starter(question, starter, name),
        function,
        visible=(),
        hidden=_tests(tests, function, place),
        reference=_first_solution(values, place),
        family=family_of(values, place) if "family" in values else str(values.get("source") or "taco"),
        difficulty=difficulty_of_word(values.get("difficulty"), place),
        prelude=PRELUDE,
        seconds=_seconds(values.get("time_limit"), place),
    )


def _tests(tests: dict[str, Any], function: str | None, place: str) -> list[Test]:
    inputs, outputs = tests.get("inputs"), tests.get("outputs")
    if not (isinstance(inputs, list) and isinstance(outputs, list) and inputs):
        raise DataError(f"{place}: 'input_output' needs inputs and outputs, lists that are not empty")
    if len(inputs) != len(outputs):
        raise DataError(f"{place}: 'input_output' has {len(inputs)} inputs and {len(outputs)} outputs")
    if function is None:
        texts = zip(map(_joined, inputs), map(_joined, outputs), strict=True)
        return [make_test(given, [output], None, place) for given, output in texts]
    is_wrapped = all(isinstance(output, list) and len(output) == 1 for output in outputs)
    accepted = [[output[0], output] if is_wrapped else [output] for output in outputs]
    return [make_test(given, values, function, place) for given, values in zip(inputs, accepted, strict=True)]


def _joined(value: Any) -> Any:
    is_lines = isinstance(value, list) and all(isinstance(line, str) for line in value)
    return "\n".join(value) if is_lines else value


def _first_solution(values: dict[str, Any], place: str) -> str:
    solutions = parse_json(values.get("solutions") or [], "solutions", place)
    if not (isinstance(solutions, list) and all(isinstance(solution, str) for solution in solutions)):
        raise DataError(f"{place}: 'solutions' must hold a list of programs")
    return solutions[0] if solutions else ""


def _seconds(limit: Any, place: str) -> float:
    if limit is None or limit == "":
        return DEFAULT_SECONDS
    if isinstance(limit, str):
        found = _SECONDS.fullmatch(limit.strip())
        seconds = float(found[1]) if found else math.nan
    else:
        seconds = float(limit) if isinstance(limit, int | float) and not isinstance(limit, bool) else math.nan
    if not 0 < seconds < math.inf:
        raise DataError(
            f"{place}: 'time_limit' must be seconds above 0, like \"2.0 seconds\", found {str(limit)[:40]!r}"
        )
    return max(seconds, MIN_SECONDS)
