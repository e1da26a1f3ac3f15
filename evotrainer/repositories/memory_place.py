"""A working copy in memory as the tools see it."""

from evotrainer.repositories.git import run_git
from evotrainer.repositories.tools import Answer
from evotrainer.repositories.working_copy import WorkingCopy


class MemoryPlace:
    """Files and git of a working copy."""

    def __init__(self, copy: WorkingCopy) -> None:
        self._copy = copy

    def read_all(self) -> dict[str, str]:
        """Return the working tree."""
        return self._copy.files

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        self._copy.files[path] = text

    def git(self, arguments: str) -> Answer:
        """Answer a git command line."""
        return run_git(self._copy, arguments)
