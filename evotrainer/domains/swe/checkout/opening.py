"""From a problem to its repository: within the problem, or on disk."""

from functools import lru_cache
from pathlib import Path

from evotrainer.domains.swe.checkout.disk import open_on_disk
from evotrainer.domains.swe.checkout.repository import Repository, history_of
from evotrainer.records import Problem

MAX_REMEMBERED = 512


def open_repository(problem: Problem, sanitize: bool) -> Repository:
    """Return the repository of a problem; episodes of one problem share it. Raises DataError where it cannot be."""
    data = problem.data
    if "repository" in data:
        return open_on_disk(data["repository"], data["base_commit"], sanitize, data.get("packages") or "")
    return _open(_ProblemKey(problem), sanitize)


class _ProblemKey:
    """Equal for equal problems: a hash of all files would cost more than the comparison."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem

    def __hash__(self) -> int:
        return hash(self.problem.problem_id)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _ProblemKey) and self.problem.data == other.problem.data


@lru_cache(maxsize=MAX_REMEMBERED)
def _open(key: _ProblemKey, sanitize: bool) -> Repository:
    data = key.problem.data
    history = history_of(data["files"], data.get("history") or [], key.problem.problem_id)
    repository = Repository(data["files"], history, [] if sanitize else data.get("future") or [])
    repository.packages = Path(data["packages"]) if data.get("packages") else None
    return repository
