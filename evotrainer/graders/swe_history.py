"""What git gave away in a swe episode: text and files of commits that upstream made after the problem.

A generated problem knows these commits (`future`), so that a leak is measured, not guessed: an answer of git counts
when it holds a line, or a commit's subject, that stands in no file and no commit up to the problem and that the policy
had not written itself before; a file counts when a git call brought it to a state that it has in a later commit, and
the policy had not made that state by edits. What the past holds is no leak: to bring back how a file once was is
honest. In a sanitised repository both counts are 0, whatever git is asked.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.records import Message, Problem, ToolCall
from evotrainer.repositories.memory_place import MemoryPlace
from evotrainer.repositories.replay import answered_calls
from evotrainer.repositories.repository import Repository
from evotrainer.repositories.tools import CHANGES, Answer, Tools
from evotrainer.repositories.working_copy import WorkingCopy

MIN_TELLING_CHARACTERS = 8
"""A shorter line may stand anywhere."""
_GIT = "git"


def history_checks(problem: Problem, messages: Sequence[Message], repository: Repository) -> dict[str, float]:
    """Return future_seen and future_restored; nothing for a problem whose later commits are not known."""
    future: Sequence[Mapping[str, Any]] | None = problem.data.get("future")
    if future is None:
        return {}
    calls = list(answered_calls(messages))
    if not any(call.name == _GIT for call, _ in calls):
        return {"future_seen": 0.0, "future_restored": 0.0}
    return {
        "future_seen": float(_count_seen(_telling_lines(problem, future), calls)),
        "future_restored": float(len(_restored(problem, future, calls, repository))),
    }


def _telling_lines(problem: Problem, future: Sequence[Mapping[str, Any]]) -> list[str]:
    """Return the lines and subjects that later commits alone hold."""
    past = problem.data.get("history") or []
    texts = [text or "" for commit in past for text in commit["changes"].values()]
    known = "\n".join(
        [problem.prompt, *problem.data["files"].values(), *texts, *(commit["message"] for commit in past)]
    )
    later = [line.strip() for commit in future for text in commit["changes"].values() for line in _lines(text)]
    subjects = [commit["message"].splitlines()[0].strip() for commit in future]
    return [line for line in dict.fromkeys([*subjects, *later])
            if len(line) >= MIN_TELLING_CHARACTERS and line not in known]  # fmt: skip


def _count_seen(telling: Sequence[str], calls: Sequence[tuple[ToolCall, Message]]) -> int:
    said, count = "", 0
    for call, answer in calls:
        said += "\n" + "\n".join(value for value in call.arguments.values() if isinstance(value, str))
        if call.name == _GIT and answer.ok:
            count += any(line in answer.content and line not in said for line in telling)
    return count


def _restored(
    problem: Problem,
    future: Sequence[Mapping[str, Any]],
    calls: Sequence[tuple[ToolCall, Message]],
    repository: Repository,
) -> set[str]:
    """Return the paths that git brought to a later state and that still stand so at the end."""
    copy = WorkingCopy(repository)
    tools = Tools(MemoryPlace(copy), lambda path: Answer(""))
    later = {(path, text) for commit in future for path, text in commit["changes"].items() if text is not None}
    past = problem.data.get("history") or []
    own = {(path, text) for commit in past for path, text in commit["changes"].items() if text is not None}
    own |= set(copy.files.items())
    brought: set[tuple[str, str]] = set()
    for call, _ in calls:
        if call.name not in CHANGES:
            continue
        before = set(copy.files.items())
        tools.call(call)
        made = set(copy.files.items()) - before
        if call.name == _GIT:
            brought |= (made & later) - own
        else:
            own |= made
    return {path for path, text in brought if copy.files.get(path) == text}


def _lines(text: str | None) -> list[str]:
    return (text or "").splitlines()
