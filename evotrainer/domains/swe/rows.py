"""A line of a swe file: a repository within the row, or, as SWE-bench publishes them, one on disk.

A row with its repository has `id`, `problem` (the issue), `answer` (the gold patch), `files` or `history` or both,
`hidden_tests`, `fail_to_pass`, and if wanted `future`, `pass_to_pass`, `test_runner`, `family`, `difficulty`; other
keys are kept. Without `files` they are the sum of the history, without `history` there is one commit of all files.

Rows of SWE-bench, SWE-bench Verified and SWE-rebench name a git clone on disk:

    instance_id        repo             base_commit   problem_statement   patch        test_patch
    FAIL_TO_PASS       PASS_TO_PASS     version       hints_text          created_at   environment_setup_commit

The two lists come as JSON text (SWE-bench) or as lists (SWE-rebench, which adds `install_config`). The clone, bare
or not, is looked for at `repository`, relative to the data file, else under the folder that a person names, else in
repositories/ beside the data file: as owner__name, owner/name or name, with or without .git. The hints
were written after the issue and often hold the answer: they are kept in the data and never shown. Tests run under
pytest of our own environment: ids of other test runners are refused, and what a repository needs must be installed
there, or in the folder that `packages` names (fields.py).

Sources: SWE-bench (Jimenez et al. 2024) and SWE-rebench (Badertdinov et al. 2025), their data cards.
"""

import re
from pathlib import Path
from typing import Any

from evotrainer.domains.problem_sets.rows import REPOSITORIES, Row, difficulty_of, family_of, text_of
from evotrainer.domains.swe.checkout.repository import FIRST_MESSAGE
from evotrainer.domains.swe.fields import (
    PACKAGES,
    commits_of,
    files_of,
    identity_of,
    node_ids_of,
    packages_of,
    patch_of,
    runner_of,
)
from evotrainer.errors import DataError

IMAGES = ("docker_image", "image_name", "dockerhub_tag", "image")
"""Keys by which sets name a container image for each problem."""
DIFFICULTIES = {"<15 min fix": 0.1, "15 min - 1 hour": 0.4, "1-4 hours": 0.7, ">4 hours": 1.0}
"""SWE-bench Verified's estimates of a person's time; other values are kept in the data only."""

_COMMIT = re.compile(r"[0-9a-f]{7,40}")
_READ_KEYS = {
    "instance_id",
    "problem_statement",
    "patch",
    "FAIL_TO_PASS",
    "PASS_TO_PASS",
    "family",
    REPOSITORIES,
    PACKAGES,
}


def is_benchmark_row(values: dict[str, Any]) -> bool:
    """Tell whether a row has the keys of SWE-bench."""
    return "instance_id" in values


def parse_benchmark_row(values: dict[str, Any], place: str) -> Row:
    """Return the row; raises DataError with the place of what is missing or wrong, the repository included."""
    problem, answer = text_of(values, "problem_statement", place), patch_of(values, "patch", place)
    return Row(
        row_id=text_of(values, "instance_id", place),
        problem=problem,
        answer=answer,
        family=text_of(values, "family" if "family" in values else "repo", place),
        difficulty=_difficulty(values),
        data=_data(values, place),
        identity=f"{problem}\n{identity_of(answer)}",
    )


def anchored(values: dict[str, Any], place: str) -> dict[str, Any]:
    """Return a row's values with the places of repository and packages made absolute: the row may then be moved."""
    if not is_benchmark_row(values):
        return {**values, **packages_of(values, place)}
    kept = {key: value for key, value in values.items() if key != REPOSITORIES}
    return kept | {"repository": str(_find_repository(values, place)), **packages_of(values, place)}


def _data(values: dict[str, Any], place: str) -> dict[str, Any]:
    fail_to_pass = node_ids_of(values, "FAIL_TO_PASS", place)
    if not fail_to_pass:
        raise DataError(f"{place}: 'FAIL_TO_PASS' is missing or empty: name a test that the bug fails")
    commit = text_of(values, "base_commit", place)
    if not _COMMIT.fullmatch(commit):
        raise DataError(f"{place}: 'base_commit' must be a commit id, found '{commit[:40]}'")
    return {
        **{key: value for key, value in values.items() if key not in _READ_KEYS},
        "repository": str(_find_repository(values, place)),
        **packages_of(values, place),
        "base_commit": commit,
        "test_patch": patch_of(values, "test_patch", place),
        "hidden_tests": {},
        "fail_to_pass": fail_to_pass,
        "pass_to_pass": node_ids_of(values, "PASS_TO_PASS", place),
        "test_runner": "pytest",
    }


def _find_repository(values: dict[str, Any], place: str) -> Path:
    folder = Path(place.rpartition(":")[0]).parent
    if "repository" in values:
        candidates = [folder / text_of(values, "repository", place)]
    else:
        home = Path(values.get(REPOSITORIES) or folder / REPOSITORIES)
        repo = text_of(values, "repo", place)
        names = [repo.replace("/", "__"), repo, repo.rpartition("/")[2]]
        candidates = [home / f"{name}{ending}" for name in names for ending in ("", ".git")]
    path = next((candidate for candidate in candidates if candidate.exists()), None)
    if path is None:
        raise DataError(f"{place}: no repository at {candidates[0]}: {_advice(values)}")
    if not (path / ".git").exists() and not (path / "HEAD").is_file():
        raise DataError(f"{place}: {path} is no git repository: clone it, a copy of its files has no commits")
    return path.resolve()


def _advice(values: dict[str, Any]) -> str:
    image = next((key for key in IMAGES if values.get(key)), None)
    if image is None:
        return "clone it there, or name its place in 'repository'"
    return (
        f"'{image}' names a container image, and images are not run; supported is a local clone (--repos DIR, in a "
        "campaign domain.repositories) whose requirements are installed beside EvoTrainer, or in the folder 'packages'"
    )


def _difficulty(values: dict[str, Any]) -> float:
    given = values.get("difficulty")
    return DIFFICULTIES.get(given, 0.0) if isinstance(given, str) else 0.0


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
