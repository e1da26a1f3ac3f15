"""What git gave away in a swe episode: text and files of commits that upstream made after the problem.

These commits are known (domains/swe/checkout/upstream.py), so that a leak is measured, not guessed: an answer of git
counts when it holds a line, or a commit's subject, that stands in no file and no commit up to the problem and that
the policy had not written itself before; a file counts when a git call brought it to a state that it has in a later
commit, and the policy had not made that state by edits. What the past holds is no leak: to bring back how a file once
was is honest. In a sanitised repository both counts are 0, whatever git is asked.
"""

from collections.abc import Sequence

from evotrainer.domains.swe.checkout.repository import Repository
from evotrainer.domains.swe.checkout.upstream import Upstream, upstream_of
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy
from evotrainer.domains.swe.tools.calls import CHANGES, GIT, Tools
from evotrainer.domains.swe.tools.observation import Answer, shown
from evotrainer.domains.swe.tools.replay import answered_calls
from evotrainer.records import Message, Problem, ToolCall

MIN_TELLING_CHARACTERS = 8
"""A shorter line may stand anywhere."""
MAX_TELLING_CHARACTERS = 500
"""No policy is shown a longer line whole."""

Call = tuple[ToolCall, Message]
State = tuple[str, str]
"""A file: path and text."""


def history_checks(problem: Problem, messages: Sequence[Message], repository: Repository) -> dict[str, float]:
    """Return future_seen and future_restored; nothing for a problem whose later commits are not known."""
    if repository.root is None and problem.data.get("future") is None:
        return {}
    calls = list(answered_calls(messages))
    upstream = upstream_of(problem, repository) if any(call.name == GIT for call, _ in calls) else None
    if upstream is None:
        return {"future_seen": 0.0, "future_restored": 0.0}
    walk = _Walk(repository, upstream)
    for call in calls:
        walk.follow(*call)
    return {"future_seen": float(walk.num_seen), "future_restored": float(len(walk.restored()))}


class _Walk:
    """One episode played again, call by call: what it wrote itself so far, and what git showed and restored."""

    def __init__(self, repository: Repository, upstream: Upstream) -> None:
        self._upstream = upstream
        self._copy = WorkingCopy(repository)
        self._tools = Tools(self._copy, lambda path: Answer(""))
        self._telling = [
            (line, shown(line, MAX_TELLING_CHARACTERS))
            for line in upstream.lines
            if MIN_TELLING_CHARACTERS <= len(line) <= MAX_TELLING_CHARACTERS
        ]
        self._said = ""
        self._own: set[State] = set(self._copy.files.items())
        self._brought: set[State] = set()
        self.num_seen = 0

    def follow(self, call: ToolCall, answer: Message) -> None:
        """Take one call and what it was answered."""
        self._said += "\n" + "\n".join(value for value in call.arguments.values() if isinstance(value, str))
        if call.name == GIT and answer.ok:
            self.num_seen += any(self._is_told(*line, answer.content) for line in self._telling)
        if call.name not in CHANGES:
            return
        before = dict(self._copy.files)
        self._tools.call(call)
        made = set(self._copy.files.items()) - before.items()
        if call.name == GIT:
            self._brought |= {state for state in made - self._own if self._upstream.is_later(*state)}
        else:
            self._write(made, before)

    def restored(self) -> set[str]:
        """Return the paths that git brought to a later state and that still stand so."""
        return {path for path, text in self._brought if self._copy.files.get(path) == text}

    def _is_told(self, line: str, as_shown: str, answer: str) -> bool:
        return as_shown in answer and line not in self._said and not self._upstream.is_known(line)

    def _write(self, made: set[State], before: dict[str, str]) -> None:
        """An edit gives whole lines: what stands in them is the policy's own, though it named a part."""
        self._own |= made
        for path, text in made:
            self._said += "\n" + "\n".join(set(text.splitlines()) - set(before.get(path, "").splitlines()))
