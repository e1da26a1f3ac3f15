"""Programs whose own kernel may fail as it likes: whatever goes wrong, something else computes the result.

Such a function launches a kernel in a `try` that catches everything. The branch behind it returns what a library
computes of the same arguments. A branch for a machine without the kernel's compiler names its error, or stands outside
of the call.
"""

import ast
from collections.abc import Sequence

CATCHES = r"\bexcept\b(?:[ \t]*:|[^\n]*\b(?:Base)?Exception\b)"
"""Stands in every program that can be meant."""
_EVERYTHING = frozenset({"Exception", "BaseException"})
_COMPILERS = frozenset(
    {"load", "load_inline", "RawKernel", "RawModule", "ElementwiseKernel", "SourceModule", "CDLL", "compile_program"}
)
"""What makes a function of a program in another language."""


def falls_back(tree: ast.Module) -> bool:
    """Tell whether a program launches a kernel, and something else computes the result where that fails."""
    nodes = list(ast.walk(tree))
    if not any(isinstance(node, ast.Try) for node in nodes):
        return False
    functions = [node for node in nodes if isinstance(node, ast.FunctionDef)]
    compiled = {
        _name(target)
        for node in nodes
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Call) and _name(node.value.func) in _COMPILERS
        for target in node.targets
    }
    launching = (compiled - {""}) | {node.name for node in functions if _launches([node], compiled - {""})}
    return any(
        _is_caught(function, node, launching)
        for function in functions
        for node in ast.walk(function)
        if isinstance(node, ast.Try)
    )


def _is_caught(function: ast.FunctionDef, node: ast.Try, launching: set[str]) -> bool:
    given = {one.arg for one in function.args.args} - {"self"}
    if not _launches(node.body, launching):
        return False
    for handler in node.handlers:
        names = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
        if not any(name is None or (isinstance(name, ast.Name) and name.id in _EVERYTHING) for name in names):
            continue
        parts = [part for one in handler.body for part in ast.walk(one)]
        if any(isinstance(part, ast.Raise) for part in parts):
            continue
        if not any(isinstance(part, ast.Return | ast.Assign) for part in parts):
            parts += [one for one in function.body if one.lineno > node.lineno]
        values = [part.value for part in parts if isinstance(part, ast.Return | ast.Assign)]
        if any(value is not None and _computes(value, given, launching) for value in values):
            return True
    return False


def _computes(value: ast.expr, given: set[str], launching: set[str]) -> bool:
    parts = list(ast.walk(value))
    works = any(isinstance(part, ast.Call | ast.BinOp) for part in parts)
    is_of_given = any(isinstance(part, ast.Name) and part.id in given for part in parts)
    return works and is_of_given and not any(_name(part) in launching for part in parts)


def _launches(body: Sequence[ast.AST], launching: set[str]) -> bool:
    """Tell whether statements launch a kernel over a grid, or call what does."""
    calls = [part for one in body for part in ast.walk(one) if isinstance(part, ast.Call)]
    if any(isinstance(call.func, ast.Subscript) and isinstance(call.func.value, ast.Name) for call in calls):
        return True
    return any(_name(part) in launching for call in calls for part in ast.walk(call.func))


def _name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else getattr(node, "attr", "")
