"""The pythonic format of Llama 3.2, Llama 4 and ToolACE: the whole turn is a list of calls with literal arguments.

    [read_file(path="a.py", start=1), run_tests()]

Llama 4 may put <|python_start|> and <|python_end|> around it. Python's own parser reads it, and nothing is run.
"""

import ast
import math
from typing import Any

from evotrainer.actions.tool_call_formats.base import Said, ToolSchemas
from evotrainer.records import ToolCall

MAX_CHARACTERS = 1_000_000
START, END = "<|python_start|>", "<|python_end|>"


def parse_pythonic(text: str, tools: ToolSchemas = ()) -> Said:
    """Return the calls of a turn that is a list of calls; else its text."""
    body = text.strip().removeprefix(START).removesuffix(END).strip()
    if not (body.startswith("[") and body.endswith("]")) or len(body) > MAX_CHARACTERS:
        return Said(text, [])
    try:
        tree = ast.parse(body, mode="eval").body
        calls = [_call(node) for node in tree.elts] if isinstance(tree, ast.List) else []
    except (SyntaxError, ValueError, MemoryError, RecursionError):  # the last two of what is nested too deep
        return Said(text, [])
    return Said("", calls) if calls else Said(text, [])


def _call(node: ast.expr) -> ToolCall:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.args:
        raise ValueError("no call with named arguments")
    arguments = {keyword.arg: _value(keyword.value) for keyword in node.keywords if keyword.arg is not None}
    if len(arguments) != len(node.keywords):
        raise ValueError("an argument without a name")
    return ToolCall(name=node.func.id, arguments=arguments)


def _value(node: ast.expr) -> Any:
    """Return what JSON can hold too; raises ValueError for any other literal."""
    value = ast.literal_eval(node)
    _check(value)
    return value


def _check(value: Any) -> None:
    if isinstance(value, list):
        for part in value:
            _check(part)
    elif isinstance(value, dict):
        for key, part in value.items():
            if not isinstance(key, str):
                raise ValueError("a key that is no text")
            _check(part)
    elif isinstance(value, float) and not math.isfinite(value):
        raise ValueError("a number without an end")
    elif value is not None and not isinstance(value, str | int | float):
        raise ValueError("a literal that JSON does not have")
