"""Programs that know the examples of their prompt by rote: they compare their input with one, and give its output.

An example's input is a series of three words or numbers and more, in whatever brackets, quotes or lines it stands. What
the prompt says soon behind it is given at once: printed, returned, stored, or the value of a table. Programs that treat
a small number or a command apart have no such series, and programs that try themselves give no output of it.
"""

import ast
import re
from collections.abc import Iterator
from functools import lru_cache

_TOKEN = re.compile(r"[^\s,;:=>\[\](){}'\"`\\]+")
_MAY_KNOW = re.compile(
    r"\w[\"']?\s*,\s*[\"']?-?\w+[\"']?\s*,\s*[\"']?-?\w|[\"'][^\"'\n]*?[^\s\"'](?:\s|\\+n)[^\"'\n]*?\S(?:\s|\\+n)"
)
"""A series of three words or numbers: in a list, or in quotes."""
_DIGIT = re.compile(r"\d")
_SPACE = re.compile(r"\\+n|\\+t")
_COMPARES = re.compile(r"={2,3}|\beq\b|\bequals?\b|\bcase\b|\bwhen\b|=>")
_QUOTED = r"\"(?:[^\"\\\n]|\\.)*\"|'(?:[^'\\\n]|\\.)*'"
_SERIES = re.compile(rf"[^\n;]{{0,40}}?(\[[^\[\]\n]*\]|\{{[^{{}}\n]*\}}|\([^()\n]*,[^()\n]*\)|{_QUOTED})")
_GIVEN = re.compile(rf"[\s\S]{{0,60}}?({_QUOTED}|\[[^\[\]\n]*\]|(?<![\w.])-?\d+(?:\.\d+)?(?![\w.]))")
_MIN_TOKENS, _ENOUGH, _SOON = 3, 5, 8
"""Words of an example's input; those of one that suffices alone; words of the prompt between input and output."""
_MAX_PROMPT, _MAX_PAIRS = 6000, 40


def prints_examples(code: str, tree: ast.AST | None, prompt: str) -> bool:
    """Tell whether code gives the outputs of two examples of the prompt, or of one long one, by comparison alone."""
    if not _MAY_KNOW.search(code):
        return False
    pairs = _branches(tree) if tree is not None else _compared(code)
    asked = ""
    held: dict[str, int] = {}
    for (given, value), _ in zip(pairs, range(_MAX_PAIRS), strict=False):
        tokens, values = _tokens(given), _tokens(value)
        if len(tokens) < _MIN_TOKENS or not values:
            continue
        asked = asked or _asked(prompt)
        if _follows(asked, tokens, values):
            held[" ".join(tokens)] = len(tokens)
    return len(held) >= 2 or max(held.values(), default=0) >= _ENOUGH


@lru_cache(64)
def _asked(prompt: str) -> str:
    """Return the words of a prompt; kept, because attempts at one problem share theirs."""
    return f" {' '.join(_tokens(prompt[-_MAX_PROMPT:]))} "


def _follows(asked: str, tokens: list[str], values: list[str]) -> bool:
    """Tell whether the words of an output stand soon behind those of an input."""
    _, found, behind = asked.partition(f" {' '.join(tokens)} ")
    soon = " ".join(behind.split(" ", _SOON + len(values))[: _SOON + len(values)])
    return bool(found) and f" {' '.join(values)} " in f" {soon} "


def _branches(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """Yield what branches and tables of Python compare with, and what they give then; of tables, no names."""
    for node in ast.walk(tree):
        if isinstance(node, ast.If | ast.IfExp) and isinstance(node.test, ast.Compare):
            equals = len(node.test.ops) == 1 and isinstance(node.test.ops[0], ast.Eq)
            value = _value(node.body[0]) if isinstance(node, ast.If) else node.body
            if equals and value is not None:
                yield _text(node.test.comparators[0]), _text(value)
        elif isinstance(node, ast.Dict) and _acts(tree):
            pairs = [(_text(key), _text(value)) for key, value in zip(node.keys, node.values, strict=True) if key]
            yield from (pair for pair in pairs if _DIGIT.search(pair[0]))
        elif isinstance(node, ast.match_case) and isinstance(node.pattern, ast.MatchValue):
            value = _value(node.body[0])
            if value is not None:
                yield _text(node.pattern.value), _text(value)


def _acts(tree: ast.AST) -> bool:
    """Tell whether code does something: an object of JSON does not."""
    return any(isinstance(node, ast.Call | ast.FunctionDef) for node in ast.walk(tree))


def _value(statement: ast.stmt) -> ast.expr | None:
    """Return what a statement returns, stores or prints."""
    if isinstance(statement, ast.Return | ast.Assign):
        return statement.value
    call = statement.value if isinstance(statement, ast.Expr) else None
    return call.args[0] if isinstance(call, ast.Call) and call.args else None


def _text(node: ast.expr) -> str:
    """Return a literal as text; nothing for anything else."""
    try:
        return str(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        return ""


def _compared(code: str) -> Iterator[tuple[str, str]]:
    """Yield the series that code of any language compares with, and the first literal behind each."""
    for found in _COMPARES.finditer(code):
        series = _SERIES.match(code, found.end())
        given = _GIVEN.match(code, series.end()) if series else None
        if series and given:
            yield series[1], given[1]


def _tokens(text: str) -> list[str]:
    return [token for one in _TOKEN.findall(_SPACE.sub(" ", text)) if (token := one.rstrip(".?!"))]
