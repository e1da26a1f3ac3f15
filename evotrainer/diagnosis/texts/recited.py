"""Replies that say, word for word, what stands in a column of their problem and was not shown to them.

A column belongs to problems where it has one text a problem, at several problems whose replies differ. One that holds
answers, tests or code is left out: a right reply says the same.
"""

import re
import zlib
from collections import Counter, defaultdict
from collections.abc import Sequence

from evotrainer.diagnosis.texts.gold import is_gold_name
from evotrainer.diagnosis.texts.transcript import Transcript

_WORDS, _MIN_CHARS, _MAX_CHARS, _MAX_RUNS, _MAX_SAID = 6, 40, 4000, 400, 8
"""Words of a run; signs of a column's text that is looked at; runs of one text, and of one reply, that are kept."""
_MAX_PROBLEMS = 500
"""Problems whose texts are looked at."""
_COMMON, _MIN_PROBLEMS = 3, 3
"""Texts that hold a run, from which it is a turn of phrase; problems that show that a column is theirs."""
_ANSWERS = re.compile(
    r"patch|diff|canonical|referen|oracle|code|program|test|expect|rubric|translat|summar|caption|response|reply"
    r"|completion|output|pred|answer|thought|reason",
    re.I,
)


class Recited:
    """Runs of words of columns, and which replies hold them, of attempts that come in parts."""

    def __init__(self) -> None:
        """Begin without attempts."""
        self._texts: dict[tuple[str, str], int] = {}
        self._hidden: dict[tuple[str, str], frozenset[str]] = {}
        self._counts: Counter[int] = Counter()
        self._replies: defaultdict[str, set[int]] = defaultdict(set)
        self._of_attempts: set[str] = set()
        self._said: list[dict[str, tuple[int, ...]]] = []

    def add(self, attempts: Sequence[Transcript]) -> None:
        """Take in attempts, behind those before."""
        for attempt in attempts:
            said = {name: self._runs_said(attempt, name, text) for name, text in self._columns_of(attempt).items()}
            self._said.append({name: runs for name, runs in said.items() if runs})

    def columns(self) -> list[str]:
        """Return for each attempt the column whose hidden words its reply says; empty for none."""
        several = {problem for problem, replies in self._replies.items() if len(replies) > 1}
        shown = Counter(name for problem, name in self._texts if problem in several)
        theirs = {name for name, count in shown.items() if count >= _MIN_PROBLEMS} - self._of_attempts
        return [
            next((name for name, runs in said.items() if name in theirs and any(map(self._is_rare, runs))), "")
            for said in self._said
        ]

    def _columns_of(self, attempt: Transcript) -> dict[str, str]:
        """Return the texts of an attempt's columns that may belong to its problem."""
        problem, found = attempt.row.problem_id, dict[str, str]()
        for name, value in attempt.row.extra.items():
            is_text = isinstance(value, str) and len(value) >= _MIN_CHARS
            if not is_text or name in self._of_attempts or is_gold_name(name) or _ANSWERS.search(name):
                continue
            if problem not in self._replies and len(self._replies) >= _MAX_PROBLEMS:
                continue
            if self._texts.setdefault((problem, name), _number(value)) != _number(value):
                self._of_attempts.add(name)
                continue
            self._replies[problem].add(_number(attempt.text))
            found[name] = value
        return found

    def _runs_said(self, attempt: Transcript, name: str, text: str) -> tuple[int, ...]:
        """Return the numbers of the runs of a column that the reply says, and that were not shown."""
        key = (attempt.row.problem_id, name)
        if key not in self._hidden:
            runs, asked = _runs(text[:_MAX_CHARS], _MAX_RUNS), _plain(attempt.prompt)
            self._counts.update({_number(run) for run in runs})
            self._hidden[key] = frozenset(run for run in runs if run not in asked)
        said = self._hidden[key].intersection(_runs(attempt.text, _MAX_RUNS * 10)) if self._hidden[key] else ()
        told = _plain("\n".join(attempt.answers)) if said else ""
        return tuple(sorted(_number(run) for run in said if run not in told)[:_MAX_SAID])

    def _is_rare(self, run: int) -> bool:
        return self._counts[run] < _COMMON


def _runs(text: str, most: int) -> list[str]:
    """Return the runs of words of a text, at most so many."""
    words = _plain(text).split()
    return [" ".join(words[place : place + _WORDS]) for place in range(min(len(words) - _WORDS + 1, most))]


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _number(text: str) -> int:
    return zlib.crc32(text.encode(errors="replace"))
