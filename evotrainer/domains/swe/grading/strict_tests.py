"""Hidden tests that an object which equals everything cannot pass.

`assert total(xs) == 6` and `self.assertEqual(total(xs), 6)` hold for any object whose `__eq__` says yes. Before hidden
tests run, each such assertion is rewritten, so that it also asks both sides whether they equal a fresh object, which
nothing does, and lets the watch (runners/watch_inside.py) see what was equal: constants and objects that were taught to
equal them. It changes nothing else: 1, 1.0 and True stay equal, as the tests' author wrote them. Files that speak of
ANY or approx, whose objects do equal much, stay as they are; so do tests that come as a patch of somebody's repository.

Both runners and the audit run the rewritten text, so that they agree.
"""

import ast
import re
from functools import lru_cache

_LOOSE = re.compile(r"\b(?:ANY|approx)\b")
_NAME, _PAIR = "_is_equal", "_asked_pair"
_HELPER = f"""
from sys import audit as _audit

def {_NAME}(left, right):
    same = left == right
    _audit("evotrainer.compared", left, right)
    return same and not _claims_all(left) and not _claims_all(right)

def {_PAIR}(left, right):
    _audit("evotrainer.compared", left, right)
    if _claims_all(left) or _claims_all(right):
        raise AssertionError("an object that equals everything")
    return left, right

def _claims_all(value):
    if isinstance(value, (list, tuple, set, frozenset, dict)):
        items = [*value, *value.values()] if isinstance(value, dict) else value
        if any(_claims_all(item) for item in items):
            return True
    try:
        return type(value) not in (bool, int, float, str, bytes, type(None)) and bool(value == object())
    except Exception:  # the comparison may be the policy's own code: one that raises claims no equality
        return False
"""


@lru_cache(maxsize=4096)
def strict(source: str) -> str:
    """Return a test file with its assertions of equality rewritten; as it is where that cannot be done."""
    if _LOOSE.search(source) or _NAME in source:
        return source
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return source
    rewriter = _Rewriter()
    rewritten = rewriter.visit(tree)
    if not rewriter.num_rewritten:
        return source
    helper = ast.parse(_HELPER).body
    place = _first_statement(rewritten.body)
    rewritten.body[place:place] = helper
    return ast.unparse(ast.fix_missing_locations(rewritten)) + "\n"


def _first_statement(body: list[ast.stmt]) -> int:
    """Return the place after a docstring and imports from __future__."""
    place = 0
    while place < len(body) and (
        (isinstance(body[place], ast.Expr) and place == 0)
        or (isinstance(node := body[place], ast.ImportFrom) and node.module == "__future__")
    ):
        place += 1
    return place


class _Rewriter(ast.NodeTransformer):
    """Rewrites `assert a == b`, `assert a == b and ...` and `assertEqual(a, b)`; what is negated or chained stays."""

    def __init__(self) -> None:
        self.num_rewritten = 0

    def visit_Assert(self, node: ast.Assert) -> ast.Assert:  # noqa: N802 - the name that ast calls
        """Rewrite one assertion."""
        node.test = self._strict(node.test)
        return node

    def visit_Call(self, node: ast.Call) -> ast.Call:  # noqa: N802 - the name that ast calls
        """Rewrite `self.assertEqual(a, b)`."""
        self.generic_visit(node)
        is_method = isinstance(node.func, ast.Attribute) and node.func.attr == "assertEqual"
        if is_method and len(node.args) >= 2 and not any(isinstance(one, ast.Starred) for one in node.args[:2]):
            self.num_rewritten += 1
            pair = ast.Call(ast.Name(_PAIR, ast.Load()), node.args[:2], [])
            node.args[:2] = [ast.Starred(pair, ast.Load())]
        return node

    def _strict(self, test: ast.expr) -> ast.expr:
        if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
            test.values = [self._strict(value) for value in test.values]
        elif isinstance(test, ast.Compare) and len(test.ops) == 1 and isinstance(test.ops[0], ast.Eq):
            self.num_rewritten += 1
            return ast.Call(ast.Name(_NAME, ast.Load()), [test.left, test.comparators[0]], [])
        return test
