"""The words and numbers of the first answer to an attempt, and those of its prompt.

Only short answers are kept: a page or a list says more than where one is.
"""

import re
from functools import lru_cache

from evotrainer.diagnosis.texts.transcript import Transcript

_WORD = re.compile(r"\d+(?:\.\d+)?|[^\W\d_]{3,}")
_MAX_CHARS, _PROMPT_CHARS, _MAX_WORDS = 400, 4000, 40


def first_words(attempt: Transcript, call: str, answer: str) -> dict[str, str]:
    """Return the words of the first answer and of the prompt, parted by blanks; empty where the answer is long."""
    if not call or not 0 < len(answer) <= _MAX_CHARS:
        return {"first_words": "", "prompt_words": ""}
    found = _WORD.findall(answer.lower())
    if not 2 <= len(found) <= _MAX_WORDS:
        return {"first_words": "", "prompt_words": ""}
    return {"first_words": " ".join(found), "prompt_words": _words_of(attempt.prompt[-_PROMPT_CHARS:])}


@lru_cache(maxsize=256)
def _words_of(prompt: str) -> str:
    return " ".join(sorted(set(_WORD.findall(prompt.lower()))))
