"""Reading and checking the keys of a repository row: files, commits, test ids, patches."""

import json
from pathlib import PurePosixPath
from typing import Any

from evotrainer.domains.problem_sets.json_text import JsonError, read_json
from evotrainer.domains.problem_sets.rows import text_of
from evotrainer.errors import DataError

RUNNERS = ("light", "pytest")


def files_of(values: dict[str, Any], key: str, place: str) -> dict[str, str]:
    """Return {path: text}, empty where the key is missing; raises DataError for anything else."""
    files = values.get(key, {})
    if not isinstance(files, dict):
        raise DataError(f"{place}: '{key}' must be an object of path and text, found {_shown(files)}")
    for path, text in files.items():
        _check_path(path, key, place)
        if not isinstance(text, str):
            raise DataError(f"{place}: '{key}' gives {path} no text, found {_shown(text)}")
    return files


def commits_of(values: dict[str, Any], key: str, place: str) -> list[dict[str, Any]]:
    """Return [{message, changes: {path: text or null}}], oldest first, empty where the key is missing."""
    commits = values.get(key, [])
    if not isinstance(commits, list):
        raise DataError(f"{place}: '{key}' must be a list of commits, found {_shown(commits)}")
    known: set[str] = set(values.get("files", {})) if key == "future" else set()
    if key == "future":
        known |= {path for commit in values.get("history", []) for path in commit["changes"]}
    for number, commit in enumerate(commits, start=1):
        _check_commit(commit, f"{place}: '{key}' commit {number}", known)
    return commits


def node_ids_of(values: dict[str, Any], key: str, place: str) -> list[str]:
    """Return test ids (path::test), given as a list or as a list in JSON text; empty where the key is missing."""
    ids = values.get(key, [])
    if isinstance(ids, str):
        try:
            ids = read_json(ids)
        except JsonError as error:
            raise DataError(f"{place}: '{key}' is text, but no JSON list: it {error}") from None
    if not isinstance(ids, list) or not all(isinstance(name, str) for name in ids):
        raise DataError(f"{place}: '{key}' must be a list of test ids, found {_shown(ids)}")
    for name in ids:
        if "::" not in name or not name.split("::")[0].endswith(".py"):
            raise DataError(f"{place}: '{key}' has '{name[:60]}': give ids as pytest does, tests/test_x.py::test_y")
    return ids


def patch_of(values: dict[str, Any], key: str, place: str) -> str:
    """Return a unified diff as it stands: its last lines may be blank, and count."""
    text_of(values, key, place)
    patch = str(values[key])
    if "\n+++ " not in f"\n{patch}" or "\n@@ " not in patch:
        raise DataError(f"{place}: '{key}' must be a unified diff with its file names, as `git diff` writes it")
    return patch if patch.endswith("\n") else f"{patch}\n"


def runner_of(values: dict[str, Any], place: str) -> str:
    """Return the runner of the tests, pytest unless given."""
    runner = values.get("test_runner", "pytest")
    if runner not in RUNNERS:
        raise DataError(f"{place}: 'test_runner' must be {' or '.join(RUNNERS)}, found {_shown(runner)}")
    return runner


def _check_commit(commit: Any, what: str, known: set[str]) -> None:
    """Check one commit and add the paths that it leaves to `known`."""
    if not isinstance(commit, dict) or not isinstance(commit.get("changes"), dict):
        raise DataError(f"{what} must have 'message' and 'changes', found {_shown(commit)}")
    if not isinstance(commit.get("message"), str) or not commit["message"].strip():
        raise DataError(f"{what} has no message")
    for path, text in commit["changes"].items():
        _check_path(path, "changes", what)
        if text is None and path not in known:
            raise DataError(f"{what} removes {path}, which is not there")
        if text is not None and not isinstance(text, str):
            raise DataError(f"{what} gives {path} no text, found {_shown(text)}")
        (known.discard if text is None else known.add)(path)


def _check_path(path: str, key: str, place: str) -> None:
    pure = PurePosixPath(path)
    if not pure.parts or pure.is_absolute() or ".." in pure.parts or ".git" in pure.parts or str(pure) != path:
        raise DataError(f"{place}: '{key}' has path '{path}': it must lie in the repository, as git writes it")


def _shown(value: Any) -> str:
    return json.dumps(value)[:40]
