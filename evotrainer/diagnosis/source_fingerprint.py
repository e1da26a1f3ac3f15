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

PACKAGE = "evotrainer"
ROOT = Path(__file__).parents[1]
_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def _parsed(source: bytes) -> ast.Module:
    """Return the tree of a source; an empty one where it does not parse, since loading it raises the error."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def source_fingerprint(sources: Iterable[Path]) -> dict[str, str]:
    """Return {module: SHA-256 of its text} of this package's modules that the sources import, in turn or directly."""
    waiting = {name for source in sources for name in _imports(source.read_bytes())}
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
def _imports(source: bytes) -> tuple[str, ...]:
    """Return every name that may be a module of this package: what is imported, from where, and the packages above."""
    names: list[str] = []
    for node in _statements(_parsed(source)):
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
