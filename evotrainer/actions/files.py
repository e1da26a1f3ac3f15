"""Paths that calls write: relative to the repository, and whether they decide the result of a test run."""

import fnmatch
import posixpath
import re
from collections.abc import Sequence
from functools import lru_cache

from evotrainer.actions.table import Table


class RepositoryFiles:
    """Rules of the table for paths."""

    def __init__(self, table: Table) -> None:
        self._roots = [root.strip("/").split("/") for root in table.roots]
        self._tests = _any_of(table.test_files)
        self._settings = _any_of(table.test_settings)
        self.path = lru_cache(maxsize=8192)(self._path)

    def decides_tests(self, path: str, *, speaks_of_tests: bool = False) -> bool:
        """Tell whether a file's contents decide the result of a test run."""
        return bool(self._tests.match(path) or (speaks_of_tests and self._settings.match(path)))

    def _path(self, path: str) -> str:
        """Return a path in normal form, relative to the checkout."""
        normal = posixpath.normpath(path)
        if not normal.startswith("/"):
            return normal
        parts = normal.lstrip("/").split("/")
        for root in self._roots:
            if len(parts) > len(root) and all(map(fnmatch.fnmatchcase, parts, root)):
                return "/".join(parts[len(root) :])
        return normal


def _any_of(patterns: Sequence[str]) -> re.Pattern[str]:
    """Return the pattern of paths below one of the directories (`name/`), or with a name like one of the others."""
    parts = [
        rf"(?:.*/)?{re.escape(pattern)}.*" if pattern.endswith("/") else rf"(?:.*/)?(?!.*/){fnmatch.translate(pattern)}"
        for pattern in patterns
    ]
    return re.compile("|".join(f"(?:{part})" for part in parts) or r"(?!)", re.DOTALL)
