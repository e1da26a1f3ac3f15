"""Replies that say, word for word, what stands in a column of their problem and was not shown to them.

A column belongs to problems where it has one text a problem, at several problems whose replies differ. One that holds
answers, tests or code is left out: a right reply says the same.

Of code that solves the problem, the comments are taken: a right reply works without them. Runs of such words count
where they hold a number that nobody asked for, or are long: many programs say `check whether the list is empty`.
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

_CODE = re.compile(r"patch|diff|canonical|referen|oracle|code|program|solution", re.I)
_NO_CODE = re.compile(r"test|expect|rubric|summar|caption|response|reply|completion|output|pred|answer", re.I)
"""Names of columns that hold code of a right solution, and of those that may hold anything, or what was replied."""
_COMMENT = re.compile(r"^[+ \t]*(?:[^\n\"'#/]*[ \t;{)])?(?:#+|//+)[ \t]+([^\n]+)$", re.MULTILINE)
_STATEMENT = re.compile(r"[:;{})\]]$|\w[ \t]*[+-]?=[ \t]*\S|^\s*(?:return|import|from|use|end)\b")
_NUMBER, _LONG_RUN = re.compile(r"\d\d+"), 10
"""What makes a run of a comment its own; words of a run that needs no number."""


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
            if not is_text or name in self._of_attempts:
                continue
            if (is_gold_name(name) or _ANSWERS.search(name)) and not _comments_of(name, value):
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
            comments, asked = _comments_of(name, text), _plain(attempt.prompt)
            runs = _own_runs(comments, asked) if comments else _runs(text[:_MAX_CHARS], _MAX_RUNS)
            self._counts.update({_number(run) for run in runs})
            self._hidden[key] = frozenset(run for run in runs if run not in asked)
        said = self._hidden[key].intersection(_runs_of(attempt, name)) if self._hidden[key] else ()
        told = _plain("\n".join(attempt.answers)) if said else ""
        return tuple(sorted(_number(run) for run in said if run not in told)[:_MAX_SAID])

    def _is_rare(self, run: int) -> bool:
        return self._counts[run] < _COMMON


def _runs_of(attempt: Transcript, name: str) -> list[str]:
    """Return the runs of words of a reply; for a column of code, those of its comments, in calls too."""
    if not (is_gold_name(name) or _ANSWERS.search(name)):
        return _runs(attempt.text, _MAX_RUNS * 10)
    calls = (call for message in attempt.said for call in message.tool_calls)
    written = [value for call in calls for value in call.arguments.values() if isinstance(value, str)]
    return _own_runs([one for text in (attempt.text, *written) for one in _COMMENT.findall(text)])


def _comments_of(name: str, text: str) -> list[str]:
    """Return the comments of a column of code that solves the problem."""
    if not (is_gold_name(name) or _CODE.search(name)) or _NO_CODE.search(name) or not ("# " in text or "// " in text):
        return []
    text = text[:_MAX_CHARS]
    if is_patch := "\n@@" in f"\n{text}":
        text = "\n".join(line for line in text.split("\n") if line.startswith("+"))
    lines = [line for line in text.split("\n") if line.strip(" \t+") and not _COMMENT.match(line)]
    return _COMMENT.findall(text) if is_patch or any(map(_STATEMENT.search, lines)) else []


def _own_runs(comments: Sequence[str], asked: str = "") -> list[str]:
    """Return the runs of comments that no other program says by chance: with a number that was not asked, or long."""
    runs = [run for text in comments for run in _runs(text, _MAX_RUNS)]
    short = [run for run in runs if any(number not in asked for number in _NUMBER.findall(run))]
    return short + [run for text in comments for run in _runs(text, _MAX_RUNS, _LONG_RUN)]


def _runs(text: str, most: int, size: int = _WORDS) -> list[str]:
    """Return the runs of words of a text, at most so many."""
    words = _plain(text).split()
    return [" ".join(words[place : place + size]) for place in range(min(len(words) - size + 1, most))]


def _plain(text: str) -> str:
    return " ".join(text.lower().split())


def _number(text: str) -> int:
    return zlib.crc32(text.encode(errors="replace"))
