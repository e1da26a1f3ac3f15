"""The modules of this package that a source file imports, in turn or directly, with the hash of each.

A diagnostic is a few lines over shared definitions (a rate, a test, the list of behaviour columns). Its own text alone
does not define what it measures.
"""

import ast
import hashlib
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import NamedTuple

PACKAGE = "evotrainer"
ROOT = Path(__file__).parents[1]
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


class SourceParts(NamedTuple):
    """What is read from the source of a diagnostic, of which no tree is kept."""

    imports: tuple[str, ...]
    """Every name that may be a module of this package."""
    words: frozenset[str]
    """The texts that it spells out."""


@cache
def read_source(source: bytes) -> SourceParts:
    """Return the parts of a source, parsed once; none where it does not parse, since loading it raises the error."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError):
        return SourceParts((), frozenset())
    nodes = ast.walk(tree)
    words = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return SourceParts(_imports_of(tree), frozenset(words))


def source_fingerprint(sources: Iterable[Path]) -> dict[str, str]:
    """Return {module: SHA-256 of its text} of this package's modules that the sources import, in turn or directly."""
    waiting = {name for source in sources for name in read_source(source.read_bytes()).imports}
    found: dict[str, str] = {}
    seen = set(waiting)
    while waiting:
        name = waiting.pop()
        if known := _read_module(name):
            found[name], names = known
            waiting |= set(names) - seen
            seen |= waiting
    return dict(sorted(found.items()))


def _read_module(name: str) -> tuple[str, tuple[str, ...]] | None:
    """Return the hash and the imports of a module; None where the name is no module (but something in one)."""
    path = ROOT.joinpath(*name.split(".")[1:])
    for file in (path / "__init__.py", path.with_suffix(".py")):
        with suppress(FileNotFoundError, NotADirectoryError):
            text = file.read_bytes()
            return hashlib.sha256(text).hexdigest(), _imports(text)
    return None


@cache
def _imports(text: bytes) -> tuple[str, ...]:
    """Return what a module of this package imports; nothing where it does not parse."""
    try:
        return _imports_of(ast.parse(text))
    except (SyntaxError, ValueError):
        return ()


def _imports_of(tree: ast.Module) -> tuple[str, ...]:
    """Return every name that may be a module of this package: what is imported, from where, and the packages above."""
    names: list[str] = []
    for node in _statements(tree):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            names += [f"{node.module}.{alias.name}" for alias in node.names]
    ours = [name.split(".") for name in names if name.split(".")[0] == PACKAGE]
    return tuple(sorted({".".join(parts[:end]) for parts in ours for end in range(1, len(parts) + 1)}))


def _statements(tree: ast.Module) -> Iterator[ast.AST]:
    """Give all statements, and what holds some: no expression is an import."""
    waiting: list[ast.AST] = [tree]
    while waiting:
        node = waiting.pop()
        yield node
        for name in _BLOCKS:
            waiting += getattr(node, name, ())
