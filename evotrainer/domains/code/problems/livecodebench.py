"""Rows in the style of LiveCodeBench (arXiv 2403.07974; lcb_runner/benchmarks/code_generation.py names the keys).

`public_test_cases` and `private_test_cases` are JSON text with a list of {"input", "output", "testtype"}; the private
ones may be that text compressed by zlib and written in base64. For functions an input has one JSON argument a line,
and `metadata.func_name` names the method of a class Solution. What is packed with pickle is refused: reading it would
run whatever it holds.
"""

import base64
import binascii
import zlib
from typing import Any

from evotrainer.domains.code.problems.record import HeadKeys, Test, make_test, parse_json, public_head
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.errors import DataError

MAX_TEXT_BYTES = 512 * 1024**2
"""Of the private tests of one problem, unpacked."""

_KEYS = HeadKeys("livecodebench", "question_content", ("question_id",), "func_name", "platform")
_PICKLE_MARK = 0x80


def parse_livecodebench(values: dict[str, Any], place: str) -> Row:
    """Return the row of one LiveCodeBench problem; raises DataError naming the key that cannot be used."""
    metadata = parse_json(values.get("metadata") or {}, "metadata", place)
    given = metadata.get("func_name") if isinstance(metadata, dict) else None
    head = public_head(values, place, keys=_KEYS, function=given)
    public = parse_json(values.get("public_test_cases") or [], "public_test_cases", place)
    private = _unpacked(values.get("private_test_cases") or [], place)
    hidden = _tests(private, "private_test_cases", head.function, place)
    visible = _tests(public, "public_test_cases", head.function, place)
    if not hidden:
        raise DataError(f"{place}: 'private_test_cases' is empty: a problem needs hidden tests")
    return head.row(visible, hidden)


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


def _tests(listed: Any, key: str, function: str | None, place: str) -> list[Test]:
    if not (
        isinstance(listed, list)
        and all(isinstance(test, dict) and {"input", "output"} <= test.keys() for test in listed)
    ):
        raise DataError(f"{place}: '{key}' must hold a list of tests, each with input and output")
    return [_test(test, key, function, place) for test in listed]


def _test(test: dict[str, Any], key: str, function: str | None, place: str) -> Test:
    given, output = test["input"], test["output"]
    is_called = test.get("testtype", "functional" if function else "stdin") == "functional"
    if is_called != (function is not None):
        raise DataError(f"{place}: '{key}' has a {test.get('testtype')} test, and metadata.func_name is {function!r}")
    if function is None:
        return make_test(given, [output], None, place)
    arguments = [parse_json(line, key, place) for line in str(given).split("\n")]
    return make_test(arguments, [parse_json(output, key, place)], function, place)
