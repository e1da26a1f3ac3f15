"""Rows in the style of CodeContests (arXiv 2203.07814; its contest_problem.proto names the keys).

`public_tests`, `private_tests` and `generated_tests` each hold `input` and `output`, two lists of texts; the last two
are the hidden tests. `solutions` holds `language`, a number, and `solution`; the first in Python 3 is the reference. A
problem with files for input or output is refused. `time_limit` is seconds and nanos.
"""

from dataclasses import replace
from typing import Any

from evotrainer.domains.code.problems.record import DEFAULT_SECONDS, HeadKeys, Test, make_test, public_head
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.errors import DataError

PYTHON3 = 3
"""Of the enumeration of languages."""
MAX_RATING = 3500
"""Codeforces' rating of the hardest problems; a rating's share of it is the difficulty."""

_KEYS = HeadKeys("codecontests", "description", ("name",), "function", "source")
_SOURCES = {1: "codechef", 2: "codeforces", 3: "hackerearth", 4: "codejam", 5: "atcoder", 6: "aizu"}


def parse_codecontests(values: dict[str, Any], place: str) -> Row:
    """Return the row of one problem; raises DataError naming the key that cannot be used."""
    if values.get("input_file") or values.get("output_file"):
        raise DataError(f"{place}: 'input_file' names a file: programs read standard input and print")
    source = _SOURCES.get(values.get("source") or 0, "codecontests")
    head = public_head({**values, "source": source, "difficulty": None}, place, keys=_KEYS)
    hidden = _tests(values, "private_tests", place) + _tests(values, "generated_tests", place)
    if not hidden:
        raise DataError(f"{place}: 'private_tests' and 'generated_tests' are empty: a problem needs hidden tests")
    row = head.row(_tests(values, "public_tests", place), hidden, _reference(values), _seconds(values))
    rating = values.get("cf_rating")
    is_rated = isinstance(rating, int | float) and 0 < rating <= MAX_RATING
    return replace(row, difficulty=rating / MAX_RATING) if is_rated and rating else row


def _tests(values: dict[str, Any], key: str, place: str) -> list[Test]:
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


def _seconds(values: dict[str, Any]) -> float:
    limit = values.get("time_limit")
    if not isinstance(limit, dict):
        return DEFAULT_SECONDS
    seconds = (limit.get("seconds") or 0) + (limit.get("nanos") or 0) / 1e9
    return seconds if seconds > 0 else DEFAULT_SECONDS
