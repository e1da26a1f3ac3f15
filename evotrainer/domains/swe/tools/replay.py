"""The files that an episode ended with, from its messages alone, on a fresh working copy: for the grader.

Only calls that the environment answered are repeated: the calls of a cut message never ran, those after submit neither.
"""

from collections.abc import Iterator, Sequence

from evotrainer.domains.swe.checkout.working_copy import WorkingCopy
from evotrainer.domains.swe.tools.calls import CHANGES, Tools
from evotrainer.domains.swe.tools.observation import Answer
from evotrainer.records import Message, ToolCall


def answered_calls(messages: Sequence[Message]) -> Iterator[tuple[ToolCall, Message]]:
    """Yield each call that was executed, with its answer, in order."""
    pending: list[ToolCall] = []
    for message in messages:
        if message.role == "assistant":
            pending = list(message.tool_calls)
        elif message.role == "tool" and pending:
            yield pending.pop(0), message


def replay(messages: Sequence[Message], copy: WorkingCopy) -> Tools:
    """Repeat the calls that can change files; return the tools, which know the paths they wrote."""
    tools = Tools(copy, lambda path: Answer(""))
    for call, _ in answered_calls(messages):
        if call.name in CHANGES:
            tools.call(call)
    return tools
