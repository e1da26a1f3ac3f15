"""What a tool-call format does: text that a policy wrote, to the words around its calls and the calls themselves.

A policy writes the text, so a parser never raises and takes time that is linear in its length, or bounded: text that is
no call stays text. `tools` are JSON Schemas in OpenAI's form, {"type": "function", "function": {"name", "description",
"parameters"}}; a format whose arguments carry no types reads them by the schema.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from evotrainer.records import ToolCall

ToolSchemas = Sequence[Mapping[str, Any]]


class Said(NamedTuple):
    """What a policy said: the text beside its calls, and the calls in order."""

    content: str
    calls: list[ToolCall]


ToolCallFormat = Callable[[str, ToolSchemas], Said]
"""Reads one assistant turn."""


def call_of(value: Any) -> ToolCall | None:
    """Return the call in a JSON object with `name` and `arguments` (Llama: `parameters`); None where it is none."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    arguments = value.get("arguments", value.get("parameters"))
    if isinstance(arguments, str):
        arguments = json_value(arguments)
    if arguments is not None and not isinstance(arguments, dict):
        return None
    return ToolCall(name=value["name"], arguments=arguments or {})


def json_value(text: str) -> Any:
    """Return the value of a JSON text; None where it is none, or nested too deep."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def parameter_types(tools: ToolSchemas) -> dict[str, dict[str, str]]:
    """Return {tool: {parameter: JSON type}}; a parameter without one type is text."""
    found: dict[str, dict[str, str]] = {}
    for tool in tools:
        function = tool.get("function", tool)
        properties = (function.get("parameters") or {}).get("properties") or {}
        types = {name: schema.get("type") for name, schema in properties.items()}
        found[function["name"]] = {name: kind if isinstance(kind, str) else "string" for name, kind in types.items()}
    return found
