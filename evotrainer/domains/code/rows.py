"""A line of a code file: one of our own rows, or one in the style of a public set, recognised by its keys.

docs/domains.md shows a row of our own. A function is f, or Class.method. The reference becomes the problem's answer;
diagnostics that need one say nothing without it. Of `outputs`, a list in place of `output`, any is right. `prelude` is
source put before each program. The canary is text that stands nowhere but beside the hidden tests. `seconds` are of
processor time, for one execution.

A row of a public set is put into this form first.

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
from keyword import iskeyword
from typing import Any

from evotrainer.domains.problem_sets.files import JsonError, read_json
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

DEFAULT_SECONDS, MIN_SECONDS, MAX_SECONDS = 2.0, 0.1, 60.0

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

_WANTED = (
    "id, problem and hidden, question and input_output (TACO, APPS), question_content and private_test_cases "
    "(LiveCodeBench), description and private_tests (CodeContests), or prompt and reward_model.ground_truth (verl)"
)
_SECONDS = re.compile(r"(?:\d+(?:\.\d+)?\s*-\s*)?(\d+(?:\.\d+)?)\s*(?:s|secs?|seconds?)?\.?", re.IGNORECASE)
"""A number of seconds, or the longest of a range ("0.5 - 1 seconds")."""

Values = dict[str, Any]


def parse_row(values: Values, place: str) -> Row:
    """Return the row; raises DataError for a missing, empty or mistyped key."""
    for key, own_form in _STYLES.items():
        if key in values:
            return _row(own_form(values, place), place)
    if "hidden" not in values and "id" not in values:
        raise unknown_columns(values, _WANTED, "question=KEY,input_output=KEY", place)
    return _row(values, place)


def _row(values: Values, place: str) -> Row:
    """Return the row of values in our own form."""
    function, problem = _function(values.get("function"), place), text_of(values, "problem", place)
    data = {
        "function": function,
        "visible": _tests(values, "visible", function, place),
        "hidden": _tests(values, "hidden", function, place),
        "prelude": _text(values, "prelude", place),
        "canary": _text(values, "canary", place),
        "seconds": _seconds(values.get("seconds"), place),
    }
    if not data["hidden"]:
        raise DataError(f"{place}: 'hidden' is missing or empty: a problem needs hidden tests")
    name, answer = text_of(values, "id", place), _text(values, "reference", place)
    return Row(name, problem, answer, family_of(values, place), difficulty_of(values, place), data, identity=problem)


def _tests(values: Values, key: str, function: str | None, place: str) -> list[Values]:
    listed = values.get(key) or []
    if not (isinstance(listed, list) and all(isinstance(test, dict) for test in listed)):
        raise DataError(f"{place}: '{key}' must be a list of tests, found {json.dumps(listed)[:40]}")
    return [_test(test, key, function, place) for test in listed]


def _test(test: Values, key: str, function: str | None, place: str) -> Values:
    given, outputs = test.get("input"), test["outputs"] if "outputs" in test else [test.get("output")]
    if test.keys() not in ({"input", "output"}, {"input", "outputs"}) or not isinstance(outputs, list):
        raise DataError(f"{place}: a test of '{key}' needs input and output alone, found {', '.join(test) or '{}'}")
    if function is None and not all(isinstance(text, str) for text in (given, *outputs)):
        raise DataError(
            f"{place}: a test's input and output must be texts, since no function is named: {_short(given)}"
        )
    if function is not None and not isinstance(given, list):
        raise DataError(f"{place}: a test's input must be a list of arguments for '{function}': {_short(given)}")
    return {"input": given, "outputs": outputs}


def _text(values: Values, key: str, place: str) -> str:
    value = values.get(key) or ""
    if not isinstance(value, str):
        raise DataError(f"{place}: '{key}' must be text, found {json.dumps(value)[:40]}")
    return value


def _seconds(limit: Any, place: str) -> float:
    if limit is None or limit == "":
        return DEFAULT_SECONDS
    found = _SECONDS.fullmatch(str(limit).strip())
    if found is None or not 0 < float(found[1]) < math.inf:
        raise DataError(f"{place}: a time limit must be seconds above 0, like 2.0, found {str(limit)[:40]!r}")
    return min(max(float(found[1]), MIN_SECONDS), MAX_SECONDS)


def _function(value: Any, place: str) -> str | None:
    """Return the function that a row names, `f` or `Class.method`; None where it names none."""
    if value is None or value == "":
        return None
    parts = value.split(".") if isinstance(value, str) else []
    if not 1 <= len(parts) <= 2 or not all(part.isidentifier() and not iskeyword(part) for part in parts):
        raise DataError(f"{place}: 'function' must be the name of a function, f or Class.method, found {_short(value)}")
    return value


def _head(values: Values, statement: str, ids: tuple[str, ...], function: Any, family: Any, place: str) -> Values:
    """Return what rows of public sets have in common, in our own form. `function` is what their tests call."""
    text, starter = text_of(values, statement, place), _text(values, "starter_code", place)
    if starter.strip():
        problem = f"{text}\n\nComplete this code:\n\n{starter.rstrip()}"
    elif function:
        problem = f"{text}\n\nWrite a function named {function}."
    else:
        problem = f"{text}\n\nRead from standard input and print to standard output."
    is_method = function and "class Solution" in starter and "." not in str(function)
    return {
        "id": id_of(values, ids, text, place),
        "problem": problem,
        "function": f"Solution.{function}" if is_method else function,
        "family": values.get("family", str(family)),
        "difficulty": _difficulty(values.get("difficulty") or "unknown_difficulty", place),
        "prelude": PRELUDE,
    }


def _difficulty(word: Any, place: str) -> float:
    if not isinstance(word, str) or word.lower() not in DIFFICULTIES:
        raise DataError(f"{place}: 'difficulty' is {_short(word)}: one of {', '.join(DIFFICULTIES)} is known")
    return DIFFICULTIES[word.lower()]


def _of_taco(values: Values, place: str) -> Values:
    tests = _json(values["input_output"] or "null", "input_output", place)
    inputs, outputs = (tests.get("inputs"), tests.get("outputs")) if isinstance(tests, dict) else (None, None)
    if not (isinstance(inputs, list) and isinstance(outputs, list) and inputs and len(inputs) == len(outputs)):
        raise DataError(f"{place}: 'input_output' needs inputs and outputs, two lists of one length, not empty")
    solutions = _json(values.get("solutions") or [], "solutions", place)
    if not isinstance(solutions, list):
        raise DataError(f"{place}: 'solutions' must hold a list of programs")
    function = tests.get("fn_name")
    if not function:
        inputs, accepted = map(_joined, inputs), [[_joined(output)] for output in outputs]
    elif all(isinstance(output, list) and len(output) == 1 for output in outputs):
        accepted = [[output[0], output] for output in outputs]
    else:
        accepted = [[output] for output in outputs]
    return _head(values, "question", ("id", "problem_id"), function, values.get("source") or "taco", place) | {
        "hidden": [{"input": given, "outputs": values} for given, values in zip(inputs, accepted, strict=True)],
        "reference": solutions[0] if solutions else "",
        "seconds": values.get("time_limit"),
    }


def _joined(value: Any) -> Any:
    is_lines = isinstance(value, list) and all(isinstance(line, str) for line in value)
    return "\n".join(value) if is_lines else value


def _of_verl(values: Values, place: str) -> Values:
    """The ground truth of verl's code data is TACO's object of inputs and outputs."""
    truth, (question, _) = values["reward_model"], prompt_of(values, "prompt", place)
    if not isinstance(truth, dict) or not truth.get("ground_truth"):
        raise DataError(f"{place}: 'reward_model' must hold ground_truth, as verl's data has it")
    source = values.get("data_source")
    return _of_taco({"question": question, "input_output": truth["ground_truth"], "source": source}, place)


MAX_TEXT_BYTES = 512 * 1024**2
"""Of the private tests of one problem, unpacked."""
_PICKLE_MARK = 0x80


def _of_livecodebench(values: Values, place: str) -> Values:
    metadata = _json(values.get("metadata") or {}, "metadata", place)
    function = metadata.get("func_name") if isinstance(metadata, dict) else None
    family = values.get("platform") or "livecodebench"
    return _head(values, "question_content", ("question_id",), function, family, place) | {
        "hidden": _cases(values, "private_test_cases", function, place),
        "visible": _cases(values, "public_test_cases", function, place),
    }


def _cases(values: Values, key: str, function: Any, place: str) -> list[Values]:
    listed = _unpacked(values.get(key) or [], key, place)
    if not (
        isinstance(listed, list)
        and all(isinstance(case, dict) and {"input", "output"} <= case.keys() for case in listed)
    ):
        raise DataError(f"{place}: '{key}' must hold a list of tests, each with input and output")
    for case in listed:
        if bool(function) != (case.get("testtype", "functional" if function else "stdin") == "functional"):
            raise DataError(f"{place}: '{key}' has a {case['testtype']} test, and metadata.func_name is {function!r}")
    if not function:
        return [{"input": case["input"], "output": case["output"]} for case in listed]
    lines = [str(case["input"]).split("\n") for case in listed]
    return [
        {"input": [_json(line, key, place) for line in given], "output": _json(case["output"], key, place)}
        for given, case in zip(lines, listed, strict=True)
    ]


def _unpacked(text: Any, key: str, place: str) -> Any:
    """Return tests, whichever way they are packed."""
    if not isinstance(text, str) or text.lstrip().startswith("["):
        return _json(text, key, place)
    try:
        unpacker = zlib.decompressobj()
        data = unpacker.decompress(base64.b64decode(text, validate=True), MAX_TEXT_BYTES)
    except (binascii.Error, zlib.error, ValueError) as error:
        raise DataError(f"{place}: '{key}' is neither JSON nor base64 of zlib of JSON: {error}") from None
    if data[:1] == bytes([_PICKLE_MARK]):
        raise DataError(f"{place}: '{key}' is packed with pickle, which runs code when read: store it as JSON text")
    if unpacker.unconsumed_tail:
        raise DataError(f"{place}: '{key}' is over {MAX_TEXT_BYTES} bytes unpacked")
    return _json(data.decode("utf-8", "replace"), key, place)


PYTHON3 = 3
"""Of the enumeration of languages."""
MAX_RATING = 3500
"""Codeforces' rating of the hardest problems; a rating's share of it is the difficulty."""
_SOURCES = {1: "codechef", 2: "codeforces", 3: "hackerearth", 4: "codejam", 5: "atcoder", 6: "aizu"}


def _of_codecontests(values: Values, place: str) -> Values:
    if values.get("input_file") or values.get("output_file"):
        raise DataError(f"{place}: 'input_file' names a file: programs read standard input and print")
    source = _SOURCES.get(values.get("source") or 0, "codecontests")
    own = _head({**values, "difficulty": None}, "description", ("name",), None, source, place)
    rating, limit, solutions = (values.get(key) for key in ("cf_rating", "time_limit", "solutions"))
    if isinstance(rating, int | float) and 0 < rating <= MAX_RATING:
        own["difficulty"] = rating / MAX_RATING
    if isinstance(limit, dict):
        own["seconds"] = (limit.get("seconds") or 0) + (limit.get("nanos") or 0) / 1e9 or None
    if isinstance(solutions, dict):
        pairs = zip(solutions.get("language") or [], solutions.get("solution") or [], strict=False)
        own["reference"] = next((text for language, text in pairs if language == PYTHON3), "")
    public, private, generated = (_pairs(values, f"{name}_tests", place) for name in ("public", "private", "generated"))
    return own | {"visible": public, "hidden": private + generated}


def _pairs(values: Values, key: str, place: str) -> list[Values]:
    found = values.get(key) or {"input": [], "output": []}
    given, outputs = (found.get("input"), found.get("output")) if isinstance(found, dict) else (None, None)
    if not isinstance(given, list) or not isinstance(outputs, list) or len(given) != len(outputs):
        raise DataError(f"{place}: '{key}' must hold input and output, two lists of one length")
    return [{"input": text, "output": output} for text, output in zip(given, outputs, strict=True)]


def _json(text: Any, key: str, place: str) -> Any:
    """Return the value of JSON text, or of what is no text as it is; raises DataError naming the key."""
    if not isinstance(text, str):
        return text
    try:
        return read_json(text)
    except JsonError as error:
        raise DataError(f"{place}: '{key}' {error}") from None


def _short(value: Any) -> str:
    return json.dumps(value)[:60]


_STYLES = {
    "question_content": _of_livecodebench,
    "input_output": _of_taco,
    "private_tests": _of_codecontests,
    "reward_model": _of_verl,
}
"""A key of a public set to what puts its rows into our own form."""
