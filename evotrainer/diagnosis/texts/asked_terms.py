"""Terms of the reward that are 0 for an attempt although its prompt asks for what their names say.

A name's words are those that are no reward, weight or function. Half of them begin a word of the prompt.
"""

import re
from functools import lru_cache

from evotrainer.diagnosis.texts.transcript import Transcript

_WORD = re.compile(r"[a-z]{4,}")
_NO_SUBJECT = frozenset({"reward", "rewards", "score", "scores", "func", "function", "term", "terms", "weight", "raw"})
_MAX_CHARS, _STEM = 6000, 4


def asked_terms(attempt: Transcript) -> str:
    """Return the names of such terms, a line each."""
    unpaid = sorted(name for name, value in attempt.row.reward_terms.items() if value == 0)
    return "\n".join([name for name in unpaid if _is_asked(name, attempt.prompt[:_MAX_CHARS])]) if unpaid else ""


@lru_cache(maxsize=4096)
def _is_asked(name: str, prompt: str) -> bool:
    words = [word for word in _WORD.findall(name.lower()) if word not in _NO_SUBJECT]
    stems = [word[: max(_STEM, len(word) - 1)] for word in words]
    found = sum(re.search(rf"(?<![a-z]){stem}", prompt, re.I) is not None for stem in stems)
    return 2 * found >= len(stems) > 0
