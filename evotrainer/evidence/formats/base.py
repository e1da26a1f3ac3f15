"""What a rollout format does: rows that another system wrote to the columns of docs/evidence.md, and back.

`read` gives the columns that it knows; every other column of the row is kept, and ends in `extra`. `write` gives a row
in the other system's names; a column of ours that it has no name for stands beside, under our name, so that reading the
row again gives the same attempt.
"""

import hashlib
import json
import sys
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Any, TypeGuard

from evotrainer.evidence.formats.chat_text import asked_turns, said_turns
from evotrainer.records import Message, Trajectory

Values = dict[str, Any]

OWN_COLUMNS = ("trajectory_id", "problem_id", "group_id", "attempt", "split", "domain", "policy_id", "num_tokens")
"""Columns that identify an attempt: other systems have no names for most of them."""

CORRECT_WORDS = ("correct", "accuracy", "acc", "solved", "passed", "pass", "resolved")
"""A measure whose name has one of these words, and whose values are 0 and 1, is the correctness of an attempt."""


@dataclass(frozen=True)
class RolloutFormat:
    """One system's rows."""

    keys: str
    """The keys that its rows are recognised by, for a person."""
    is_row: Callable[[Values], bool]
    read: Callable[[Values, Collection[str]], Values]
    """The columns of a row, by our names; what it leaves out is unknown. ValidationError: it has another shape.

    The second argument names measures that elsewhere in the rows are no mark of right or wrong.
    """
    write: Callable[[Trajectory], Values]
    is_step_in_name: bool = False
    """Whether the optimiser step is the number in a file's name, where no column holds it."""


def named_by(text: str) -> str:
    """Return a problem's name where a system gives none: a hash of what it asks."""
    return hashlib.sha256(text.encode(errors="replace")).hexdigest()[:16]


def text_of(messages: Any) -> str:
    """Return a prompt or a completion as text, whether it is text or a list of messages."""
    if isinstance(messages, str):
        return messages
    return "\n".join(str(message.get("content") or "") for message in messages or [] if isinstance(message, dict))


def messages_of(prompt: Any, completion: Any) -> list[Values]:
    """Return the messages of a prompt and its completion, each a list of messages, or text whose turns are known."""
    if isinstance(prompt, str):
        prompt = asked_turns(prompt) or [{"role": "user", "content": prompt}]
    if isinstance(completion, str):
        completion = said_turns(completion) or [{"role": "assistant", "content": completion}]
    return [*shown(list(prompt or [])), *(completion or [])]


def shown(prompt: list[Any]) -> list[Any]:
    """Return the messages of a prompt, an assistant's among them as what the policy was shown, and did not write."""
    return [_as_shown(one) if isinstance(one, dict) and one.get("role") == "assistant" else one for one in prompt]


def _as_shown(message: Values) -> Values:
    """Return a message of an assistant as one of the user, its calls as text."""
    parts = [message[name] for name in ("content", "tool_calls") if message.get(name)]
    texts = [part if isinstance(part, str) else json.dumps(part, ensure_ascii=False) for part in parts]
    return {"role": "user", "content": "\n".join(["assistant:", *texts])}


def correctness(measures: Mapping[str, Any], graded: Collection[str]) -> float | None:
    """Return the correctness among named measures: the first with such a name, and the value 0 or 1 as in all rows."""
    for name, value in measures.items():
        if name not in graded and _is_of_correctness(name) and value in (0, 1):
            return float(value)
    return None


def graded_measures(values: Mapping[str, Any], depth: int = 2) -> set[str]:
    """Return the names in a row, or in its objects, that would be correctness and are a count or a share here."""
    found: set[str] = set()
    for name, value in values.items():
        if isinstance(value, dict) and depth > 1:
            found |= graded_measures(value, depth - 1)
        value = value.get("score") if isinstance(value, dict) else value
        if is_number(value) and value not in (0, 1) and _is_of_correctness(str(name)):
            found.add(str(name))
    return found


def _is_of_correctness(name: str) -> bool:
    words = name.lower().replace("-", "_").split("_")
    return any(word in words for word in CORRECT_WORDS)


def numbers(values: Mapping[str, Any]) -> dict[str, float]:
    """Return the values that are numbers; truth values among them."""
    return {name: float(value) for name, value in values.items() if is_number(value)}


def is_number(value: Any) -> TypeGuard[float]:
    """Tell whether a value is a number or a truth value, and no integer beyond what a float holds."""
    return isinstance(value, float) or (isinstance(value, int) and abs(value) <= sys.float_info.max)


def own_columns(row: Trajectory) -> Values:
    """Return the columns of ours that identify an attempt, by our names."""
    return {name: getattr(row, name) for name in OWN_COLUMNS}


def split_turns(row: Trajectory) -> tuple[list[Message], list[Message]]:
    """Return the messages before the first of the assistant, and all others."""
    first = next((place for place, message in enumerate(row.messages) if message.role == "assistant"), None)
    return (row.messages[:first], row.messages[first:]) if first is not None else (row.messages, [])


def openai_messages(messages: list[Message]) -> list[Values]:
    """Return messages in OpenAI's form; ids of calls are numbers in their order."""
    found: list[Values] = []
    num_calls = num_answers = 0
    for message in messages:
        values: Values = {"role": message.role, "content": message.content}
        if message.tool_calls:
            values["tool_calls"] = [
                {
                    "id": f"call_{num_calls + place}",
                    "type": "function",
                    "function": {"name": call.name, "arguments": json.dumps(call.arguments)},
                }
                for place, call in enumerate(message.tool_calls)
            ]
            num_calls += len(message.tool_calls)
        if message.role == "tool":
            values["tool_call_id"] = f"call_{num_answers}"
            num_answers += 1
            values |= {"name": message.tool_name} if message.tool_name else {}
        kept = {"ok": message.ok, "num_tokens": message.num_tokens, "mean_logprob": message.mean_logprob}
        found.append(values | {name: value for name, value in kept.items() if value is not None})
    return found
