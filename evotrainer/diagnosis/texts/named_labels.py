"""Which labels a reply names, where gold answers are a few words that come again and again.

The labels are the gold answers of all attempts so far, in letters. Where they are many, they are answers and no labels.
"""

import re
from collections.abc import Sequence

from evotrainer.diagnosis.texts.gold import named_gold
from evotrainer.diagnosis.texts.transcript import Transcript

_LABEL = re.compile(r"[^\W\d_]{3}(?:[^\W\d_]|[ _-](?=[^\W\d_])){0,27}")
"""A word of some letters, or a few words: shorter ones stand in every text."""
_MAX_LABELS, _MAX_CHARS = 12, 8000


class NamedLabels:
    """The labels that the last message of each attempt names, of attempts that come in parts."""

    def __init__(self) -> None:
        """Begin without attempts."""
        self._labels: set[str] = set()
        self._named: list[tuple[str, str]] = []

    def add(self, attempts: Sequence[Transcript]) -> None:
        """Take in attempts, behind those before."""
        golds = [named_gold(attempt.row.extra).casefold() for attempt in attempts]
        if len(self._labels) <= _MAX_LABELS:
            self._labels |= {gold for gold in set(golds) if _LABEL.fullmatch(gold)}
        if not 2 <= len(self._labels) <= _MAX_LABELS:
            self._named += [("", "")] * len(attempts)
            return
        longest = sorted(self._labels, key=lambda label: (-len(label), label))
        sought = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, longest))})(?!\w)")
        for attempt, gold in zip(attempts, golds, strict=True):
            last = attempt.said[-1].content[-_MAX_CHARS:].casefold() if attempt.said and gold in self._labels else ""
            found = sought.findall(last)
            self._named.append(("\n".join(dict.fromkeys(found)), found[-1] if found else ""))

    def columns(self) -> dict[str, list[str]]:
        """Return for each attempt the labels that it names, in order, and the last one; nothing without labels."""
        is_known = len(self._labels) <= _MAX_LABELS
        return {
            "labels_named": [names if is_known else "" for names, _ in self._named],
            "label_last": [last if is_known else "" for _, last in self._named],
        }
