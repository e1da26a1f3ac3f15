"""Hidden tests are rewritten before they enter the sandbox: what an assertion compares is sent to the parent.

    assert total(xs) == [1, 2]        becomes        send("tests/test_a.py:7:4", lambda: seen(total(seen(xs))))

docs/sandbox.md says what this is for: the literals stay with the parent, an opened assertion runs inside, what a test
takes up passes a helper (helpers_inside.py). A test tells that it ends.
"""

import ast
import marshal
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from types import CodeType
from typing import Any

LEAF = "_{}"
PURE = frozenset({"abs", "round"})
"""Functions that the parent calls itself."""
_EVALUATED = (ast.Eq, ast.NotEq, ast.Lt, ast.LtE, ast.Gt, ast.GtE, ast.In, ast.NotIn)
_UNARY, _BINARY = (ast.Not, ast.USub, ast.UAdd), (ast.Add, ast.Sub, ast.Div)


@dataclass(frozen=True)
class Site:
    """An assertion: its line, and what the parent evaluates; None where it is opened."""

    line: str
    test: CodeType | None


@dataclass(frozen=True)
class JudgedFile:
    """A test file as it enters the sandbox: marshalled code in hexadecimal, or the error of compiling it."""

    code: str
    error: str
    sites: Mapping[str, Site]
    has_secrets: bool
    """Whether values that a test expects may be met in the process: an assertion that runs there, or that compares
    two values from there."""


@lru_cache(maxsize=4096)
def judged(path: str, text: str, opened: frozenset[str]) -> JudgedFile:
    """Return a test file with its assertions rewritten, but for the opened ones."""
    try:
        tree = ast.parse(text.removeprefix("\ufeff"))
        rewriter = _Rewriter(path, text.splitlines(), opened, _bound(tree))
        with warnings.catch_warnings():
            warnings.simplefilter(
                "ignore", SyntaxWarning
            )  # a text is called: the name of a helper, for which it stands
            code = compile(ast.fix_missing_locations(rewriter.visit(tree)), path, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return JudgedFile("", f"{type(error).__name__}: {error}", {}, True)
    return JudgedFile(marshal.dumps(code).hex(), "", rewriter.sites, rewriter.has_secrets)


def _bound(tree: ast.Module) -> dict[str, str]:
    """Return the names that a module gives a meaning; of imported ones the module they come from."""
    bound = {}
    for node in ast.walk(tree):
        match node:
            case ast.Import(names=names):
                bound |= {one.asname or one.name.partition(".")[0]: one.name for one in names}
            case ast.ImportFrom(module=module, level=level, names=names):
                bound |= {one.asname or one.name: "" if level else module or "" for one in names}
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                bound[name] = ""
            case ast.arg(arg=name) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
                bound[name] = ""
            case ast.ExceptHandler(name=str(name)) | ast.MatchMapping(rest=str(name)):
                bound[name] = ""
            case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
                bound[name] = ""
    return bound


class _Rewriter(ast.NodeTransformer):
    """Rewrites one file. Helpers are called by texts, which the sandbox puts functions in the place of."""

    def __init__(self, path: str, lines: list[str], opened: frozenset[str], bound: dict[str, str]) -> None:
        self.sites: dict[str, Site] = {}
        self.has_secrets = False
        self._path, self._lines, self._opened, self._bound = path, lines, opened, bound
        self._depth = 0

    def visit_FunctionDef(self, node: Any) -> Any:  # noqa: N802 - the names that ast calls, here and below
        self._depth += 1
        node.body = self._statements(node.body)
        self._depth -= 1
        if self._depth == 0 and node.name.startswith("test"):
            node.body.append(self._reached(node.name))
        return node

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815

    def visit_ClassDef(self, node):  # noqa: N802
        depth, self._depth = self._depth, 0
        node.body = self._statements(node.body)
        self._depth = depth
        return node

    def visit_Name(self, node):  # noqa: N802
        if not isinstance(node.ctx, ast.Load):
            return node
        module = self._bound.get(node.id, "builtins")
        return self._borrowed(module, node.id, node) if module else _call("seen", node)

    def visit_Attribute(self, node: Any) -> Any:  # noqa: N802
        if isinstance(node.ctx, ast.Load) and (module := self._module(node.value)):
            return self._borrowed(module, node.attr, node)
        node.value = self._based(node.value)
        return _call("seen", node) if isinstance(node.ctx, ast.Load) else node

    def visit_Subscript(self, node):  # noqa: N802
        node.value, node.slice = self._based(node.value), self.visit(node.slice)
        return _call("seen", node) if isinstance(node.ctx, ast.Load) else node

    def visit_Call(self, node: Any) -> Any:  # noqa: N802
        function = node.func
        is_plain = isinstance(function, ast.Name) and self._bound.get(function.id) == ""
        if isinstance(function, ast.Attribute) and not self._module(function.value):
            self.has_secrets |= _is_given_literals(node, not isinstance(function.value, ast.Name))
            function.value = self._based(function.value)
        else:
            self.has_secrets |= not is_plain and _is_given_literals(node, False)
            node.func = self._based(function) if is_plain else self.visit(function)
        node.args = [self._given(one, is_plain) for one in node.args]
        for one in node.keywords:
            one.value = self._given(one.value, is_plain)
        return _call("seen", node)

    def visit_For(self, node):  # noqa: N802
        self.generic_visit(node)
        node.iter = _call("each", node.iter)
        return node

    def visit_comprehension(self, node):
        self.generic_visit(node)
        node.iter = node.iter if node.is_async else _call("each", node.iter)
        return node

    def visit_Assign(self, node):  # noqa: N802
        self.generic_visit(node)
        if isinstance(node.targets[0], ast.Tuple | ast.List):
            node.value = _call("among", node.value)
        return node

    def visit_Compare(self, node):  # noqa: N802
        self.has_secrets |= any(map(_is_literal, [node.left, *node.comparators]))
        self.generic_visit(node)
        pairs = zip(node.ops, node.comparators, strict=True)
        node.comparators = [_call("among", one) if isinstance(op, ast.In | ast.NotIn) else one for op, one in pairs]
        return node

    def visit_BinOp(self, node):  # noqa: N802
        self.has_secrets |= _is_literal(node.left) != _is_literal(node.right)
        return self.generic_visit(node)

    def visit_With(self, node):  # noqa: N802
        calls = [one.context_expr for one in node.items if isinstance(one.context_expr, ast.Call)]
        self.has_secrets |= any(_is_given_literals(one, True) for one in calls)
        self.generic_visit(node)
        node.body.append(self._reached(f"with of line {node.lineno}"))  # what is left by an error could swallow it
        return node

    def visit_match_case(self, node):
        node.guard = node.guard and self.visit(node.guard)
        node.body = self._statements(node.body)
        return node

    def visit_Assert(self, node):  # noqa: N802
        site = self._site(node)
        if site is None:
            node.test = self.visit(node.test)
            return node
        if site in self._opened:
            node.test = _call("opened", ast.Constant(site), self.visit(node.test))
            return node
        return self._sent(node, site)

    def visit_Expr(self, node):  # noqa: N802
        # a function that asserts: `self.assertEqual(a, b)`, `seen.assert_called_once()`
        call = node.value
        name = getattr(call.func, "attr", getattr(call.func, "id", "")) if isinstance(call, ast.Call) else ""
        self.generic_visit(node)
        if name.startswith("assert"):
            self.has_secrets = True
            (asserted,) = node.value.args  # pyright: ignore[reportAttributeAccessIssue]
            asserted.func = _call("callee", asserted.func)
            return [node, self._reached(f"call of line {node.lineno}:{node.col_offset}")]
        return node

    def _reached(self, what):
        """Return a statement that tells that a test came to the end of something."""
        return _statement("send", ast.Constant(f"{self._path}::{what} to its end"), _tuple([]))

    def _borrowed(self, module, name, node):
        return _call("borrowed", ast.Constant(module), ast.Constant(name), node)

    def _module(self, node):
        """Return the name of the module that an expression is, as the test imports it; "" for another expression."""
        if isinstance(node, ast.Attribute):
            module = self._module(node.value)
            return module and f"{module}.{node.attr}"
        return self._bound.get(node.id, "") if isinstance(node, ast.Name) else ""

    def _based(self, node):
        """Return what an attribute or an item is taken of, or what is called: its class alone is looked at."""
        return _call("top", node) if isinstance(node, ast.Name) else self.visit(node)

    def _given(self, node, is_plain):
        """Return an argument; what the attempt's own code is given, by its name, stays as it is."""
        if isinstance(node, ast.Starred):
            return ast.Starred(_call("each", self.visit(node.value)), ast.Load())
        given = self.visit(node)
        return given if is_plain or isinstance(node, ast.Constant | ast.Lambda) else _call("handed", given)

    def _statements(self, body):
        return [one for node in body for one in _listed(self.visit(node))]

    def _site(self, node):
        """Return the name of an assertion, noted; None where its values cannot be sent."""
        if self._depth == 0 or any(map(_is_unmovable, ast.walk(node.test))):
            self.has_secrets = True
            return None
        site = f"{self._path}:{node.lineno}:{node.col_offset}"
        self.sites[site] = Site(self._lines[node.lineno - 1].strip(), None)
        self.has_secrets |= site in self._opened
        return site

    def _sent(self, node, site):
        leaves: list[ast.expr] = []
        split = self._split(node.test, leaves)
        self.has_secrets |= not _withholds(split)
        code = compile(ast.fix_missing_locations(ast.Expression(split)), site, "eval", dont_inherit=True)
        self.sites[site] = Site(self.sites[site].line, code)
        nothing = ast.arguments([], [], None, [], [], None, [])
        sent = _statement("send", ast.Constant(site), _tuple([ast.Lambda(nothing, leaf) for leaf in leaves]))
        return ast.copy_location(sent, node)

    def _split(self, node: Any, leaves: list[ast.expr]) -> ast.expr:
        """Return what the parent evaluates, and add the expressions in it that it is sent the values of."""
        match node:
            case ast.Constant():
                return node
            case ast.Tuple(elts=parts) | ast.List(elts=parts) | ast.Set(elts=parts) if not _is_starred(parts):
                node.elts = [self._split(part, leaves) for part in parts]
            case ast.Dict(keys=keys, values=values) if None not in keys:
                node.keys = [self._split(part, leaves) for part in keys]
                node.values = [self._split(part, leaves) for part in values]
            case ast.UnaryOp(op=op) if isinstance(op, _UNARY):
                node.operand = self._split(node.operand, leaves)
            case ast.BoolOp():
                node.values = [self._split(part, leaves) for part in node.values]
            case ast.BinOp(op=op) if isinstance(op, _BINARY):
                node.left, node.right = self._split(node.left, leaves), self._split(node.right, leaves)
            case ast.Compare() if _is_evaluated(node):
                node.left = self._split(node.left, leaves)
                node.comparators = [self._split(part, leaves) for part in node.comparators]
            case ast.Call(func=ast.Name(id=name), args=[value, *digits], keywords=[]) if (
                name in PURE - self._bound.keys() and all(isinstance(one, ast.Constant) for one in digits)
            ):
                node.args[0] = self._split(value, leaves)
            case _:
                return self._leaf(node, leaves)
        return node

    def _leaf(self, node, leaves):
        leaves.append(self.visit(node))
        return ast.Name(LEAF.format(len(leaves) - 1), ast.Load())


def _is_unmovable(node):
    """Whether an expression means something else in a lambda."""
    is_frame = isinstance(node, ast.Name) and node.id in ("super", "locals")
    return is_frame or isinstance(node, ast.Await | ast.Yield | ast.YieldFrom | ast.NamedExpr)


def _is_evaluated(node):
    sides = [node.left, *node.comparators]
    return all(
        isinstance(op, _EVALUATED)
        or any(isinstance(side, ast.Constant) and side.value in (None, True, False) for side in sides[at : at + 2])
        for at, op in enumerate(node.ops)
    )


def _withholds(test):
    """Whether an assertion compares what it is sent with literals, and not with what it is sent too."""
    met = [sum(map(_holds_leaf, _operands(one))) for one in ast.walk(test)]
    return any(isinstance(one, ast.Compare) for one in ast.walk(test)) and max(met) <= 1


def _operands(node):
    if isinstance(node, ast.Compare):
        return [node.left, *node.comparators]
    return [node.left, node.right] if isinstance(node, ast.BinOp) else []


def _holds_leaf(node):
    return any(isinstance(one, ast.Name) and one.id not in PURE for one in ast.walk(node))


def _is_literal(node):
    """Whether an expression is a number or a text."""
    node = node.operand if isinstance(node, ast.UnaryOp) else node
    return isinstance(node, ast.Constant) and not isinstance(node.value, bool | None | type(...))


def _is_given_literals(call, are_enough):
    """Whether a call compares what it is given with literals: one of several arguments is one, or `are_enough`."""
    given = [*call.args, *(one.value for one in call.keywords)]
    literal = [any(map(_is_literal, ast.walk(one))) for one in given]
    return any(literal) and (are_enough or not all(literal))


def _is_starred(nodes):
    return any(isinstance(one, ast.Starred) for one in nodes)


def _listed(found):
    return found if isinstance(found, list) else [found]


def _call(name, *arguments):
    return ast.Call(ast.Constant(f"@evotrainer.{name}"), list(arguments), [])


def _tuple(parts):
    return ast.Tuple(parts, ast.Load())


def _statement(name, *arguments):
    return ast.Expr(_call(name, *arguments))
