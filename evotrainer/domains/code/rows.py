"""A line of a code file: one of our own rows, or one in the style of a public set, recognised by its keys.

TACO and APPS have `input_output`, LiveCodeBench `question_content`, CodeContests `private_tests`; verl has `prompt` and
`reward_model.ground_truth` with TACO's inputs and outputs.

    {"id": ..., "problem": ..., "function": "f" or null, "visible": [...],
     "hidden": [{"input": ..., "output": ...}, ...], "reference": ..., "family": ..., "difficulty": ...,
     "canary": ..., "seconds": ...}

An input is a list of arguments where a function is named, else the text of standard input. All but id, problem and
hidden may be left out. The reference solution becomes the problem's answer; diagnostics that need one say nothing
without it.
"""

import json
import math
import re
from typing import Any

from evotrainer.domains.code.public_rows import parse_codecontests, parse_livecodebench, parse_taco
from evotrainer.domains.code.record import DEFAULT_SECONDS, Test, code_row, make_test, named_function
from evotrainer.domains.problem_sets.rows import Row, difficulty_of, family_of, prompt_of, text_of, unknown_columns
from evotrainer.errors import DataError

_WANTED = (
    "id, problem and hidden, question and input_output (TACO, APPS), question_content and private_test_cases "
    "(LiveCodeBench), description and private_tests (CodeContests), or prompt and reward_model.ground_truth (verl)"
)


def parse_row(values: dict[str, Any], place: str) -> Row:
    """Return the row; raises DataError for a missing, empty or mistyped key."""
    if "question_content" in values:
        return parse_livecodebench(values, place)
    if "input_output" in values:
        return parse_taco(values, place)
    if "private_tests" in values:
        return parse_codecontests(values, place)
    if "reward_model" in values:
        return parse_taco(_of_verl(values, place), place)
    if "hidden" not in values and "id" not in values:
        raise unknown_columns(values, _WANTED, "question=KEY,input_output=KEY", place)
    function = named_function(values.get("function"), "function", place)
    hidden = _tests(values, "hidden", function, place)
    if not hidden:
        raise DataError(
            f"{place}: 'hidden' is missing or empty: give tests, or rows with input_output (TACO) or question_content "
            "(LiveCodeBench)"
        )
    return code_row(
        text_of(values, "id", place),
        text_of(values, "problem", place),
        function,
        _tests(values, "visible", function, place),
        hidden,
        reference=_optional_text(values, "reference", place),
        family=family_of(values, place),
        difficulty=difficulty_of(values, place),
        canary=_optional_text(values, "canary", place),
        seconds=_seconds(values, place),
    )


def _of_verl(values: dict[str, Any], place: str) -> dict[str, Any]:
    """Return a row of verl's code data, whose ground truth is TACO's object of inputs and outputs, in TACO's keys."""
    truth, (question, _) = values["reward_model"], prompt_of(values, "prompt", place)
    if not isinstance(truth, dict) or not truth.get("ground_truth"):
        raise DataError(f"{place}: 'reward_model' must hold ground_truth, as verl's data has it")
    return {"question": question, "input_output": truth["ground_truth"], "source": values.get("data_source")}


def _tests(values: dict[str, Any], key: str, function: str | None, place: str) -> list[Test]:
    listed = values.get(key) or []
    if not (isinstance(listed, list) and all(isinstance(test, dict) for test in listed)):
        raise DataError(f"{place}: '{key}' must be a list of tests, found {json.dumps(listed)[:40]}")
    for test in listed:
        if test.keys() != {"input", "output"}:
            raise DataError(f"{place}: a test of '{key}' needs input and output alone, found {', '.join(test) or '{}'}")
    return [make_test(test["input"], [test["output"]], function, place) for test in listed]


def _optional_text(values: dict[str, Any], key: str, place: str) -> str:
    value = values.get(key) or ""
    if not isinstance(value, str):
        raise DataError(f"{place}: '{key}' must be text, found {json.dumps(value)[:40]}")
    return value


def _seconds(values: dict[str, Any], place: str) -> float:
    value = values.get("seconds", DEFAULT_SECONDS)
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
        raise DataError(f"{place}: 'seconds' must be a number above 0, found {json.dumps(value)[:40]}")
    return float(value)


_HEADS = (
    "f(xs):",
    "f(s): s",
    "f(ws): dict of",
    "f(xs, k):",
    "read numbers, print",
    "read n and n rows, print for each row",
)
"""How the statements of the built-in problems begin."""

_FROM = re.compile(r"(?<= )(?:from ([3-9]) on|at least ([3-9]))\b")


def canonical_form(prompt: str) -> str | None:
    """Return the statement, in which "from 5 on" is "over 4", whatever its examples; None for any other text."""
    statement = " ".join(prompt.split("\n", 1)[0].split())
    if not statement.startswith(_HEADS):
        return None
    return _FROM.sub(lambda match: f"over {int(match[1] or match[2]) - 1}", statement)
