"""What upstream made after a problem, so that a leak is measured and not guessed.

A problem that carries its repository names the later commits (`future`). Of a repository on disk they are all commits
that its clone shows and that did not lead to the base commit: none in a sanitised clone. Real git is asked for them, on
suspicion only, since a real history is long. Their lines are those of the files that the row's patches change, and the
subjects of all; their states are those of any file.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from evotrainer.domains.swe.checkout.disk import MAX_OPEN
from evotrainer.domains.swe.checkout.files import blob_id, decode
from evotrainer.domains.swe.checkout.git_process import checked_git
from evotrainer.domains.swe.checkout.patching import changed_paths
from evotrainer.domains.swe.checkout.repository import HEAD_REF, Repository
from evotrainer.records import Problem

_LATER = ("--all", "--not", HEAD_REF)


@dataclass(frozen=True)
class Upstream:
    """Lines and subjects of later commits, and how to tell them and states of files from those of the past."""

    lines: Sequence[str]
    is_known: Callable[[str], bool]
    """Whether a line stands in a file or a commit up to the problem too."""
    is_later: Callable[[str, str], bool]
    """Whether a file, path and text, has a state that it got after the problem and had never before."""


def upstream_of(problem: Problem, repository: Repository) -> Upstream | None:
    """Return what came after a problem; None where that is not known. Raises GraderError where git fails."""
    if (bare := repository.bare) is not None:
        return _of_clone(bare, repository, problem.prompt, problem.answer, problem.data.get("test_patch") or "")
    future: Sequence[Mapping[str, Any]] | None = problem.data.get("future")
    return None if future is None else _of_record(problem, future)


def _of_record(problem: Problem, future: Sequence[Mapping[str, Any]]) -> Upstream:
    past = problem.data.get("history") or []
    texts = [text or "" for commit in past for text in commit["changes"].values()]
    messages = [commit["message"] for commit in past]
    known = "\n".join([problem.prompt, *problem.data["files"].values(), *texts, *messages])
    later = {(path, text) for commit in future for path, text in commit["changes"].items()}
    later -= {(path, text) for commit in past for path, text in commit["changes"].items()}
    subjects = [commit["message"].partition("\n")[0] for commit in future]
    lines = [line for commit in future for text in commit["changes"].values() for line in (text or "").splitlines()]
    return Upstream(_stripped([*subjects, *lines]), known.__contains__, lambda *state: state in later)


@lru_cache(maxsize=MAX_OPEN)
def _of_clone(bare: Path, repository: Repository, prompt: str, *patches: str) -> Upstream:
    if not checked_git(bare, "rev-list", "--max-count=1", *_LATER).strip():
        return Upstream((), lambda line: True, lambda path, text: False)
    paths = [_literal(path) for patch in patches for path in sorted(changed_paths(patch))]
    diffs = ("log", "-p", "-m", "--full-history", "--format=", "--no-ext-diff", "--no-textconv")
    subjects = decode(checked_git(bare, "log", "--format=%s", *_LATER)).splitlines()
    later = decode(checked_git(bare, *diffs, *_LATER, "--", *paths)) if paths else ""
    lines = _added("\n".join([*patches, later]))

    @lru_cache(maxsize=1)
    def past() -> str:
        shown = decode(checked_git(bare, *diffs, HEAD_REF, "--", *paths)) if paths else ""
        messages = decode(checked_git(bare, "log", "--format=%B", HEAD_REF))
        return "\n".join([prompt, *repository.files.values(), shown, messages])

    @lru_cache(maxsize=4096)
    def is_later(path: str, text: str) -> bool:
        name = blob_id(text)
        return _holds(bare, path, name, *_LATER) and not _holds(bare, path, name, HEAD_REF)

    return Upstream(_stripped([*subjects, *lines]), lambda line: line in past(), is_later)


def _holds(bare: Path, path: str, name: str, *revisions: str) -> bool:
    """Return whether one of the commits brought the blob `name` to a path, or took it away."""
    words = ("log", "--max-count=1", "--format=%H", "-m", "--full-history", f"--find-object={name}")
    return bool(checked_git(bare, *words, *revisions, "--", _literal(path)).strip())


def _literal(path: str) -> str:
    return f":(top,literal){path}"


def _added(patch: str) -> list[str]:
    return [line[1:] for line in patch.splitlines() if line.startswith("+") and not line.startswith("+++ ")]


def _stripped(lines: Sequence[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(line.strip() for line in lines))
