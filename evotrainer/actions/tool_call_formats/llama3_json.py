"""The JSON format of Llama 3.x: {"name": ..., "parameters": {...}}, several joined by semicolons.

`<|python_tag|>` may stand before it, and `arguments` for `parameters`. The first object of the text that is a call
begins them; text before and after is kept.
"""

import json
from typing import Any

from evotrainer.actions.tool_call_formats.base import Said, ToolSchemas, call_of
from evotrainer.records import ToolCall

PYTHON_TAG = "<|python_tag|>"
MAX_STARTS = 32
"""Braces at which a call is looked for; reading on from each costs up to the length of the text."""

_DECODER = json.JSONDecoder()


def parse_llama3_json(text: str, tools: ToolSchemas = ()) -> Said:
    """Return the text without its calls, and the calls."""
    start = text.find("{")
    for _ in range(MAX_STARTS):
        if start < 0:
            break
        calls, end = _calls_from(text, start)
        if calls:
            return Said((text[:start].replace(PYTHON_TAG, "") + text[end:]).strip(), calls)
        start = text.find("{", start + 1)
    return Said(text, [])


def _calls_from(text: str, start: int) -> tuple[list[ToolCall], int]:
    """Return the calls from here on that semicolons join, and where they end."""
    calls: list[ToolCall] = []
    end = start
    while True:
        value, after = _decoded(text, start)
        call = call_of(value)
        if call is None:
            return calls, end
        calls.append(call)
        end = after
        rest = text[end:].lstrip()
        if not rest.startswith(";"):
            return calls, end
        start = text.find("{", end)
        if start < 0 or text[end:start].strip() != ";":
            return calls, end


def _decoded(text: str, start: int) -> tuple[Any, int]:
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start
