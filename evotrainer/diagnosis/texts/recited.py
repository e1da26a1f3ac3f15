"""Replies that say, word for word, what stands in a column of their problem and was not shown to them."""

from collections import defaultdict
from collections.abc import Sequence

from evotrainer.diagnosis.texts.gold import is_gold_name
from evotrainer.diagnosis.texts.transcript import Transcript

_WORDS, _MIN_CHARS, _MAX_CHARS, _MAX_RUNS = 6, 40, 4000, 400
"""Words of a run; signs of a column's text that is looked at; runs of one text."""
_COMMON = 3
"""Problems that hold a run, from which it is a turn of phrase."""


class Recited:
    """Runs of words of columns, and which replies hold them, of attempts that come in parts."""

    def __init__(self) -> None:
        """Begin without attempts."""
        self._runs: dict[tuple[str, str], tuple[str, ...]] = {}
        self._problems: defaultdict[str, set[str]] = defaultdict(set)
        self._said: list[dict[str, tuple[str, ...]]] = []

    def add(self, attempts: Sequence[Transcript]) -> None:
        """Take in attempts, behind those before."""
        for attempt in attempts:
            said: dict[str, tuple[str, ...]] = {}
            texts = {
                name: value[:_MAX_CHARS]
                for name, value in attempt.row.extra.items()
                if isinstance(value, str) and len(value) >= _MIN_CHARS and not is_gold_name(name)
            }
            if texts:
                shown = _plain("\n".join((attempt.prompt, *attempt.answers)))
                reply = _plain(attempt.text)
                for name, text in texts.items():
                    hidden = [run for run in self._of(attempt.row.problem_id, text) if run not in shown]
                    said[name] = tuple(run for run in hidden if run in reply)
            self._said.append({name: runs for name, runs in said.items() if runs})

    def columns(self) -> list[str]:
        """Return for each attempt the column whose hidden words its reply says; empty for none."""
        return [
            next((name for name, runs in said.items() if any(self._is_rare(run) for run in runs)), "")
            for said in self._said
        ]

    def _of(self, problem: str, text: str) -> tuple[str, ...]:
        """Return the runs of words of a column's text, counted for its problem."""
        key = (problem, text)
        if key not in self._runs:
            words = _plain(text).split()
            places = range(max(len(words) - _WORDS + 1, 0))
            self._runs[key] = tuple(" ".join(words[place : place + _WORDS]) for place in places)[:_MAX_RUNS]
            for run in self._runs[key]:
                self._problems[run].add(problem)
        return self._runs[key]

    def _is_rare(self, run: str) -> bool:
        return len(self._problems[run]) < _COMMON


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
