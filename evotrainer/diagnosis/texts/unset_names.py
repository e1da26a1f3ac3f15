"""Names that code of tool calls loads though its attempt never set them: what is there was left by someone else.

Python is parsed, of calls and of fenced blocks that someone answers. Statements that surely run are looked at, in their
order, and what earlier calls bound counts as set. Code that does not parse, or imports all names of a module, ends the
reading: what it set is unknown.
"""

import ast
import builtins
import re
from collections.abc import Iterator, Sequence

from evotrainer.records import Message, ToolCall

_PYTHON = re.compile(r"py|code|cell|notebook|interpreter|repl|exec", re.I)
_SHELL = re.compile(r"bash|shell|terminal|cmd|command", re.I)
_BLOCK = re.compile(r"```(?:python|py)\s*\n(.*?)```", re.DOTALL)
_MISSING = re.compile(r"name '(\w+)' is not defined")
_FAILED = re.compile(r"Error\b|Traceback|Exception\b")
_GIVEN = frozenset({*dir(builtins), "In", "Out", "display", "get_ipython", "__name__", "__file__"})
_SURE = (ast.Expr, ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Assert)
_MAX_CODES, _MAX_CHARS = 4, 4000


def unset_names(messages: Sequence[Message], prompt: str) -> dict[str, str]:
    """Return the names never set that had a value, those that were not defined, and those set before they were read.

    All are texts with blanks between the names. Names in the prompt's ticks are left out of the first two.
    """
    set_names: set[str] = set()
    had, lacked, known = set[str](), set[str](), set[str]()
    for number, (code, answer) in enumerate(_codes(messages)):
        loads = _loads(code, set_names) if number < _MAX_CODES and len(code) <= _MAX_CHARS else None
        if loads is None:
            break
        loads = {name for name in loads if f"`{name}`" not in prompt}
        known |= set_names - had - lacked - loads
        missing = set(_MISSING.findall(answer.content)) if loads else set()
        lacked |= loads & missing
        if loads and answer.ok is not False and answer.content.strip() and not _FAILED.search(answer.content):
            had |= loads
    told = {"had_names": had, "lacked_names": lacked, "set_names": known}
    return {name: " ".join(sorted(found)) for name, found in told.items()}


def _codes(messages: Sequence[Message]) -> Iterator[tuple[str, Message]]:
    """Yield code in Python and the message that answers it."""
    for place, message in enumerate(messages):
        if message.role != "assistant":
            continue
        codes = [_code(call) for call in message.tool_calls] or ["\n".join(_BLOCK.findall(message.content))]
        for number, code in enumerate(codes, start=1):
            after = messages[place + number] if place + number < len(messages) else None
            if code and after is not None and after.role != "assistant":
                yield code, after


def _code(call: ToolCall) -> str:
    """Return the code of a call that says it runs Python; empty for any other call."""
    for name, value in call.arguments.items():
        is_python = _PYTHON.search(f"{call.name} {name}") and not _SHELL.search(f"{call.name} {name}")
        if is_python and isinstance(value, str):
            return value
    return ""


def _loads(code: str, set_names: set[str]) -> set[str] | None:
    """Return names that are loaded before they are set, and add what is set; None where that cannot be told."""
    try:
        statements = ast.parse(code).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    loads: set[str] = set()
    for statement in statements:
        nodes = list(ast.walk(statement))
        bound = {name for node in nodes for name in _bound(node)}
        if "*" in bound:
            return None
        if isinstance(statement, _SURE):
            loads |= (set() if _has_scope(nodes) else _loaded(nodes, statement)) - set_names - _GIVEN
        set_names |= bound
    return {name for name in loads if not name.startswith("_")}


def _has_scope(nodes: Sequence[ast.AST]) -> bool:
    """Tell whether a statement binds names of its own within: lambdas, comprehensions, walrus."""
    return any(isinstance(node, ast.Lambda | ast.comprehension | ast.NamedExpr) for node in nodes)


def _loaded(nodes: Sequence[ast.AST], statement: ast.stmt) -> set[str]:
    target = statement.target if isinstance(statement, ast.AugAssign) else None
    names = [node for node in nodes if isinstance(node, ast.Name)]
    return {node.id for node in names if isinstance(node.ctx, ast.Load) or node is target}


def _bound(node: ast.AST) -> Sequence[str]:
    """Return the names that a node binds."""
    if isinstance(node, ast.Name):
        return () if isinstance(node.ctx, ast.Load) else (node.id,)
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return (node.name,)
    if isinstance(node, ast.alias):
        return ((node.asname or node.name).split(".")[0],)
    if isinstance(node, ast.Global | ast.Nonlocal):
        return node.names
    if isinstance(node, ast.ExceptHandler) and node.name:
        return (node.name,)
    return ()
