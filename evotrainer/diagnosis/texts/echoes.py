"""Actions of an attempt that repeat an earlier one and are answered the same."""

from collections.abc import Iterator, Sequence

from evotrainer.evidence.features.calls import call_key
from evotrainer.records import Message


def repeated_actions(messages: Sequence[Message]) -> tuple[int, int]:
    """Return how many actions repeat one before with the same answer, and how many there are.

    An action is a tool call; in an attempt without any, a message that is answered by someone.
    """
    met, echoes, actions = set(), 0, 0
    for key in _answered(messages):
        actions += 1
        echoes += key in met
        met.add(key)
    return echoes, actions


def _answered(messages: Sequence[Message]) -> Iterator[tuple[str, str]]:
    has_calls = any(message.tool_calls for message in messages)
    for place, message in enumerate(messages):
        if message.role != "assistant":
            continue
        keys = [call_key(call) for call in message.tool_calls] if has_calls else [message.content.strip()]
        for number, key in enumerate(keys, start=1):
            after = messages[place + number] if place + number < len(messages) else None
            if after is not None and after.role != "assistant":
                yield key, after.content
