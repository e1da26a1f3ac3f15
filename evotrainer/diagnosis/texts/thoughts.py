"""What a policy thinks before it answers: between tags, and before the last line or sentence of its text.

Templates that end a prompt with the opening tag leave the closing one alone in the text.
"""

import re
from collections.abc import Sequence

from evotrainer.diagnosis.texts.answer_marks import last_line
from evotrainer.records import Message

_BEGIN = re.compile(r"<(?:think|thinking|thought)>")
_END = re.compile(r"</(?:think|thinking|thought)>")
_SENTENCE = re.compile(r"(?<=[.!?。])\s+")


def behind_thoughts(text: str) -> str:
    """Return what stands behind the last thought; the whole text where none ends."""
    return _END.split(text)[-1] if "</th" in text else text


def thought_chars(said: Sequence[Message]) -> float:
    """Return how many signs all messages hold between tags of thought, or behind an opening one that nothing closes."""
    return float(sum(map(_thought_chars, (message.content for message in said if ">" in message.content))))


def _thought_chars(text: str) -> int:
    *closed, rest = _END.split(text)
    thoughts = [_BEGIN.split(part)[-1] for part in closed] + _BEGIN.split(rest)[1:]
    return sum(len(thought.strip()) for thought in thoughts)


def reasoning_chars(text: str) -> float:
    """Return how many signs stand before the last line of a text; of one line, before its last sentence."""
    line = last_line(text)
    if len(line) < len(text.strip()):
        return float(len(text) - len(line))
    return float(len(line) - len(_SENTENCE.split(line.strip())[-1]))
