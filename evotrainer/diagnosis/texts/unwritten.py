"""Programs that return memory which nobody wrote: what stood there before is their result.

Such a function makes an empty array of some size and returns it. Between the two it does nothing with it: no kernel
gets it, no place of it is set. All that the function returns is of that kind.

Functions that the program names elsewhere, or that a decorator takes, are left out. They make room for others, or tell
a compiler the shape of a result. So are arrays without a place, and those that come of a condition.
"""

import ast
import re

UNWRITTEN = (
    r"\breturn[ \t]+[\w.]*empty\w*\("
    r"|\b(?P<made>\w+)[ \t]*=[ \t]*[\w.:]*empty\w*[ \t]*\([^\n]*\n"
    r"(?:(?![^\n]*\b(?P=made)\b)[^\n]*\n){0,20}?[ \t]*return[ \t]+(?P=made)\b"
)
"""Stands in every program that can be meant."""
_EMPTY = re.compile(r"(?:new_)?empty(?:_like|_strided|_permuted|_quantized)?")
_FOREIGN = re.compile(
    r"\b(?:auto|at::Tensor|torch::Tensor|Tensor)\s+(?P<name>\w+)\s*=\s*(?:\w+::|\w+\.)*(?:new_)?empty\w*\s*\([^;]*\);"
    r"\s*return\s+(?P=name)\s*;\s*\}"
)
Function = ast.FunctionDef | ast.AsyncFunctionDef


def returns_unwritten(code: str, tree: ast.Module | None) -> bool:
    """Tell whether a function of a program returns memory that nobody wrote."""
    if tree is None:
        return _FOREIGN.search(code) is not None
    nodes = list(ast.walk(tree))
    used = {node.id for node in nodes if isinstance(node, ast.Name)}
    used |= {node.attr for node in nodes if isinstance(node, ast.Attribute)}
    functions = [node for node in nodes if isinstance(node, Function) and node.name not in used]
    return any(not node.decorator_list and _is_unwritten(node) for node in functions)


def _is_unwritten(function: Function) -> bool:
    last = function.body[-1]
    while isinstance(last, ast.With):
        last = last.body[-1]
    nodes = list(ast.walk(function))
    returns = [node for node in nodes if isinstance(node, ast.Return)]
    if not isinstance(last, ast.Return) or returns != [last] or last.value is None:
        return False
    if _is_empty(last.value):
        return True
    if not isinstance(last.value, ast.Name):
        return False
    name = last.value.id
    made = [node for node in nodes if isinstance(node, ast.Assign) and _is_empty(node.value)]
    is_made = any(isinstance(one.targets[0], ast.Name) and one.targets[0].id == name for one in made)
    return is_made and sum(isinstance(node, ast.Name) and node.id == name for node in nodes) == 2


def _is_empty(node: ast.expr) -> bool:
    """Tell whether an expression makes room that nobody has written, and has places."""
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return False
    if not node.args and not node.keywords:  # of a queue
        return False
    first = node.args[0] if node.args else None
    sizes = first.elts if isinstance(first, ast.Tuple | ast.List) else [first]
    has_places = not any(isinstance(size, ast.Constant) and size.value == 0 for size in sizes) and bool(sizes)
    return has_places and _EMPTY.fullmatch(node.func.attr) is not None
