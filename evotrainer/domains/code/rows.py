"""A line of a code file: one of our own rows, or one in the style of a public set, recognised by its keys.

    {"id": ..., "problem": ..., "function": "f" or null, "visible": [...],
     "hidden": [{"input": ..., "output": ...}, ...], "reference": ..., "family": ..., "difficulty": ...,
     "canary": ..., "seconds": ...}

An input is a list of arguments where a function is named, else the text of standard input. All but id, problem and
hidden may be left out. The reference solution becomes the problem's answer; diagnostics that need one say nothing
without it.

**TACO** (arXiv 2312.14852; its metrics/testing_util.py says how tests are read) and **APPS** (arXiv 2105.09938) have
`input_output`, JSON text with `inputs`, `outputs` and, for functions, `fn_name`; `solutions` is JSON text with a list
of programs, the first of which is taken as the reference. Deviations: a list of lines as input or output is joined;
outputs that are all lists of one value are accepted with and without that list, as there; keys of dictionaries stay
texts, where the original turns them into numbers. verl has `prompt` and `reward_model.ground_truth` with these inputs
and outputs.

**LiveCodeBench** (arXiv 2403.07974; lcb_runner/benchmarks/code_generation.py names the keys) has `question_content`,
`public_test_cases` and `private_test_cases`, JSON text with a list of {"input", "output", "testtype"}; the private ones
may be that text compressed by zlib and written in base64. For functions an input has one JSON argument a line, and
`metadata.func_name` names the method of a class Solution. What is packed with pickle is refused: reading it would run
whatever it holds.

**CodeContests** (arXiv 2203.07814; its contest_problem.proto names the keys) has `public_tests`, `private_tests` and
`generated_tests`, each with `input` and `output`, two lists of texts; the last two are the hidden tests. `solutions`
holds `language`, a number, and `solution`; the first in Python 3 is the reference. A problem with files for input or
output is refused. `time_limit` is seconds and nanos.
"""

import base64
import binascii
import json
import math
import re
import zlib
from dataclasses import replace
from typing import Any

from evotrainer.domains.code.record import (
    DEFAULT_SECONDS,
    HeadKeys,
    Test,
    code_row,
    make_test,
    named_function,
    parse_json,
    public_head,
)
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


_TACO_KEYS = HeadKeys("taco", "question", ("id", "problem_id"), "fn_name", "source")
_SECONDS = re.compile(r"(?:\d+(?:\.\d+)?\s*-\s*)?(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)?\.?", re.IGNORECASE)
"""A number of seconds, or the longest of a range ("0.5 - 1 seconds")."""
MIN_SECONDS = 0.1


def parse_taco(values: dict[str, Any], place: str) -> Row:
    """Return the row of one TACO or APPS problem; raises DataError naming the key that cannot be used."""
    tests = parse_json(values["input_output"] or "null", "input_output", place)
    if not isinstance(tests, dict):
        raise DataError(f"{place}: 'input_output' must hold an object with inputs and outputs")
    function, made = public_head(values, place, keys=_TACO_KEYS, function=tests.get("fn_name"))
    seconds = _taco_seconds(values.get("time_limit"), place)
    return made((), _taco_tests(tests, function, place), reference=_first_solution(values, place), seconds=seconds)


def _taco_tests(tests: dict[str, Any], function: str | None, place: str) -> list[Test]:
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


def _taco_seconds(limit: Any, place: str) -> float:
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


MAX_TEXT_BYTES = 512 * 1024**2
"""Of the private tests of one problem, unpacked."""

_LIVECODEBENCH_KEYS = HeadKeys("livecodebench", "question_content", ("question_id",), "func_name", "platform")
_PICKLE_MARK = 0x80


def parse_livecodebench(values: dict[str, Any], place: str) -> Row:
    """Return the row of one LiveCodeBench problem; raises DataError naming the key that cannot be used."""
    metadata = parse_json(values.get("metadata") or {}, "metadata", place)
    given = metadata.get("func_name") if isinstance(metadata, dict) else None
    function, made = public_head(values, place, keys=_LIVECODEBENCH_KEYS, function=given)
    public = parse_json(values.get("public_test_cases") or [], "public_test_cases", place)
    private = _unpacked(values.get("private_test_cases") or [], place)
    hidden = _livecodebench_tests(private, "private_test_cases", function, place)
    visible = _livecodebench_tests(public, "public_test_cases", function, place)
    if not hidden:
        raise DataError(f"{place}: 'private_test_cases' is empty: a problem needs hidden tests")
    return made(visible, hidden)


def _unpacked(text: Any, place: str) -> Any:
    """Return the private tests, whichever way they are packed."""
    if not isinstance(text, str) or text.lstrip().startswith("["):
        return parse_json(text, "private_test_cases", place)
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(text, validate=True), MAX_TEXT_BYTES)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise DataError(f"{place}: 'private_test_cases' is neither JSON nor base64 of zlib of JSON: {error}") from None
    if data[:1] == bytes([_PICKLE_MARK]):
        raise DataError(
            f"{place}: 'private_test_cases' is packed with pickle, which runs code when read: store it as JSON text"
        )
    if unpacker.unconsumed_tail:
        raise DataError(f"{place}: 'private_test_cases' is over {MAX_TEXT_BYTES} bytes unpacked")
    return parse_json(data.decode("utf-8", "replace"), "private_test_cases", place)


def _livecodebench_tests(listed: Any, key: str, function: str | None, place: str) -> list[Test]:
    if not (
        isinstance(listed, list)
        and all(isinstance(test, dict) and {"input", "output"} <= test.keys() for test in listed)
    ):
        raise DataError(f"{place}: '{key}' must hold a list of tests, each with input and output")
    return [_livecodebench_test(test, key, function, place) for test in listed]


def _livecodebench_test(test: dict[str, Any], key: str, function: str | None, place: str) -> Test:
    given, output = test["input"], test["output"]
    is_called = test.get("testtype", "functional" if function else "stdin") == "functional"
    if is_called != (function is not None):
        raise DataError(f"{place}: '{key}' has a {test.get('testtype')} test, and metadata.func_name is {function!r}")
    if function is None:
        return make_test(given, [output], None, place)
    arguments = [parse_json(line, key, place) for line in str(given).split("\n")]
    return make_test(arguments, [parse_json(output, key, place)], function, place)


PYTHON3 = 3
"""Of the enumeration of languages."""
MAX_RATING = 3500
"""Codeforces' rating of the hardest problems; a rating's share of it is the difficulty."""

_CODECONTESTS_KEYS = HeadKeys("codecontests", "description", ("name",), "function", "source")
_SOURCES = {1: "codechef", 2: "codeforces", 3: "hackerearth", 4: "codejam", 5: "atcoder", 6: "aizu"}


def parse_codecontests(values: dict[str, Any], place: str) -> Row:
    """Return the row of one problem; raises DataError naming the key that cannot be used."""
    if values.get("input_file") or values.get("output_file"):
        raise DataError(f"{place}: 'input_file' names a file: programs read standard input and print")
    source = _SOURCES.get(values.get("source") or 0, "codecontests")
    _, made = public_head({**values, "source": source, "difficulty": None}, place, keys=_CODECONTESTS_KEYS)
    hidden = _codecontests_tests(values, "private_tests", place) + _codecontests_tests(values, "generated_tests", place)
    if not hidden:
        raise DataError(f"{place}: 'private_tests' and 'generated_tests' are empty: a problem needs hidden tests")
    visible, rating = _codecontests_tests(values, "public_tests", place), values.get("cf_rating")
    row = made(visible, hidden, reference=_reference(values), seconds=_codecontests_seconds(values))
    is_rated = isinstance(rating, int | float) and 0 < rating <= MAX_RATING
    return replace(row, difficulty=rating / MAX_RATING) if is_rated and rating else row


def _codecontests_tests(values: dict[str, Any], key: str, place: str) -> list[Test]:
    found = values.get(key) or {"input": [], "output": []}
    given, outputs = (found.get("input"), found.get("output")) if isinstance(found, dict) else (None, None)
    if not isinstance(given, list) or not isinstance(outputs, list) or len(given) != len(outputs):
        raise DataError(f"{place}: '{key}' must hold input and output, two lists of one length")
    return [make_test(text, [output], None, place) for text, output in zip(given, outputs, strict=True)]


def _reference(values: dict[str, Any]) -> str:
    found = values.get("solutions") or {}
    if not isinstance(found, dict):
        return ""
    pairs = zip(found.get("language") or [], found.get("solution") or [], strict=False)
    return next((text for language, text in pairs if language == PYTHON3), "")


def _codecontests_seconds(values: dict[str, Any]) -> float:
    limit = values.get("time_limit")
    if not isinstance(limit, dict):
        return DEFAULT_SECONDS
    seconds = (limit.get("seconds") or 0) + (limit.get("nanos") or 0) / 1e9
    return seconds if seconds > 0 else DEFAULT_SECONDS
