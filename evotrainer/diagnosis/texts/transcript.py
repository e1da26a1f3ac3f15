"""An attempt taken apart once, for all that reads its texts: what was asked, what was said, what answered."""

from collections.abc import Sequence
from typing import NamedTuple

from evotrainer.records import Message, Trajectory


class Transcript(NamedTuple):
    """The parts of one attempt."""

    row: Trajectory
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
    roles = [message.role for message in messages]
    first = roles.index("assistant") if "assistant" in roles else len(roles)
    since = messages[first:]
    said = [message for message in since if message.role == "assistant"]
    return Transcript(
        row,
        said,
        since,
        [message.content for message in since if message.role != "assistant"] if len(said) < len(since) else [],
        messages[0].content if first == 1 else "\n".join([message.content for message in messages[:first]]),
        said[0].content if len(said) == 1 else "\n".join([message.content for message in said]),
        any(message.tool_calls for message in said),
    )
