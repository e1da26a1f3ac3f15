"""Paths that calls write: relative to the repository, and whether they decide the result of a test run.

Patches are unified diffs and the form of apply_patch. Python is one-liners and heredocs, read by pattern and not run: a
path given as text. Code that writes to what it computes is an edit of unknown files.
"""

import fnmatch
import posixpath
import re
from collections.abc import Sequence
from functools import lru_cache

from evotrainer.actions.table import Table

_NAME_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+")


class RepositoryFiles:
    """Rules of the table for paths."""

    def __init__(self, table: Table) -> None:
        self._roots = [root.strip("/").split("/") for root in table.roots]
        self._tests = _any_of(table.test_files)
        self._steering = _any_of(table.test_steering)
        self._leftovers = _any_of(table.test_leftovers)
        self._words, self._suffixes = frozenset(table.test_words), frozenset(table.code_suffixes)
        self.path = lru_cache(maxsize=8192)(self._path)

    def decides_tests(self, path: str) -> bool:
        """Tell whether a file's contents decide the result of a test run."""
        if self._leftovers.match(path):
            return False
        return self._is_test(path) or self._steering.match(path) is not None

    def _is_test(self, path: str) -> bool:
        if self._tests.match(path):
            return True
        *folders, name = path.split("/")
        stem, _, suffix = name.rpartition(".")
        if name.endswith("*"):  # a pattern of names, whose ending is open
            stem = name
        elif not stem or suffix not in self._suffixes:
            return False
        words = [word.lower() for word in _NAME_WORD.findall(stem)]
        ends = {words[0], words[-1]} if words else set()
        return not self._words.isdisjoint(ends.union(folders))

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
    """Return the pattern of directories (`name/`) with all below them, and of paths whose name is like another one."""
    parts = [
        rf"(?:.*/)?{re.escape(pattern[:-1])}(?:/.*)?\Z"
        if pattern.endswith("/")
        else rf"(?:.*/)?(?!.*/){fnmatch.translate(pattern)}"
        for pattern in patterns
    ]
    return re.compile("|".join(f"(?:{part})" for part in parts) or r"(?!)", re.DOTALL)


_PATCHED = re.compile(
    r"^(?:\*\*\* (?:Add|Update|Delete) File: |\*\*\* Move to: |(?:\+\+\+|---) (?:[ab]/)?)(?!/dev/null)(\S[^\t\n]*)",
    re.MULTILINE,
)
_TEXT = r"""[rRfFbBuU]{0,2}(?:'([^'\n]*)'|"([^"\n]*)")"""
_WRITTEN = re.compile(
    rf"""\bopen\(\s*(?:{_TEXT}|[\w.]+)\s*,\s*(?:mode\s*=\s*)?['"][rbt]{{0,2}}[wax+]"""
    rf"""|(?:Path\(\s*(?:{_TEXT}|[\w.]+)\s*\)|\b[\w.]+)\.write_(?:text|bytes)\("""
)
_MAX_CHARS = 20_000


def patched_files(text: str) -> list[str]:
    """Return the paths that the patch writes, sorted."""
    return sorted({match[1].strip() for match in _PATCHED.finditer(text)})


def written_files(code: str) -> list[str] | None:
    """Return the paths that the code writes; None where it writes nothing, an empty list where that is unknown."""
    found = _WRITTEN.findall(code[:_MAX_CHARS])
    return sorted({path for paths in found for path in paths if path}) if found else None
