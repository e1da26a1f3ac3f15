"""The Hermes format: <tool_call>{"name": ..., "arguments": {...}}</tool_call>, of Hermes 2 Pro, Qwen2.5, Qwen3.

The pattern is one of RE2, which reads any text in linear time. Calls are taken out of the text and the rest is kept as
it stands, where vLLM's parser drops what follows the first call.
"""

import json
from typing import Any

import re2

from evotrainer.actions.tool_call_formats.base import Said, ToolSchemas
from evotrainer.records import ToolCall

TOOL_CALL = re2.compile(r"(?s)<tool_call>\s*(\{.*?\})\s*</tool_call>")
"""One call; its group is the text between the tags."""


def parse_hermes(text: str, tools: ToolSchemas = ()) -> Said:
    """Return the text without its calls, and the calls."""
    calls: list[ToolCall] = []

    def take(match: Any) -> str:
        call = _parse_call(match.group(1))
        if call is None:
            return match.group(0)
        calls.append(call)
        return ""

    return Said(TOOL_CALL.sub(take, text), calls)


def _parse_call(text: str) -> ToolCall | None:
    try:
        value = json.loads(text)
        return ToolCall(name=value["name"], arguments=value.get("arguments") or {})
    except (ValueError, KeyError, TypeError, RecursionError):  # the last of what is nested too deep
        return None
