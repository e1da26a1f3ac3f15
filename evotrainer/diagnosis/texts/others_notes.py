"""What a text beside an attempt is about: its own problem, or another one. Notes and logs of judges are such texts.

Words of a prompt that hardly any other prompt holds name its problem: a ticket, a function, a number. A column of notes
differs within problems, has several words, and is neither the policy's text nor the prompt's. Of several columns the
one is taken that names problems most often.
"""

import math
import re
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.diagnosis.texts.gold import is_gold_name
from evotrainer.diagnosis.texts.transcript import Transcript

_WORD = re.compile(r"\w*\d\w*\d\w*|[^\W\d]{4,}")
"""Numbers of two digits and more, names, words of four letters and more."""
_MIN_CHARS, _MAX_CHARS, _START, _MIN_WORDS = 16, 600, 80, 3
_MAX_PROMPT = 2000
_KNOWN, _DIFFER = 0.5, 0.5
"""Shares of attempts that have a note, and of problems of several attempts whose notes differ."""
_MIN_PROBLEMS, _RARE = 10, 0.05
"""Problems, and the share of them up to which a word names one."""


class OthersNotes:
    """The notes of attempts that come in parts."""

    def __init__(self) -> None:
        """Begin without attempts."""
        self._notes: defaultdict[str, dict[int, str]] = defaultdict(dict)
        self._num_rows = 0

    def add(self, attempts: Sequence[Transcript]) -> None:
        """Take in attempts, behind those before."""
        for attempt in attempts:
            for name, value in attempt.row.extra.items():
                if isinstance(value, str) and len(value) >= _MIN_CHARS and not is_gold_name(name):
                    start = value.strip()[:_START]
                    if start not in attempt.text and start not in attempt.prompt:
                        self._notes[name][self._num_rows] = value[:_MAX_CHARS]
            self._num_rows += 1

    def columns(self, problems: Sequence[str], prompts: Mapping[str, str]) -> dict[str, list[Any]]:
        """Return the column of notes of each attempt, whether its note names its problem, and how many others."""
        names = [name for name, notes in self._notes.items() if self._is_of_attempts(notes, problems)]
        naming = _naming(prompts) if names else {}
        best, named = "", dict[int, tuple[bool, int]]()
        for name in names:
            found = {row: _named(text, problems[row], naming) for row, text in self._notes[name].items()}
            if sum(own for own, _ in found.values()) > sum(own for own, _ in named.values()):
                best, named = name, found
        places = [named.get(row) for row in range(self._num_rows)]
        return {
            "note": [best if place else "" for place in places],
            "names_own": [place is not None and place[0] for place in places],
            "names_others": [float(place[1]) if place else math.nan for place in places],
        }

    def _is_of_attempts(self, notes: Mapping[int, str], problems: Sequence[str]) -> bool:
        """Tell whether most attempts have a note of some words, and notes of one problem differ."""
        if len(notes) < _KNOWN * self._num_rows:
            return False
        texts: defaultdict[str, list[str]] = defaultdict(list)
        for row, text in notes.items():
            texts[problems[row]].append(text)
        several = [some for some in texts.values() if len(some) > 1]
        differ = sum(len(set(some)) > 1 for some in several)
        have_words = sum(text.count(" ") >= _MIN_WORDS for text in notes.values())
        return len(texts) >= _MIN_PROBLEMS and 0 < _DIFFER * len(several) <= differ and have_words > len(notes) / 2


def _naming(prompts: Mapping[str, str]) -> dict[str, list[str]]:
    """Return {word: the problems that it names}."""
    holders: defaultdict[str, list[str]] = defaultdict(list)
    for problem, prompt in prompts.items():
        for word in set(_WORD.findall(prompt[:_MAX_PROMPT].lower())):
            holders[word].append(problem)
    most = max(1.0, _RARE * len(prompts))
    return {word: found for word, found in holders.items() if len(found) <= most}


def _named(text: str, problem: str, naming: Mapping[str, Sequence[str]]) -> tuple[bool, int]:
    """Return whether a text names its problem, and how many others it names by words that are not its own."""
    found = [naming[word] for word in set(_WORD.findall(text.lower())) if word in naming]
    others = {name for names in found if problem not in names for name in names}
    return any(problem in names for names in found), len(others)
