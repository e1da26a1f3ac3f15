"""What the code domain keeps of a problem, whatever style of row it came in: `Problem.data`.

    function  name at the top of the module, or Class.method; null: the program reads standard input and prints
    visible   [{"input": ..., "outputs": [...]}]: examples that the statement shows
    hidden    the same: tests that decide
    prelude   source put before each program: imports that the style's programs take for granted
    canary    text that stands nowhere but beside the hidden tests
    seconds   of processor time that one execution may take

An input is a list of arguments, or the text of standard input; any of the outputs is right.
"""

import json
from collections.abc import Callable, Sequence
from functools import partial
from keyword import iskeyword
from typing import Any, NamedTuple

from evotrainer.domains.problem_sets.files import JsonError, read_json
from evotrainer.domains.problem_sets.rows import DEFAULT_FAMILY, Row, family_of, id_of, text_of
from evotrainer.errors import DataError

DEFAULT_SECONDS, MAX_SECONDS = 2.0, 60.0

DIFFICULTIES = {
    "easy": 0.0,
    "medium": 0.25,
    "medium_hard": 0.5,
    "hard": 0.75,
    "very_hard": 1.0,
    "unknown_difficulty": 0.5,
    "introductory": 0.0,
    "interview": 0.5,
    "competition": 1.0,
}
"""Words of public sets."""

PRELUDE = (
    "import bisect, collections, functools, heapq, itertools, math, operator, random, re, string, sys\n"
    "from bisect import *\nfrom collections import *\nfrom functools import *\nfrom heapq import *\n"
    "from itertools import *\nfrom math import *\nfrom typing import *\nfrom builtins import *\n"
)
"""Names that programs for public sets use without importing them."""

Test = dict[str, Any]


class HeadKeys(NamedTuple):
    """How a public set calls what its rows have in common."""

    style: str
    statement: str
    row_id: tuple[str, ...]
    function: str
    family: str


def code_row(
    row_id: str,
    problem: str,
    function: str | None,
    visible: Sequence[Test],
    hidden: Sequence[Test],
    *,
    reference: str = "",
    family: str = DEFAULT_FAMILY,
    difficulty: float = 0.0,
    canary: str = "",
    prelude: str = "",
    seconds: float = DEFAULT_SECONDS,
) -> Row:
    """Return the row of a code problem."""
    data = {
        "function": function,
        "visible": list(visible),
        "hidden": list(hidden),
        "prelude": prelude,
        "canary": canary,
        "seconds": min(seconds, MAX_SECONDS),
    }
    return Row(row_id, problem, reference, family, difficulty, data, identity=problem)


def public_head(
    values: dict[str, Any], place: str, *, keys: HeadKeys, function: Any = None
) -> tuple[str | None, Callable[..., Row]]:
    """Return the function that a public set's row names, and what makes the row of visible and hidden tests.

    `function` is the name that its tests call, where they call one.
    """
    statement = text_of(values, keys.statement, place)
    name, starter = named_function(function, keys.function, place), values.get("starter_code") or ""
    called = method_name(name, starter) if name else None
    return called, partial(
        code_row,
        id_of(values, keys.row_id, statement, place),
        with_starter(statement, starter, name),
        called,
        family=family_of(values, place) if "family" in values else str(values.get(keys.family) or keys.style),
        difficulty=difficulty_of_word(values.get("difficulty"), place),
        prelude=PRELUDE,
    )


def make_test(given: Any, outputs: Sequence[Any], function: str | None, place: str) -> Test:
    """Return one test; raises DataError where input or output have the wrong type for the style of the problem."""
    if function is None and not (isinstance(given, str) and all(isinstance(output, str) for output in outputs)):
        raise DataError(
            f"{place}: a test's input and output must be texts, since no function is named: {_short(given)}"
        )
    if function is not None and not isinstance(given, list):
        raise DataError(f"{place}: a test's input must be a list of arguments for '{function}': {_short(given)}")
    return {"input": given, "outputs": list(outputs)}


def parse_json(text: Any, key: str, place: str) -> Any:
    """Return the value of JSON text, or of what is no text as it is; raises DataError naming the key."""
    if not isinstance(text, str):
        return text
    try:
        return read_json(text)
    except JsonError as error:
        raise DataError(f"{place}: '{key}' {error}") from None


def difficulty_of_word(value: Any, place: str) -> float:
    """Return the a-priori difficulty in [0, 1] that a word stands for; 0.5 where none is given."""
    if value is None or value == "":
        return DIFFICULTIES["unknown_difficulty"]
    if not isinstance(value, str) or value.lower() not in DIFFICULTIES:
        raise DataError(f"{place}: 'difficulty' is {_short(value)}: one of {', '.join(DIFFICULTIES)} is known")
    return DIFFICULTIES[value.lower()]


def with_starter(problem: str, starter: str, function: str | None) -> str:
    """Return the prompt of a public set's problem: its text, and the code or the name to start from."""
    if starter.strip():
        return f"{problem}\n\nComplete this code:\n\n{starter.rstrip()}"
    if function is not None:
        return f"{problem}\n\nWrite a function named {function}."
    return f"{problem}\n\nRead from standard input and print to standard output."


def named_function(value: Any, key: str, place: str) -> str | None:
    """Return the function that a row names, `f` or `Class.method`; None where it names none."""
    if value is None or value == "":
        return None
    parts = value.split(".") if isinstance(value, str) else []
    if not 1 <= len(parts) <= 2 or not all(part.isidentifier() and not iskeyword(part) for part in parts):
        raise DataError(f"{place}: '{key}' must be the name of a function, f or Class.method, found {_short(value)}")
    return value


def method_name(name: str, starter: str) -> str:
    """Return the function to call: a method where the starting code has a class Solution."""
    return f"Solution.{name}" if "class Solution" in starter and "." not in name else name


def _short(value: Any) -> str:
    return json.dumps(value)[:60]
