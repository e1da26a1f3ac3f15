"""The formats of Mistral, after the token [TOOL_CALLS].

    [TOOL_CALLS] [{"name": "read_file", "arguments": {"path": "a.py"}, "id": "000000001"}]    tokenizers up to v7
    [TOOL_CALLS]read_file{"path": "a.py"}                                                     from v11 on
    [TOOL_CALLS]read_file[CALL_ID]000000001[ARGS]{"path": "a.py"}                             v11 to v13

Later tokenizers repeat the token before each call. What stands before the first token is text.
"""

import json
import re

from evotrainer.actions.tool_call_formats.base import Said, ToolSchemas, call_of
from evotrainer.records import ToolCall

TOOL_CALLS = "[TOOL_CALLS]"

_NAMED = re.compile(r"\s*([\w.-]{1,100})(?:\[CALL_ID\]\w{1,40})?(?:\[ARGS\])?\s*(?=\{)")
_DECODER = json.JSONDecoder()


def parse_mistral(text: str, tools: ToolSchemas = ()) -> Said:
    """Return the text before the calls, and the calls; all is text where one of them cannot be read."""
    content, *parts = text.split(TOOL_CALLS)
    calls: list[ToolCall] = []
    for part in parts:
        found = _listed(part) or _named(part)
        if not found:
            return Said(text, [])
        calls += found
    return Said(content if not calls else content.strip(), calls)


def _listed(part: str) -> list[ToolCall]:
    try:
        values, _ = _DECODER.raw_decode(part.lstrip())
    except (ValueError, RecursionError):
        return []
    calls = [call_of(value) for value in (values if isinstance(values, list) else [values])]
    return [call for call in calls if call is not None] if None not in calls else []


def _named(part: str) -> list[ToolCall]:
    match = _NAMED.match(part)
    if match is None:
        return []
    try:
        arguments, _ = _DECODER.raw_decode(part, match.end())
    except (ValueError, RecursionError):
        return []
    return [ToolCall(name=match.group(1), arguments=arguments)]
