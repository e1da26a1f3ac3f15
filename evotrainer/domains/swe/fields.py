"""Reading and checking the keys of a repository row: files, commits, test ids, patches, packages.

A row may name a folder of installed packages, what its repository needs beside our own environment:

    {"packages": "packages/astropy-5", ...}     made by: pip install --target packages/astropy-5 -r requirements.txt

It stands first on the import path of the row's test runs, which may read it and not write. So two rows may need two
versions of one package. A container image brings an interpreter of its own, which the sandbox cannot fork: of an
unpacked image its site-packages can be named, where they are of our version of Python. pytest is ours, since the
runner watches it from within.

What makes two repository problems near-duplicates is the change that solves them, names aside: the gold patch's lines
with their context, without file names and places, and with every name of the code replaced by its order of appearance,
but for keywords, built-ins and attributes. Renaming a repository changes nothing of it; an issue in other words, or
other files around, neither.
"""

import builtins
import json
import keyword
import re
import sys
from functools import cache
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path, PurePosixPath
from typing import Any

from evotrainer.domains.problem_sets.files import JsonError, read_json
from evotrainer.domains.problem_sets.rows import text_of
from evotrainer.domains.swe.runners import RUNNERS
from evotrainer.errors import DataError


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


PACKAGES = "packages"
_VERSIONED = ".cpython-"
_OURS = ("pytest", "_pytest", "pluggy")


def packages_of(values: dict[str, Any], place: str) -> dict[str, str]:
    """Return {"packages": absolute path} of a row that names one, else nothing; raises DataError for an unfit one."""
    if PACKAGES not in values:
        return {}
    folder = (Path(place.rpartition(":")[0]).parent / text_of(values, PACKAGES, place)).resolve()
    if fault := _fault(folder):
        raise DataError(f"{place}: {fault}")
    return {PACKAGES: str(folder)}


@cache
def _fault(folder: Path) -> str:
    """Return why a folder of packages does not serve, or nothing."""
    if not folder.is_dir():
        return f"'{PACKAGES}' names no folder: {folder}"
    if ours := [name for name in _OURS if (folder / name).is_dir()]:
        return f"{folder} holds {ours[0]}: take it out, tests run under EvoTrainer's own"
    if other := next((path for path in folder.rglob("*.so") if not _fits(path)), None):
        version = f"{sys.version_info.major}.{sys.version_info.minor}"
        return f"{other} is of another Python than {version}: install the packages with {version}"
    return ""


def _fits(path: Path) -> bool:
    """Return whether a shared library is of no version of Python, or of ours."""
    ours = tuple(suffix for suffix in EXTENSION_SUFFIXES if _VERSIONED in suffix)
    return _VERSIONED not in path.name or path.name.endswith(ours)


_NAME = re.compile(r"(?<![\w.])[A-Za-z_]\w*")
_HEADERS = (
    "diff ",
    "index ",
    "--- ",
    "+++ ",
    "@@",
    "new file",
    "deleted file",
    "similarity ",
    "rename ",
    "old mode",
    "new mode",
)
_KEPT = {*keyword.kwlist, *dir(builtins)}


def identity_of(patch: str) -> str:
    """Return the canonical text of a unified diff."""
    lines = [line for line in patch.splitlines() if not line.startswith(_HEADERS)]
    code = [line for line in lines if not is_prose(line)]
    names = {name: f"name{place}" for place, name in enumerate(_names(code))}
    return "\n".join(_NAME.sub(lambda match: names.get(match.group(), match.group()), line) for line in lines)


def is_prose(line: str) -> bool:
    """Tell whether a line is part of a docstring or a comment, as far as one line shows."""
    text = line[1:].strip()
    return text.startswith(('"""', "'''", "#"))


def _names(lines: list[str]) -> list[str]:
    found = [name for line in lines for name in _NAME.findall(line) if name not in _KEPT]
    return list(dict.fromkeys(found))
