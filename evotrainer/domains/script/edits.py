"""What is tried on a script: edits of its editable files, the laws that they keep, and who writes them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from evotrainer.config import content_hash
from evotrainer.domains.script.task import ScriptTask
from evotrainer.errors import InterventionError
from evotrainer.records import Trial

MAX_FILE_CHARACTERS = 200_000


@dataclass(frozen=True)
class Edit:
    """New texts of editable files, with what its author expects of them."""

    texts: Mapping[str, str]
    change: str
    """In a few words."""
    hypothesis: str
    expected: float
    """Predicted change of the score, in its unit: signed as written."""
    probability: float
    """That the sign is right."""
    author: str


@dataclass(frozen=True)
class State:
    """What an author of edits may know: never the held-out text."""

    task: ScriptTask
    texts: Mapping[str, str]
    """Editable files of the best script."""
    evaluator: str
    trials: Sequence[Trial]
    best: Trial
    noise_floor: float
    check: Callable[[Mapping[str, str]], None]
    """Raises InterventionError for texts that may not be tried, with the reason."""


class Editor(Protocol):
    """An author of edits."""

    def next_edit(self, state: State) -> Edit | None:
        """Return the next edit of the best script; None where there is nothing left to try."""
        ...


def texts_hash(texts: Mapping[str, str]) -> str:
    """Return the identity of a script: of the texts of all its editable files."""
    return content_hash(dict(sorted(texts.items())))


def check_texts(task: ScriptTask, best: Mapping[str, str], tried: Mapping[str, str], new: Mapping[str, str]) -> None:
    """Raise InterventionError unless `new` changes editable files of the best script into one that was not `tried`.

    `tried` is {hash of a script: trial}.
    """
    for name, text in new.items():
        if name not in task.editable:
            known = "protected" if name in task.files else "no file of this script"
            raise InterventionError(f"{name!r} is {known}: edit {', '.join(task.editable)}")
        if len(text) > MAX_FILE_CHARACTERS:
            raise InterventionError(f"{name} would have {len(text)} characters, more than {MAX_FILE_CHARACTERS}")
    if all(best[name] == text for name, text in new.items()):
        raise InterventionError("the edit changes nothing")
    twin = tried.get(texts_hash({**best, **new}))
    if twin is not None:
        raise InterventionError(f"trial {twin} had exactly this script")
