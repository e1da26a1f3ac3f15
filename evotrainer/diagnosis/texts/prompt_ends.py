"""How prompts begin and end: their first and last signs, the same for prompts of one template."""

import re
from collections.abc import Sequence

from evotrainer.diagnosis.texts.transcript import Transcript

_SIGNS = 12
_NUMBER = re.compile(r"\d+")


def prompt_ends(attempts: Sequence[Transcript]) -> dict[str, list[str]]:
    """Return the first signs of each prompt and of its last message, and its last ones; numbers are left out."""
    return {
        "prompt_begin": [_first(attempt.prompt) for attempt in attempts],
        "question_begin": [_first(attempt.asked[-1].content) if attempt.asked else "" for attempt in attempts],
        "prompt_end": [_last(attempt.prompt) for attempt in attempts],
    }


def _first(text: str) -> str:
    return _NUMBER.sub("0", text[: 2 * _SIGNS].lstrip())[:_SIGNS]


def _last(text: str) -> str:
    return _NUMBER.sub("0", text[-2 * _SIGNS :].rstrip())[-_SIGNS:]
