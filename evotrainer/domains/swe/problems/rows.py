"""A line of a swe file: a repository within the row, or, as SWE-bench publishes them, one on disk (benchmark_rows.py).

A row with its repository has `id`, `problem` (the issue), `answer` (the gold patch), `files` or `history` or both,
`hidden_tests`, `fail_to_pass`, and if wanted `future`, `pass_to_pass`, `test_runner`, `family`, `difficulty`; other
keys are kept. Without `files` they are the sum of the history, without `history` there is one commit of all files.
"""

from typing import Any

from evotrainer.domains.problem_sets.rows import Row, difficulty_of, family_of, text_of
from evotrainer.domains.swe.problems.benchmark_rows import is_benchmark_row, parse_benchmark_row
from evotrainer.domains.swe.problems.fields import commits_of, files_of, node_ids_of, patch_of, runner_of
from evotrainer.domains.swe.problems.identity import identity_of
from evotrainer.domains.swe.problems.packages import PACKAGES, packages_of
from evotrainer.errors import DataError

FIRST_MESSAGE = "Initial commit"
_COMMON_KEYS = {"id", "problem", "answer", "family", "difficulty"}


def parse_row(values: dict[str, Any], place: str) -> Row:
    """Return the row; raises DataError that names the place of a missing, empty or mistyped key."""
    if is_benchmark_row(values):
        return parse_benchmark_row(values, place)
    answer = patch_of(values, "answer", place)
    return Row(
        row_id=text_of(values, "id", place),
        problem=text_of(values, "problem", place),
        answer=answer,
        family=family_of(values, place),
        difficulty=difficulty_of(values, place),
        data=_repository(values, place),
        identity=identity_of(answer),
    )


def tree_of(history: list[dict[str, Any]]) -> dict[str, str]:
    """Return the files after a list of commits, path -> text; a change to null removes the file."""
    tree: dict[str, str] = {}
    for commit in history:
        tree.update(commit["changes"])
        for path in [path for path, text in commit["changes"].items() if text is None]:
            del tree[path]
    return tree


def _repository(values: dict[str, Any], place: str) -> dict[str, Any]:
    if "files" not in values and "history" not in values:
        raise DataError(f"{place}: give the repository as 'files' or 'history', or as 'repository' and 'base_commit'")
    history = commits_of(values, "history", place)
    files = files_of(values, "files", place) if "files" in values else tree_of(history)
    if history and tree_of(history) != files:
        raise DataError(f"{place}: 'history' does not lead to 'files': leave one of them out, or mend it")
    hidden = files_of(values, "hidden_tests", place)
    fail_to_pass = node_ids_of(values, "fail_to_pass", place)
    if not fail_to_pass:
        raise DataError(f"{place}: 'fail_to_pass' is empty: name a test that the bug fails")
    pass_to_pass = node_ids_of(values, "pass_to_pass", place)
    _check_tests_exist([*fail_to_pass, *pass_to_pass], {*files, *hidden}, place)
    kept = {key: value for key, value in values.items() if key not in _COMMON_KEYS}
    if PACKAGES in values and runner_of(values, place) != "pytest":
        raise DataError(f'{place}: \'{PACKAGES}\' needs "test_runner": "pytest": light imports nothing installed')
    return {
        **kept,
        **packages_of(values, place),
        "files": files,
        "history": history or [{"message": FIRST_MESSAGE, "changes": files}],
        "future": commits_of(values, "future", place),
        "hidden_tests": hidden,
        "fail_to_pass": fail_to_pass,
        "pass_to_pass": pass_to_pass,
        "test_runner": runner_of(values, place),
    }


def _check_tests_exist(node_ids: list[str], paths: set[str], place: str) -> None:
    for node_id in node_ids:
        if node_id.split("::")[0] not in paths:
            raise DataError(f"{place}: test '{node_id}' stands in no file of 'hidden_tests' or of the repository")
