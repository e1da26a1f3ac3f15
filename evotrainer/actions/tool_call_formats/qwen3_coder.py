"""The XML format of Qwen3-Coder: a function tag with one tag a parameter, whose text is the value.

    <tool_call>
    <function=read_file>
    <parameter=path>
    a.py
    </parameter>
    </function>
    </tool_call>

Values carry no types: they are read by the tool's schema, as vLLM's `qwen3_coder` does. One deviation: the text `null`
is null only where the parameter is no text. A value that holds a closing tag cannot be written in this format.
"""

import re
from typing import Any

import re2

from evotrainer.actions.tool_call_formats.base import Said, ToolSchemas, json_value, parameter_types
from evotrainer.records import ToolCall

_CALL = re2.compile(r"(?s)(?:<tool_call>\s*)?<function=([^<>\n]+)>(.*?)</function>(?:\s*</tool_call>)?")
_PARAMETER = re2.compile(r"(?s)<parameter=([^<>\n]+)>\n?(.*?)\n?</parameter>")
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}\Z")


def parse_qwen3_coder(text: str, tools: ToolSchemas = ()) -> Said:
    """Return the text without its calls, and the calls."""
    types = parameter_types(tools)
    calls: list[ToolCall] = []

    def take(match: Any) -> str:
        name = match.group(1).strip()
        kinds = types.get(name, {})
        found = {key.strip(): value for key, value in _PARAMETER.findall(match.group(2))}
        arguments = {key: _typed(value, kinds.get(key, "string")) for key, value in found.items()}
        calls.append(ToolCall(name=name, arguments=arguments))
        return ""

    content = _CALL.sub(take, text)
    return Said(content.strip() if calls else content, calls)


def _typed(text: str, kind: str) -> Any:
    """Return the value of a JSON type; the text itself where it is no such value."""
    word = text.strip()
    if kind == "string":
        return text
    if word in ("null", "None"):
        return None
    if kind == "boolean":
        return {"true": True, "false": False}.get(word.lower(), text)
    if kind == "integer":
        return int(word) if _WHOLE.match(word) else text
    value = json_value(word)
    return text if value is None else value
