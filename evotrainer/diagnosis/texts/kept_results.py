"""Programs that hand back what they kept from an earlier call, known again by the address of its argument.

An address says nothing of what stands there now, so the result is right only while a benchmark repeats a call. Such a
function keeps a result behind its call: in a name of the module, an attribute of its object or of itself. It returns
that before any work, where the address is met again.

Functions that others of the program call are left out: weights may be prepared once. So are those that call
themselves, which walk a graph. Those that work on what was kept before they return it reuse a buffer.
"""

import ast
import re
from collections.abc import Iterator, Sequence

_BLOCK = re.compile(r"```[\w+#-]*\n(.*?)```", re.DOTALL)
_MAX_CHARS = 12_000
_ADDRESS = re.compile(r"\w*(?:ptr|pointer|address)\w*|__array_interface__|ctypes", re.I)
_SIGNS = re.compile(r"\.\w*(?:[Pp]tr|pointer|address|ctypes|array_interface)|(?<![\w.])id\(|\bis (?:self\.|_|[A-Z]{2})")
"""Stands in every program that can be meant."""
_READS = frozenset({"get", "pop", "setdefault", "__getitem__"})

Function = ast.FunctionDef | ast.AsyncFunctionDef


def hands_back(text: str) -> bool:
    """Tell whether a program in a text hands back results that it kept by address."""
    if "return" not in text or _SIGNS.search(text) is None:
        return False
    code = "\n".join(_BLOCK.findall(text)) if "```" in text else text
    try:
        tree = ast.parse(code[:_MAX_CHARS])
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    nodes = list(ast.walk(tree))
    called = [part.func for part in nodes if isinstance(part, ast.Call)]
    names = {func.id if isinstance(func, ast.Name) else getattr(func, "attr", "") for func in called}
    functions = [node for node in nodes if isinstance(node, Function) and node.name not in names]
    module = {name for node in tree.body for name in _assigned(node)}
    classes = {node.name for node in tree.body if isinstance(node, ast.ClassDef)}
    return any(_Kept(function, module, classes).is_handed_back() for function in functions)


def _assigned(node: ast.stmt) -> Iterator[str]:
    targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
    yield from (target.id for target in targets if isinstance(target, ast.Name))


class _Kept:
    """What one function keeps behind its call, and returns."""

    def __init__(self, function: Function, module: set[str], classes: set[str]) -> None:
        arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
        self._function, self._params = function, {one.arg for one in arguments} - {"self", "cls"}
        self._owners, self._module = {"self", "cls", function.name, *classes}, module - {one.arg for one in arguments}
        self._addresses, self._results = set[str](), set[str]()

    def is_handed_back(self) -> bool:
        """Tell whether a kept result is returned by the address of an argument, before any work, and is kept here."""
        nodes = list(ast.walk(self._function))
        assigned = [node for node in nodes if isinstance(node, ast.Assign)]
        if not self._params or not any(map(self._keeps, assigned)):
            return False
        local = [(one.targets[0].id, one.value) for one in assigned if isinstance(one.targets[0], ast.Name)]
        self._addresses = {name for name, value in local if self._is_address(value)}
        self._results = {name for name, value in local if self._reads(value)}
        return any(self._hands_back(block) for block in _blocks(nodes))

    def _hands_back(self, block: Sequence[ast.stmt]) -> bool:
        for place, node in enumerate(block):
            if isinstance(node, ast.If) and self._returns(_at_once(node.body), self._meets_address(node.test)):
                return True
            if isinstance(node, ast.Try) and self._returns(_at_once(node.body), False):
                return True
            is_behind = place > 0 and isinstance(before := block[place - 1], ast.If)
            if is_behind and isinstance(node, ast.Return) and self._returns(node, False):
                return any(map(self._keeps, ast.walk(before)))
        return False

    def _returns(self, node: ast.Return | None, is_met: bool) -> bool:
        """Tell whether a result is returned that is kept by address, or any kept one where an address is met."""
        parts = list(ast.walk(node.value)) if node is not None and node.value is not None else []
        if any(self._reads(part) or (isinstance(part, ast.Name) and part.id in self._results) for part in parts):
            return True
        return is_met and any(map(self._is_store, parts))

    def _meets_address(self, test: ast.expr) -> bool:
        """Tell whether a test compares an argument itself, or its address, with what was kept."""
        for part in ast.walk(test):
            if isinstance(part, ast.Compare) and len(part.ops) == 1:
                sides = (part.left, part.comparators[0])
                is_kept = any(map(self._is_store, sides))
                is_same = isinstance(part.ops[0], ast.Is) and any(map(self._is_param, sides))
                if is_kept and (is_same or (isinstance(part.ops[0], ast.Eq) and any(map(self._is_address, sides)))):
                    return True
        return False

    def _keeps(self, node: ast.AST) -> bool:
        targets = node.targets if isinstance(node, ast.Assign) else []
        single = [one for target in targets for one in (target.elts if isinstance(target, ast.Tuple) else [target])]
        inner = [target.value if isinstance(target, ast.Subscript) else target for target in single]
        return any(map(self._is_store, inner))

    def _reads(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Subscript):
            return self._is_store(node.value) and self._is_address(node.slice)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            is_read = node.func.attr in _READS and self._is_store(node.func.value)
            return is_read and self._is_address(node.args[0])
        return False

    def _is_store(self, node: ast.AST) -> bool:
        if isinstance(node, ast.Attribute):
            return isinstance(node.value, ast.Name) and node.value.id in self._owners
        return isinstance(node, ast.Name) and node.id in self._module

    def _is_param(self, node: ast.AST) -> bool:
        return isinstance(node, ast.Name) and node.id in self._params

    def _is_address(self, node: ast.AST) -> bool:
        """Tell whether an expression holds the address of something."""
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id in self._addresses:
                return True
            if isinstance(part, ast.Attribute) and _ADDRESS.fullmatch(part.attr):
                return True
            if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "id":
                return True
        return False


def _at_once(block: Sequence[ast.stmt]) -> ast.Return | None:
    """Return the statement that returns before anything is called or run; None where there is none."""
    for node in block:
        if isinstance(node, ast.Return):
            return node
        if not isinstance(node, ast.Assign) or any(isinstance(part, ast.Call) for part in ast.walk(node.value)):
            return None
    return None


def _blocks(nodes: Sequence[ast.AST]) -> Iterator[Sequence[ast.stmt]]:
    for node in nodes:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and block:
                yield block
