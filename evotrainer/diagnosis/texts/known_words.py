"""How many of an answer's words the evidence knows: from prompts, from columns beside the answers as gold ones, or from
answers to several problems in the first third of steps.

Signs typed at random make words that stand nowhere else. A short answer, or one in a language that few speak there, has
unusual pairs of signs and still words that others say.
"""

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from evotrainer.diagnosis.texts.transcript import Transcript

_WORD = re.compile(r"[^\W\d_]{3,}")
_CHARS, _MAX_WORDS = 600, 64
_MIN_PROBLEMS = 2


class KnownWords:
    """Words of answers that come in parts, as numbers."""

    def __init__(self) -> None:
        """Begin without answers."""
        self._words: list[np.ndarray] = []
        self._beside: set[int] = set()

    def add(self, attempts: Sequence[Transcript]) -> None:
        """Take in attempts, behind those before."""
        for attempt in attempts:
            self._words.append(np.fromiter(_words(attempt.text), np.uint32))
            self._beside.update(*map(_words, _texts(attempt.row.extra, attempt.text)))

    def shares(self, is_early: np.ndarray, problems: Sequence[str], prompts: Sequence[str]) -> np.ndarray:
        """Return the share of each answer's words that are known; NaN for answers without any.

        Args:
            is_early: which answers belong to the first third of steps.
            problems: what each answer answers.
            prompts: texts whose words are all known.

        """
        said: dict[str, set[int]] = defaultdict(set)
        for words, problem, is_known in zip(self._words, problems, is_early, strict=True):
            if is_known:
                said[problem].update(words.tolist())
        counts = Counter(word for words in said.values() for word in words)
        known = self._beside | {word for word, count in counts.items() if count >= _MIN_PROBLEMS}
        known.update(*map(_words, prompts))
        return np.array([_share(words, known) for words in self._words])


def _share(words: np.ndarray, known: set[int]) -> float:
    return sum(word in known for word in words.tolist()) / len(words) if len(words) else np.nan


def _texts(extra: dict[str, Any], said: str) -> list[str]:
    """Return the texts of columns, without those that are the policy's own."""
    texts = [value for value in extra.values() if isinstance(value, str)]
    return [text for text in texts if text[:_CHARS] not in said and said[:_CHARS] not in text]


def _words(text: str) -> set[int]:
    found = sorted(set(_WORD.findall(text[:_CHARS].lower())))[:_MAX_WORDS]
    return {zlib.crc32(word.encode(errors="replace")) for word in found}
