"""How policies write tool calls, by the names that vLLM gives its parsers (`--tool-call-parser`).

    hermes        <tool_call>{"name": ..., "arguments": {...}}</tool_call>       Hermes 2 Pro, Qwen2.5, Qwen3
    qwen3_coder   <function=read_file> <parameter=path> a.py </parameter> </function>       values by the tool's schema
    mistral       [TOOL_CALLS] [{...}]   [TOOL_CALLS]name{...}   [TOOL_CALLS]name[CALL_ID]..[ARGS]{...}
    llama3_json   {"name": ..., "parameters": {...}}; {...}        Llama 3.x, <|python_tag|> may stand before it
    pythonic      [read_file(path="a.py", start=1), run_tests()]   Llama 3.2, Llama 4, ToolACE

A policy writes the text, so a parser never raises and takes time that is linear in its length, or bounded: text that is
no call stays text. Sources: vllm/entrypoints/openai/tool_parsers/ (hermes, qwen3coder, mistral, llama, pythonic), which
read the same texts. Deviations: text around a Hermes call is kept where vLLM drops what follows the first one, and of
Qwen3-Coder the text `null` is null only where the parameter is no text.
"""

import ast
import json
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

import re2

from evotrainer.records import ToolCall

ToolSchemas = Sequence[Mapping[str, Any]]
"""JSON Schemas in OpenAI's form: {"type": "function", "function": {"name", "description", "parameters"}}."""


class Said(NamedTuple):
    """An assistant turn: the text beside its calls, and the calls in order."""

    content: str
    calls: list[ToolCall]


ToolCallFormat = Callable[[str, ToolSchemas], Said]
"""Reads one assistant turn."""

_TOOL_CALL = re2.compile(r"(?s)<tool_call>\s*(\{.*?\})\s*</tool_call>")
"""A Hermes call; its group is the text between the tags. RE2 reads any text in linear time."""
_CODER_CALL = re2.compile(r"(?s)(?:<tool_call>\s*)?<function=([^<>\n]+)>(.*?)</function>(?:\s*</tool_call>)?")
_CODER_PARAMETER = re2.compile(r"(?s)<parameter=([^<>\n]+)>\n?(.*?)\n?</parameter>")
_WHOLE = re.compile(r"[+-]?[0-9]{1,18}\Z")
_MISTRAL_CALLS = "[TOOL_CALLS]"
_MISTRAL_NAME = re.compile(r"\s*([\w.-]{1,100})(?:\[CALL_ID\]\w{1,40})?(?:\[ARGS\])?\s*(?=\{)")
_PYTHON_TAG, _PYTHON_START, _PYTHON_END = "<|python_tag|>", "<|python_start|>", "<|python_end|>"
MAX_STARTS = 32
"""Braces at which a Llama call is looked for; reading on from each costs up to the length of the text."""
MAX_CHARACTERS = 1_000_000
"""Of a pythonic turn."""
_DECODER = json.JSONDecoder()


def parse_hermes(text: str, tools: ToolSchemas = ()) -> Said:
    """Return the text without its calls, and the calls."""
    calls: list[ToolCall] = []

    def take(match: Any) -> str:
        try:
            value = json.loads(match.group(1))
            calls.append(ToolCall(name=value["name"], arguments=value.get("arguments") or {}))
        except (ValueError, KeyError, TypeError, RecursionError):  # the last of what is nested too deep
            return match.group(0)
        return ""

    return Said(_TOOL_CALL.sub(take, text), calls)


def parse_qwen3_coder(text: str, tools: ToolSchemas = ()) -> Said:
    """Return the text without its calls, and the calls."""
    types = _parameter_types(tools)
    calls: list[ToolCall] = []

    def take(match: Any) -> str:
        name = match.group(1).strip()
        kinds = types.get(name, {})
        found = {key.strip(): value for key, value in _CODER_PARAMETER.findall(match.group(2))}
        arguments = {key: _typed(value, kinds.get(key, "string")) for key, value in found.items()}
        calls.append(ToolCall(name=name, arguments=arguments))
        return ""

    content = _CODER_CALL.sub(take, text)
    return Said(content.strip() if calls else content, calls)


def _parameter_types(tools: ToolSchemas) -> dict[str, dict[str, str]]:
    """Return {tool: {parameter: JSON type}}; a parameter without one type is text."""
    found: dict[str, dict[str, str]] = {}
    for tool in tools:
        function = tool.get("function", tool)
        properties = (function.get("parameters") or {}).get("properties") or {}
        types = {name: schema.get("type") for name, schema in properties.items()}
        found[function["name"]] = {name: kind if isinstance(kind, str) else "string" for name, kind in types.items()}
    return found


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
    value = _json_value(word)
    return text if value is None else value


def parse_mistral(text: str, tools: ToolSchemas = ()) -> Said:
    """Return the text before the calls, and the calls; all is text where one of them cannot be read."""
    content, *parts = text.split(_MISTRAL_CALLS)
    calls: list[ToolCall] = []
    for part in parts:
        found = _listed(part) or _named(part)
        if not found:
            return Said(text, [])
        calls += found
    return Said(content if not calls else content.strip(), calls)


def _listed(part: str) -> list[ToolCall]:
    """Return the calls of tokenizers up to v7, a JSON list; none where it is another form."""
    values, _ = _decoded(part.lstrip(), 0)
    calls = [_call_of(value) for value in (values if isinstance(values, list) else [values])]
    return [call for call in calls if call is not None] if None not in calls else []


def _named(part: str) -> list[ToolCall]:
    """Return the call of tokenizers from v11 on, a name before its arguments."""
    match = _MISTRAL_NAME.match(part)
    arguments, _ = _decoded(part, match.end()) if match else (None, 0)
    return [ToolCall(name=match.group(1), arguments=arguments)] if match and isinstance(arguments, dict) else []


def parse_llama3_json(text: str, tools: ToolSchemas = ()) -> Said:
    """Return the text without its calls, and the calls: they begin with the first object that is a call."""
    start = text.find("{")
    for _ in range(MAX_STARTS):
        if start < 0:
            break
        calls, end = _joined_calls(text, start)
        if calls:
            return Said((text[:start].replace(_PYTHON_TAG, "") + text[end:]).strip(), calls)
        start = text.find("{", start + 1)
    return Said(text, [])


def _joined_calls(text: str, start: int) -> tuple[list[ToolCall], int]:
    """Return the calls from here on that semicolons join, and where they end."""
    calls: list[ToolCall] = []
    end = start
    while True:
        value, after = _decoded(text, start)
        call = _call_of(value)
        if call is None:
            return calls, end
        calls.append(call)
        end = after
        start = text.find("{", end)
        if start < 0 or text[end:start].strip() != ";":
            return calls, end


def parse_pythonic(text: str, tools: ToolSchemas = ()) -> Said:
    """Return the calls of a turn that is a list of calls; else its text. Python's parser reads it; nothing is run."""
    body = text.strip().removeprefix(_PYTHON_START).removesuffix(_PYTHON_END).strip()
    if not (body.startswith("[") and body.endswith("]")) or len(body) > MAX_CHARACTERS:
        return Said(text, [])
    try:
        tree = ast.parse(body, mode="eval").body
        calls = [_python_call(node) for node in tree.elts] if isinstance(tree, ast.List) else []
    except (SyntaxError, ValueError, TypeError, MemoryError, RecursionError):  # the last two: nested too deep
        return Said(text, [])
    return Said("", calls) if calls else Said(text, [])


def _python_call(node: ast.expr) -> ToolCall:
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.args:
        raise ValueError("no call with named arguments")
    arguments = {keyword.arg: ast.literal_eval(keyword.value) for keyword in node.keywords if keyword.arg is not None}
    if len(arguments) != len(node.keywords):
        raise ValueError("an argument without a name")
    if json.loads(json.dumps(arguments, allow_nan=False)) != arguments:
        raise ValueError("a literal that JSON does not have")
    return ToolCall(name=node.func.id, arguments=arguments)


def _call_of(value: Any) -> ToolCall | None:
    """Return the call in a JSON object with `name` and `arguments` (Llama: `parameters`); None where it is none."""
    if not isinstance(value, dict) or not isinstance(value.get("name"), str):
        return None
    arguments = value.get("arguments", value.get("parameters"))
    if isinstance(arguments, str):
        arguments = _json_value(arguments)
    if arguments is not None and not isinstance(arguments, dict):
        return None
    return ToolCall(name=value["name"], arguments=arguments or {})


def _json_value(text: str) -> Any:
    """Return the value of a JSON text; None where it is none, or nested too deep."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None


def _decoded(text: str, start: int) -> tuple[Any, int]:
    """Return the JSON value that begins here and where it ends; None where none does."""
    try:
        return _DECODER.raw_decode(text, start)
    except (ValueError, RecursionError):
        return None, start


DEFAULT_FORMAT = "hermes"
"""Of a policy whose template writes no calls, as that of the embedded ones."""

FORMATS: dict[str, ToolCallFormat] = {
    "hermes": parse_hermes,
    "qwen3_coder": parse_qwen3_coder,
    "mistral": parse_mistral,
    "llama3_json": parse_llama3_json,
    "pythonic": parse_pythonic,
}
"""Strict before lenient: the order in which a template's format is looked for."""
