"""What was asked of an attempt: its system prompt, the language of its question, a chat template applied twice."""

import re
import zlib
from collections.abc import Sequence
from typing import Any

from evotrainer.diagnosis.texts.languages import language
from evotrainer.diagnosis.texts.transcript import Transcript
from evotrainer.records import Message

_DIGITS = re.compile(r"\d+")
_MAX_CHARS = 6000
_TEMPLATE = re.compile(
    r"<\|im_start\|>\w+\s+<\|im_start\|>|<start_of_turn>\w+\s+<start_of_turn>|\[INST\]\s*(?:<s>)?\s*\[INST\]"
    r"|<\|start_header_id\|>\w+<\|end_header_id\|>\s+(?:<\|begin_of_text\|>)?<\|start_header_id\|>"
)
"""A turn that begins with the mark of another turn."""


def asked_columns(attempts: Sequence[Transcript]) -> dict[str, list[Any]]:
    """Return the columns of what was asked, a value an attempt."""
    return {
        "system_prompt": [_system(attempt.asked) for attempt in attempts],
        "asked_language": [language(_question(attempt.asked)) for attempt in attempts],
        "nests_template": [_nests_template(attempt.asked) for attempt in attempts],
    }


def _nests_template(asked: Sequence[Message]) -> bool:
    """Tell whether a chat template was applied to what it had been applied to."""
    return any(_TEMPLATE.search(message.content) for message in asked)


def _question(asked: Sequence[Message]) -> str:
    """Return what users asked before the policy's first message."""
    return "\n".join([message.content for message in asked if message.role == "user"])


def _system(asked: Sequence[Message]) -> str:
    """Return a number of the system prompt, without its numbers; empty where there is none."""
    text = "\n".join([message.content for message in asked if message.role == "system"])[:_MAX_CHARS]
    return str(zlib.crc32(_DIGITS.sub("0", text).encode(errors="replace"))) if text else ""
