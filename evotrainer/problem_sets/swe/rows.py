"""A line of a swe file: a repository within the row, or, as SWE-bench publishes them, a repository on disk.

Own rows: `id`, `problem` (the issue), `answer` (the gold patch), `history`, `hidden_tests`, `fail_to_pass`, and if
wanted `files` (else the sum of the history), `future`, `pass_to_pass`, `test_runner`, `family`, `difficulty`; other
keys are kept.
"""

from typing import Any

from evotrainer.errors import DataError
from evotrainer.problem_sets.rows import Row, difficulty_of, family_of, text_of
from evotrainer.problem_sets.swe.identity import identity_of

_KNOWN_KEYS = {"id", "problem", "answer", "family", "difficulty"}
RUNNERS = ("light", "pytest")


def parse_row(values: dict[str, Any], place: str) -> Row:
    """Return the row; raises DataError for a missing, empty or mistyped key."""
    problem, answer = text_of(values, "problem", place), text_of(values, "answer", place)
    return Row(
        row_id=text_of(values, "id", place),
        problem=problem,
        answer=f"{answer}\n",
        family=family_of(values, place),
        difficulty=difficulty_of(values, place),
        data=_repository(values, place),
        identity=identity_of(answer),
    )


def _repository(values: dict[str, Any], place: str) -> dict[str, Any]:
    data = {key: value for key, value in values.items() if key not in _KNOWN_KEYS}
    for key in ("hidden_tests", "fail_to_pass"):
        if not data.get(key):
            raise DataError(f"{place}: '{key}' is missing or empty")
    if "files" not in data and "history" not in data:
        raise DataError(f"{place}: give the repository as 'files' or as 'history'")
    data.setdefault("files", tree_of(data.get("history", [])))
    data.setdefault("history", [{"message": "Start", "changes": data["files"]}])
    data = {"future": [], "pass_to_pass": [], "test_runner": "pytest", **data}
    if data["test_runner"] not in RUNNERS:
        raise DataError(f"{place}: 'test_runner' must be one of {', '.join(RUNNERS)}, found {data['test_runner']}")
    return data


def tree_of(history: list[dict[str, Any]]) -> dict[str, str]:
    """Return the files after a list of commits, {path: text}; a change to null removes the file."""
    tree: dict[str, str] = {}
    for commit in history:
        for path, text in commit["changes"].items():
            if text is None:
                tree.pop(path, None)
            else:
                tree[path] = text
    return tree
