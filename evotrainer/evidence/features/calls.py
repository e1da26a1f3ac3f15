"""The tool calls of each turn and whether they failed, stored beside the text or written in it.

Some scaffolds have no calls beside the text: the policy writes `<function=NAME>` tags, Hermes tags, or one block of
shell, and the next message holds the answer. Such text is read as calls only in a trajectory of several turns without
any stored call, so that code in an answer is never taken for an action. Where a message does not say whether a call
succeeded, the table's `failed_edits` match the answers of failed edits. Tags that may stay open are patterns of RE2,
which reads any text in linear time.
"""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

import re2

from evotrainer.actions import ActionClassifier
from evotrainer.actions.tool_call_formats import TOOL_CALL
from evotrainer.records import Message, ToolCall

_FUNCTION = re.compile(r"<function=([\w.-]+)>(.*?)(?:</function>|\Z)", re.DOTALL)
_PARAMETER = re2.compile(r"(?s)<parameter=([\w.-]+)>\n?(.*?)\n?</parameter>")
_TAGGED = re2.compile(r"(?s)<mswea_bash_command>(.*?)</mswea_bash_command>")
_BLOCK = re.compile(r"^```(?:bash|sh|shell|console|mswea_bash_command)?[ \t]*\n(.*?)^```", re.DOTALL | re.MULTILINE)


class Call(NamedTuple):
    """One tool call; equal keys are equal calls, and `answer` is the message that follows on it, where there is one."""

    call: ToolCall
    key: str
    answer: Message | None


def calls_by_turn(messages: Sequence[Message], classifier: ActionClassifier) -> list[list[Call]]:
    """Return the calls of each assistant message, in order."""
    turns = [place for place, message in enumerate(messages) if message.role == "assistant"]
    is_text = len(turns) > 1 and not any(messages[place].tool_calls for place in turns)
    found: list[list[Call]] = []
    for place in turns:
        message = messages[place]
        made = _written_calls(message.content, classifier) if is_text else message.tool_calls
        answered = enumerate(made, start=place + 1)
        found.append([Call(call, call_key(call), _answer(messages, after)) for after, call in answered] if made else [])
    return found


def call_key(call: ToolCall) -> str:
    """Return a text that is the same for equal calls."""
    return f"{call.name} {sorted(call.arguments.items())}"


def has_failed(call: Call, classifier: ActionClassifier) -> bool:
    """Tell whether an edit is known to have failed, by its answer."""
    if call.answer is None:
        return False
    return not call.answer.ok if call.answer.ok is not None else classifier.tells_failed_edit(call.answer.content)


def _answer(messages: Sequence[Message], place: int) -> Message | None:
    return messages[place] if place < len(messages) and messages[place].role != "assistant" else None


def _written_calls(text: str, classifier: ActionClassifier) -> list[ToolCall]:
    """Return the calls that a message writes out, in the first form that it uses."""
    if "<function=" in text:
        found = [
            ToolCall(name=name, arguments=dict(_PARAMETER.findall(body))) for name, body in _FUNCTION.findall(text)
        ]
    elif "<tool_call>" in text:
        found = [call for body in TOOL_CALL.findall(text) if (call := _hermes_call(body)) is not None]
    else:
        commands = _TAGGED.findall(text) or _BLOCK.findall(text)[-1:]
        found = [_command_call(command.strip(), classifier) for command in commands]
    return found


def _hermes_call(body: str) -> ToolCall | None:
    try:
        value = json.loads(body)
    except (ValueError, RecursionError):
        return None
    arguments = value.get("arguments")
    return ToolCall(name=str(value.get("name", "")), arguments=arguments if isinstance(arguments, dict) else {})


def _command_call(command: str, classifier: ActionClassifier) -> ToolCall:
    """Return a block as a call: of the tool that its first word names, or else of a shell."""
    words = command.split(maxsplit=2)[:2]
    if words and classifier.is_command(words[0]):
        return ToolCall(name=words[0], arguments={"path": words[1]} if len(words) > 1 else {})
    return ToolCall(name="bash", arguments={"command": command})
