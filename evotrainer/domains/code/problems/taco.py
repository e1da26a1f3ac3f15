"""Rows in the style of TACO (arXiv 2312.14852) and APPS (arXiv 2105.09938), which have the same keys.

TACO's metrics/testing_util.py says how tests are read.

`input_output` is JSON text with `inputs`, `outputs` and, for functions, `fn_name`; `solutions` is JSON text with a
list of programs, the first of which is taken as the reference. Deviations: a list of lines as input or output is
joined; outputs that are all lists of one value are accepted with and without that list, as there; keys of dictionaries
stay texts, where the original turns them into numbers.
"""

import math
import re
from typing import Any

from evotrainer.domains.code.problems.record import DEFAULT_SECONDS, HeadKeys, Test, make_test, parse_json, public_head
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.errors import DataError

_KEYS = HeadKeys("taco", "question", ("id", "problem_id"), "fn_name", "source")
_SECONDS = re.compile(r"(?:\d+(?:\.\d+)?\s*-\s*)?(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)?\.?", re.IGNORECASE)
"""A number of seconds, or the longest of a range ("0.5 - 1 seconds")."""
MIN_SECONDS = 0.1


def parse_taco(values: dict[str, Any], place: str) -> Row:
    """Return the row of one TACO or APPS problem; raises DataError naming the key that cannot be used."""
    tests = parse_json(values["input_output"] or "null", "input_output", place)
    if not isinstance(tests, dict):
        raise DataError(f"{place}: 'input_output' must hold an object with inputs and outputs")
    head = public_head(values, place, keys=_KEYS, function=tests.get("fn_name"))
    hidden = _tests(tests, head.function, place)
    return head.row((), hidden, _first_solution(values, place), _seconds(values.get("time_limit"), place))


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
