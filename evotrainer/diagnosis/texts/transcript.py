"""An attempt taken apart once, for all that reads its texts: what was asked, what was said, what answered."""

from collections.abc import Sequence
from typing import NamedTuple

from evotrainer.records import Message, Trajectory


class Transcript(NamedTuple):
    """The parts of one attempt."""

    row: Trajectory
    asked: Sequence[Message]
    """All messages before the policy's first one."""
    said: Sequence[Message]
    """The policy's messages."""
    since: Sequence[Message]
    """All messages from the policy's first one on."""
    answers: Sequence[str]
    """The texts of those of others among them: of tools, of users."""
    prompt: str
    """The text before the policy's first message."""
    text: str
    """All that the policy wrote."""
    has_calls: bool
    """Whether it called a tool beside its text."""


def transcript(row: Trajectory) -> Transcript:
    """Return the parts of an attempt."""
    messages = row.messages
    first = next((place for place, message in enumerate(messages) if message.role == "assistant"), len(messages))
    asked, since = messages[:first], messages[first:]
    said = [message for message in since if message.role == "assistant"]
    return Transcript(
        row,
        asked,
        said,
        since,
        [message.content for message in since if message.role != "assistant"] if len(said) < len(since) else [],
        asked[0].content if first == 1 else "\n".join([message.content for message in asked]),
        said[0].content if len(said) == 1 else "\n".join([message.content for message in said]),
        any(message.tool_calls for message in said),
    )
