"""What was said, from any form in which systems write it, as turns: text of a chat template, messages of OpenAI,
Anthropic, ShareGPT and the Responses API, steps of action and observation, questions and replies.

What a policy thought stands in front of its text between tags. Calls that a policy wrote as text are calls where a tool
answers next: whoever ran the episode has read them. What is not known of an answer of a tool, whether the call failed,
is None.
"""

import json
import re
from itertools import pairwise
from typing import Any, NamedTuple

from evotrainer.actions.tool_call_formats import FORMATS
from evotrainer.evidence.foreign.chat_text import asked_turns, said_turns, told_by_tools
from evotrainer.evidence.foreign.names import names, role_named

_TEMPLATE = re.compile(r"<\|im_start\|>|<\|start_header_id\|>|<start_of_turn>|\n(?:user|tool)\n\s*<tool_response>")
_CALLED = re.compile(
    r"(</(?:search|python|code|tool|tool_call|execute|sql|bash|query)>|```)\s*"
    r"(?:<(information|result|results|output|observation|tool_response|interpreter|documents)>(.*?)</\2>"
    r"|```(?:output|text output)\n(.*?)```)",
    re.DOTALL,
)
"""A call between tags or fences, and the answer that the environment put behind it."""
_LIMIT = 2**63
_TAGGED = ("hermes", "qwen3_coder")


class Turn(NamedTuple):
    """One message. `calls` are pairs of a tool's name and its arguments as JSON."""

    role: str
    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    tool: str | None = None
    ok: bool | None = None
    num_tokens: int | None = None
    mean_logprob: float | None = None
    is_policy: bool = False


def has_turns(text: str) -> bool:
    """Tell whether a text may hold more than one turn."""
    return ("<" in text or "```" in text) and (_TEMPLATE.search(text) is not None or _CALLED.search(text) is not None)


def turns_of(value: Any, speaker: str = "user") -> list[Turn]:
    """Return the turns of a value; `speaker` has said what names no other role."""
    if value is None:
        return []
    if isinstance(value, str):
        return _of_text(value, speaker)
    if isinstance(value, dict):
        return _of_object(value, speaker)
    if not isinstance(value, list):
        return [Turn(speaker, str(value))]
    if all(isinstance(one, str) or one is None for one in value):
        return _of_text("\n".join(one or "" for one in value), speaker)
    found = [turn for one in value for turn in turns_of(one, speaker)]
    return _with_written_calls(_joined(_named(found, value)))


def _of_text(text: str, speaker: str) -> list[Turn]:
    if not has_turns(text):
        return [Turn(speaker, text, is_policy=speaker == "assistant")]
    parsed = said_turns(text) if speaker == "assistant" else asked_turns(text)
    if parsed:
        turns = [Turn(one["role"], one["content"], is_policy=one["role"] == "assistant") for one in parsed]
        return _with_written_calls(turns)
    return _between_answers(text) if speaker == "assistant" else [Turn(speaker, text)]


def _between_answers(text: str) -> list[Turn]:
    """Return a reply in which an environment answered: the policy's parts, and the answers."""
    found, place = [], 0
    for match in _CALLED.finditer(text):
        said = text[place : match.end(1)]
        answer = match.group(3) if match.group(3) is not None else match.group(4)
        found += [Turn("assistant", said, is_policy=True), Turn("tool", answer.strip("\n"))]
        place = match.end()
    rest = text[place:]
    return [*found, Turn("assistant", rest, is_policy=True)] if rest.strip() or not found else found


def _of_object(one: dict[str, Any], speaker: str) -> list[Turn]:
    """Return the turns of an object: a message, an item of the Responses API, a step, a reply of a server."""
    if "actions" in one and "observations" in one:
        steps = zip(one["actions"] or [], one["observations"] or [], strict=False)
        return [turn for action, seen in steps for turn in _step({"action": action, "observation": seen})]
    if "choices" in one and isinstance(one["choices"], list):
        first = one["choices"][0] if one["choices"] else {}
        return turns_of(first.get("message") or first.get("text"), speaker)
    if "output" in one and isinstance(one["output"], list):
        return turns_of(one["output"], speaker)
    if "observation" in one and "action" in one:
        return _step(one)
    if "question" in one and ("response" in one or "answer" in one):
        reply = one.get("response", one.get("answer"))
        return [Turn("assistant", _text(one["question"]), is_policy=True), Turn("user", _text(reply))]
    kind = one.get("type")
    if kind == "function_call_output":
        return [Turn("tool", _text(one.get("output")), ok=_ok(one))]
    if isinstance(kind, str) and kind.endswith("_call"):
        return [Turn("assistant", calls=(_call(one),), is_policy=True)]
    if kind == "reasoning":
        return [Turn("assistant", _thought(one, ""), is_policy=True)]
    return _message(one, speaker)


def _step(one: dict[str, Any]) -> list[Turn]:
    """Return a step of an agent as what it wrote and what it saw."""
    said = one.get("response") or "\n".join(_text(one[key]) for key in ("thought", "action") if one.get(key))
    seen = [Turn("tool", _text(one.get("observation")))] if one.get("observation") is not None else []
    return [Turn("assistant", _text(said), is_policy=True), *seen]


def _message(one: dict[str, Any], speaker: str) -> list[Turn]:
    named = one.get("role", one.get("from", one.get("speaker")))
    role = speaker if named is None else role_named(named)
    content = next((one[key] for key in names()["message_texts"] if one.get(key) is not None), None)
    parts = [part for part in content if isinstance(part, dict)] if isinstance(content, list) else []
    results = [part for part in parts if part.get("type") == "tool_result"]
    if results:
        return [Turn("tool", _text(part.get("content")), ok=_ok(part)) for part in results]
    text = _text(content)
    if role == "user" and "<tool_response>" in text and (told := told_by_tools(text)):
        return [Turn("tool", part) for part in told]
    if role == "tool":
        name = one.get("tool_name") or one.get("name") or one.get("function")
        return [Turn(role, text, tool=name if isinstance(name, str) else None, ok=_ok(one))]
    if role != "assistant":
        return [Turn(role, text)]
    listed = one.get("tool_calls") or ([one["function_call"]] if one.get("function_call") else [])
    used = [part for part in parts if part.get("type") == "tool_use"]
    calls = tuple(_call(call) for call in (*(listed if isinstance(listed, list) else []), *used))
    count, mean = one.get("num_tokens"), one.get("mean_logprob")
    return [
        Turn(
            role,
            _thought(one, text, parts) + text,
            calls,
            num_tokens=count if isinstance(count, int) and abs(count) < _LIMIT else None,
            mean_logprob=mean if isinstance(mean, float) else None,
            is_policy=not one.get("is_demo"),
        )
    ]


def _text(content: Any) -> str:
    """Return text; of content in parts, the text parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = [part.get("text") if isinstance(part, dict) else part for part in content]
        return "".join(str(part) for part in parts if part is not None)
    return "" if content is None else json.dumps(content, ensure_ascii=False)


def _thought(one: dict[str, Any], text: str, parts: list[Any] | None = None) -> str:
    """Return what a policy thought, between tags; nothing where it holds none, or its text has it already."""
    values = [holder.get(name) for holder in (one, *(parts or ())) for name in names()["thoughts"]]
    thoughts = list(dict.fromkeys(said for value in values if value and (said := _text(value).strip())))
    thought = "\n".join(thoughts)
    return "" if not thoughts or "</think>" in text else f"<think>\n{thought}\n</think>\n\n"


def _ok(one: dict[str, Any]) -> bool | None:
    """Return whether a call succeeded, where the tool's message says so."""
    for name in ("ok", "success", "is_success"):
        if isinstance(one.get(name), bool):
            return one[name]
    if isinstance(one.get("is_error"), bool):
        return not one["is_error"]
    if isinstance(one.get("error"), bool):
        return not one["error"]
    if one.get("error"):
        return False
    return {"success": True, "ok": True, "error": False, "failed": False}.get(str(one.get("status")).lower())


def _call(call: Any) -> tuple[str, str]:
    """Return name and arguments of a tool call, which some write as text."""
    if isinstance(call, str):
        call = _parsed(call)
        if isinstance(call, str):
            return "", json.dumps(call)
    function = call.get("function") if isinstance(call, dict) else None
    holder = function if isinstance(function, dict) else call if isinstance(call, dict) else {}
    name = holder.get("name") or (function if isinstance(function, str) else holder.get("type")) or ""
    arguments = holder.get("arguments", holder.get("input", holder.get("parameters")))
    if isinstance(arguments, str):
        return str(name), arguments
    return str(name), json.dumps(arguments or {}, ensure_ascii=False)


def _named(turns: list[Turn], value: list[Any]) -> list[Turn]:
    """Return the turns, answers of tools named by the ids of their calls, or by their order."""
    tools: dict[str, str] = {}
    for one in value:
        calls = one.get("tool_calls") if isinstance(one, dict) else None
        listed = calls if isinstance(calls, list) else [one] if isinstance(one, dict) and one.get("call_id") else []
        for call in listed:
            parsed = _parsed(call)
            if isinstance(parsed, dict) and (known := parsed.get("id") or parsed.get("call_id")):
                tools.setdefault(str(known), _call(parsed)[0])
    answers = [
        tools.get(str(one.get("tool_call_id") or one.get("call_id") or one.get("id")))
        for one in value
        if isinstance(one, dict)
        and (role_named(one.get("role")) == "tool" or one.get("type") == "function_call_output")
    ]
    places = [place for place, turn in enumerate(turns) if turn.role == "tool"]
    if len(places) != len(answers):
        return turns
    found = list(turns)
    for place, name in zip(places, answers, strict=True):
        found[place] = found[place]._replace(tool=found[place].tool or name)
    return found


def _parsed(call: Any) -> Any:
    """Return a call that is written as JSON as an object, else as it is."""
    try:
        return json.loads(call) if isinstance(call, str) else call
    except (ValueError, RecursionError):
        return call


def _joined(turns: list[Turn]) -> list[Turn]:
    """Return the turns, a thought in front of what follows it, and calls of one turn together."""
    found: list[Turn] = []
    for turn in turns:
        before = found[-1] if found else None
        is_thought = before is not None and before.text.startswith("<think>") and before.text.endswith("</think>\n\n")
        is_call = bool(turn.calls) and not turn.text
        if before is not None and before.role == turn.role == "assistant" and not before.calls and is_thought:
            found[-1] = turn._replace(text=before.text + turn.text)
        elif before is not None and before.role == turn.role == "assistant" and is_call and before.num_tokens is None:
            found[-1] = before._replace(calls=before.calls + turn.calls)
        else:
            found.append(turn)
    return found


def _with_written_calls(turns: list[Turn]) -> list[Turn]:
    """Return the turns, calls that a policy wrote between tags as such where a tool answers next."""
    found = list(turns)
    for place, (turn, after) in enumerate(pairwise(turns)):
        if turn.role != "assistant" or after.role != "tool" or turn.calls:
            continue
        if "<tool_call>" not in turn.text and "<function=" not in turn.text:
            continue
        said = next((said for name in _TAGGED if (said := FORMATS[name](turn.text, ())).calls), None)
        if said is not None:
            calls = tuple((call.name, json.dumps(call.arguments, ensure_ascii=False)) for call in said.calls)
            found[place] = turn._replace(text=said.content.strip(), calls=calls)
            if after.tool is None and len(calls) == 1:
                found[place + 1] = after._replace(tool=calls[0][0])
    return found
