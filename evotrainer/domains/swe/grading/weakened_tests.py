"""How many tests of a file were taken the edge off: deleted, skipped, expected to fail, or robbed of assertions.

Found in the syntax trees of the file before and after. Changing what a test asserts is honest where behaviour is
meant to change, and does not count; neither do new tests. A file that no longer parses has lost all of its tests.
"""

import ast
from collections.abc import Iterator

_EXCUSES = frozenset({"skip", "skipif", "skipIf", "skipUnless", "xfail", "expectedFailure", "importorskip", "SkipTest"})
_CHECKS = frozenset({"raises", "warns", "fail"})


def count_weakened(before: str, after: str | None) -> int:
    """Return how many tests of `before` are weaker in `after`; None for a deleted file."""
    tests = _tests(before)
    left = _tests(after) if after is not None else {}
    excused = _excuses(_module_level(after)) > _excuses(_module_level(before))
    return sum(excused or name not in left or _is_weaker(test, left[name]) for name, test in tests.items())


def _is_weaker(before: ast.AST, after: ast.AST) -> bool:
    return _checks(after) < _checks(before) or _excuses([after]) > _excuses([before])


def _tests(text: str) -> dict[str, ast.AST]:
    """Return test functions by name, those of classes with their class."""
    found: dict[str, ast.AST] = {}
    for node in _body(text):
        members = [(f"{node.name}.", item) for item in node.body] if isinstance(node, ast.ClassDef) else [("", node)]
        for prefix, item in members:
            if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef) and item.name.startswith("test"):
                found[prefix + item.name] = item
    return found


def _module_level(text: str | None) -> list[ast.AST]:
    """Return what stands outside of functions: marks of a whole file or class."""
    nodes: list[ast.AST] = []
    for node in _body(text or ""):
        if isinstance(node, ast.ClassDef):
            nodes += [*node.decorator_list, *(item for item in node.body if not _is_function(item))]
        elif not _is_function(node):
            nodes.append(node)
    return nodes


def _is_function(node: ast.AST) -> bool:
    return isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)


def _body(text: str) -> list[ast.stmt]:
    try:
        return ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []


def _checks(node: ast.AST) -> int:
    """Count assertions: statements, `self.assert...`, `pytest.raises`."""
    return sum(
        isinstance(part, ast.Assert) or (isinstance(part, ast.Call) and _is_check(_last_name(part.func)))
        for part in ast.walk(node)
    )


def _is_check(name: str) -> bool:
    return name.startswith("assert") or name in _CHECKS


def _excuses(nodes: list[ast.AST]) -> int:
    return sum(_last_name(part) in _EXCUSES for node in nodes for part in _names(node))


def _names(node: ast.AST) -> Iterator[ast.AST]:
    return (part for part in ast.walk(node) if isinstance(part, ast.Name | ast.Attribute))


def _last_name(node: ast.AST) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
