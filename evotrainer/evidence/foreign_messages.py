"""Messages of other systems as the fields of Message: OpenAI's tool calls, ids of calls, content in parts.

What a policy thought stands in front of its text between tags, where servers of chat endpoints keep it apart. Calls
that a policy wrote as text are calls where a tool answers next: whoever ran the episode has read them.
"""

import json
from itertools import pairwise, takewhile
from typing import Any

from evotrainer.actions.tool_call_formats import FORMATS
from evotrainer.errors import EvidenceError
from evotrainer.evidence.formats.chat_text import told_by_tools

_ROLES = {"developer": "system", "function": "tool", "environment": "tool", "observation": "tool", "ipython": "tool"}
"""Names of others for roles; NeMo-RL's environments speak as `environment`."""
_OF_MESSAGES = ("ok", "num_tokens", "mean_logprob")
_THOUGHTS = ("reasoning_content", "reasoning", "thinking")
"""Names of servers for what a policy thought: keys of a message, and of a part of its content."""
_MASKS = frozenset({"loss_mask", "loss_weight", "loss", "in_loss", "weight", "trainable", "train", "training"})
"""Names under which messages say whether they are trained on, and with what weight."""
_TAGGED = ("hermes", "qwen3_coder")
"""Formats whose tags nothing else bears."""
_TAGS = ("<tool_call>", "<function=")


def messages_of(messages: Any, where: str) -> list[Any]:
    """Return OpenAI-style messages as the fields of Message."""
    if not isinstance(messages, list) or not all(isinstance(message, dict) for message in messages):
        raise EvidenceError(f"{where}: 'messages' is a list of objects with role and content")
    names: dict[str, str] = {}
    found = [_message(message, names, where, i) for i, message in enumerate(messages)]
    found = [one for message in found for one in _as_told(message)]
    for place, (message, after) in enumerate(pairwise(found)):
        if message["role"] == "assistant" and after["role"] == "tool" and not message["tool_calls"]:
            message.update(_as_called(message["content"]))
            _name_answers(message["tool_calls"], found[place + 1 :])
    return found


def _name_answers(calls: list[dict[str, Any]], after: list[dict[str, Any]]) -> None:
    """Name the tools that answer, as many calls in as many answers, in their order."""
    for call, answer in zip(calls, takewhile(lambda one: one["role"] == "tool", after), strict=False):
        answer["tool_name"] = answer["tool_name"] or call["name"]


def _as_told(message: dict[str, Any]) -> list[dict[str, Any]]:
    """Return a user's message that holds responses of tools alone as those; any other as it is."""
    told = (
        told_by_tools(message["content"]) if message["role"] == "user" and isinstance(message["content"], str) else []
    )
    return [{**message, "role": "tool", "content": one} for one in told] or [message]


def _as_called(text: Any) -> dict[str, Any]:
    """Return text and calls of a turn that writes its calls between tags; nothing where it holds none."""
    if not isinstance(text, str) or not any(tag in text for tag in _TAGS):
        return {}
    said = next((said for name in _TAGGED if (said := FORMATS[name](text, ())).calls), None)
    calls = [call.model_dump() for call in said.calls] if said else []
    return {"content": said.content.strip(), "tool_calls": calls} if said else {}


def loss_by_role(messages: Any) -> dict[str, float]:
    """Return which share of messages the loss holds, by who wrote them; nothing where no message has a mask of it.

    `policy`: the assistant's, which are in it unless they say no; `tools`, `prompt` (what stands before the first of
    the assistant) and `users` (what others say behind it), which are not unless they say so. A mask by token counts
    where any is above 0.
    """
    known = [message for message in messages if isinstance(message, dict)] if isinstance(messages, list) else []
    masked = [message for message in known if not _MASKS.isdisjoint(message)]
    name = next((key for message in masked for key in sorted(_MASKS) if _is_mask(key, message.get(key))), None)
    if name is None:
        return {}
    roles = [_ROLES.get(str(message.get("role")), message.get("role")) for message in known]
    first = roles.index("assistant") if "assistant" in roles else len(roles)
    parts: dict[str, list[bool]] = {"policy": [], "tools": [], "prompt": [], "users": []}
    for place, (message, role) in enumerate(zip(known, roles, strict=True)):
        part = {"assistant": "policy", "tool": "tools"}.get(str(role), "prompt" if place < first else "users")
        value = message.get(name)
        parts[part].append(_is_in_loss(value) if _is_mask(name, value) else part == "policy")
    return {part: sum(values) / max(len(values), 1) for part, values in parts.items()}


def _is_mask(name: str, value: Any) -> bool:
    """Tell whether a value says what is in the loss: from 0 to 1, by token too. A number named `loss` is measured."""
    values = value if isinstance(value, list) and value else [value]
    kinds = bool if name == "loss" else int | float
    return all(isinstance(one, kinds) and 0 <= one <= 1 for one in values)


def _is_in_loss(value: Any) -> bool:
    return any(one > 0 for one in value) if isinstance(value, list) else value > 0


def _message(message: dict[str, Any], names: dict[str, str], where: str, number: int) -> dict[str, Any]:
    role, content, calls = message.get("role"), message.get("content"), message.get("tool_calls") or []
    if not isinstance(calls, list):
        raise EvidenceError(f"{where}: message {number}: 'tool_calls' is a list of calls")
    text = content if isinstance(content, str) else _content(content)
    named: dict[str, Any] = {
        "role": _ROLES.get(str(role), role),
        "content": _thought(message) + text if role == "assistant" and isinstance(text, str) else text,
        "tool_calls": [_call(call, names, f"{where}: message {number}") for call in calls],
        "tool_name": _tool_name(message, names),
    }
    for key in _OF_MESSAGES:
        if (value := message.get(key)) is not None:
            named[key] = value
    return named


def _thought(message: dict[str, Any]) -> str:
    """Return what a message's policy thought, between tags; nothing where it holds none, or its text has it already."""
    content = message.get("content")
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    values = (one.get(name) for one in (message, *parts) for name in _THOUGHTS)
    thoughts = list(dict.fromkeys(value for value in values if isinstance(value, str) and value.strip()))
    if not thoughts or (isinstance(content, str) and "</think>" in content):
        return ""
    thought = "\n".join(thoughts).strip()
    return f"<think>\n{thought}\n</think>\n\n"


def _tool_name(message: dict[str, Any], names: dict[str, str]) -> Any:
    """Return the tool that a message answers for: by column `tool`, by the id of its call, by OpenAI's older `name`."""
    if message.get("tool_name") is not None or message.get("role") not in ("tool", "function"):
        return message.get("tool_name")
    return names.get(str(message.get("tool_call_id")), message.get("name"))


def _content(content: Any) -> Any:
    """Return text; of content in parts, the text parts."""
    if isinstance(content, list):
        return "".join(str(part.get("text") or "") for part in content if isinstance(part, dict))
    return "" if content is None else content


def _call(call: Any, names: dict[str, str], where: str) -> dict[str, Any]:
    """Return one tool call, which verifiers writes as text; arguments that are not JSON are kept under `_text`."""
    if isinstance(call, str):
        call = _parsed(call)
    function = (call.get("function") or call) if isinstance(call, dict) else None
    if not isinstance(function, dict):
        raise EvidenceError(f"{where}: a tool call is an object with name and arguments")
    arguments = function.get("arguments") or {}
    if isinstance(arguments, str):
        parsed = _parsed(arguments)
        arguments = parsed if isinstance(parsed, dict) else {"_text": arguments}
    if call.get("id"):
        names[str(call["id"])] = function.get("name", "")
    return {"name": function.get("name"), "arguments": arguments}


def _parsed(text: str) -> Any:
    """Return what a text says as JSON; None where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return None
