"""Phrases that come up over a run: whole sentences, the same at many problems, that the first steps hardly know.

Of an answer its first two and last three sentences are looked at. Sentences with a number hold an answer and are left
out, short ones too. A phrase is new where the last third of steps has it at eight problems and in 3% of attempts, four
times as often as the first third.
"""

import re
import zlib
from collections.abc import Sequence

import numpy as np

from evotrainer.evidence.frames import Frame

_END = re.compile(r"(?<=[.!?。！？])\s+|\n+")
_ENDS = ".!?。！？\n"
_DIGIT = re.compile(r"\d")
_MIN_CHARS, _MAX_CHARS = 25, 200
_FIRST, _LAST = 2, 3
_EDGE = 1200
_SHARE, _TIMES, _MIN_PROBLEMS = 0.03, 4.0, 8
_NONE = 0


class Phrases:
    """The sentences at the ends of answers that come in parts, as numbers; of repeated ones the text."""

    def __init__(self) -> None:
        """Begin without answers."""
        self._numbers: list[np.ndarray] = []
        self._met: set[int] = set()
        self._texts: dict[int, str] = {}

    def add(self, answers: Sequence[str]) -> None:
        """Take in answers, behind those before."""
        numbers_RS = np.zeros((len(answers), _FIRST + _LAST), np.uint32)
        for place, answer in enumerate(answers):
            for column, sentence in enumerate(_sentences(answer)):
                number = zlib.crc32(sentence.lower().encode(errors="replace")) or 1
                numbers_RS[place, column] = number
                if number in self._met:
                    self._texts.setdefault(number, sentence)
                else:
                    self._met.add(number)
        self._numbers.append(numbers_RS)

    def new(self, frame: Frame) -> list[str]:
        """Return by row a phrase that is new in its run; empty where it has none."""
        numbers_RS = np.concatenate(self._numbers)
        steps = np.sort(frame["step"].unique())
        third = len(steps) // 3
        if not third:
            return [""] * len(frame)
        early, late = (frame["step"].isin(part).to_numpy() for part in (steps[:third], steps[-third:]))
        counts = _shares(numbers_RS[late]), _shares(numbers_RS[early])
        problems = frame["problem_id"].to_numpy()
        new = {
            number
            for number, share in counts[0].items()
            if number != _NONE and share >= max(_SHARE, _TIMES * counts[1].get(number, 0.0))
        }
        new = {n for n in new if len(set(problems[late & (numbers_RS == n).any(axis=1)])) >= _MIN_PROBLEMS}
        is_new_RS = np.isin(numbers_RS, list(new))
        firsts = np.where(is_new_RS.any(axis=1), numbers_RS[np.arange(len(frame)), is_new_RS.argmax(axis=1)], _NONE)
        return [self._texts.get(int(number), "") for number in firsts]


def _shares(numbers_RS: np.ndarray) -> dict[int, float]:
    numbers, counts = np.unique(numbers_RS, return_counts=True)
    return {int(n): float(count) / max(len(numbers_RS), 1) for n, count in zip(numbers, counts, strict=True)}


def _sentences(answer: str) -> list[str]:
    """Return the sentences at both ends that may be phrases."""
    ends = (answer,) if len(answer) <= 2 * _EDGE else (answer[:_EDGE], answer[-_EDGE:])
    found = [part.strip() for end in ends for part in (_END.split(end) if any(map(end.__contains__, _ENDS)) else [end])]
    found = [part for part in found if part]
    ends_of = [*found[:_FIRST], *found[_FIRST:][-_LAST:]]
    return [part for part in ends_of if _MIN_CHARS <= len(part) <= _MAX_CHARS and not _DIGIT.search(part)]
