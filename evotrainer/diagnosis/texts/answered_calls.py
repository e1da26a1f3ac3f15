"""Calls of tools and what was answered to each."""

from collections.abc import Iterator, Sequence

from evotrainer.records import Message, ToolCall


def answered_calls(messages: Sequence[Message]) -> Iterator[tuple[ToolCall, str]]:
    """Yield each call with the text of the message that answers it, in their order."""
    for place, message in enumerate(messages):
        for number, call in enumerate(message.tool_calls, start=1):
            after = messages[place + number] if place + number < len(messages) else None
            if after is not None and after.role != "assistant":
                yield call, after.content
