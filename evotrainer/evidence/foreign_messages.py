"""Messages of other systems as the fields of Message: OpenAI's tool calls, ids of calls, content in parts."""

import json
from typing import Any

from evotrainer.errors import EvidenceError

_ROLES = {"developer": "system", "function": "tool"}
_OF_MESSAGES = ("ok", "num_tokens", "mean_logprob")


def messages_of(messages: Any, where: str) -> list[Any]:
    """Return OpenAI-style messages as the fields of Message."""
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise EvidenceError(f"{where}: 'messages' is a list of objects with role and content")
    names: dict[str, str] = {}
    return [_message(message, names, where, i) for i, message in enumerate(messages)]


def _message(message: dict[str, Any], names: dict[str, str], where: str, number: int) -> dict[str, Any]:
    role, content, calls = message.get("role"), message.get("content"), message.get("tool_calls") or []
    if not isinstance(calls, list):
        raise EvidenceError(f"{where}: message {number}: 'tool_calls' is a list of calls")
    named: dict[str, Any] = {
        "role": _ROLES.get(str(role), role),
        "content": content if isinstance(content, str) else _content(content),
        "tool_calls": [_call(call, names, f"{where}: message {number}") for call in calls],
        "tool_name": _tool_name(message, names),
    }
    for key in _OF_MESSAGES:
        if (value := message.get(key)) is not None:
            named[key] = value
    return named


def _tool_name(message: dict[str, Any], names: dict[str, str]) -> Any:
    """Return the tool that a message answers for: by column `tool`, by the id of its call, by OpenAI's older `name`."""
    if message.get("tool_name") is not None or message.get("role") not in ("tool", "function"):
        return message.get("tool_name")
    return names.get(str(message.get("tool_call_id")), message.get("name"))


def _content(content: Any) -> Any:
    """Return text; of content in parts, the text parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return "" if content is None else content


def _call(call: Any, names: dict[str, str], where: str) -> dict[str, Any]:
    """Return one tool call; arguments that are not JSON are kept under `_text`."""
    function = (call.get("function") or call) if isinstance(call, dict) else None
    if not isinstance(function, dict):
        raise EvidenceError(f"{where}: a tool call is an object with name and arguments")
    arguments = function.get("arguments") or {}
    if isinstance(arguments, str):
        try:
            parsed = json.loads(arguments)
        except (ValueError, RecursionError):
            parsed = arguments
        arguments = parsed if isinstance(parsed, dict) else {"_text": arguments}
    if call.get("id"):
        names[str(call["id"])] = function.get("name", "")
    return {"name": function.get("name"), "arguments": arguments}
