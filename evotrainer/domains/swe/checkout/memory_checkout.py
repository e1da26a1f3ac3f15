"""A working copy in memory as the tools see it."""

from collections.abc import Mapping

from evotrainer.domains.swe.checkout.git import run_git
from evotrainer.domains.swe.checkout.git.trees import MODE_LINK
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy
from evotrainer.domains.swe.tools.calls import Answer


class MemoryPlace:
    """Files and git of a working copy. Links are closed: where one leads cannot be seen in memory."""

    def __init__(self, copy: WorkingCopy) -> None:
        self.copy, self.base = copy, copy.repository.files
        self.closed = frozenset(path for path, mode in copy.repository.modes.items() if mode == MODE_LINK)

    def read_all(self) -> Mapping[str, str]:
        """Return the working tree."""
        if not self.closed:
            return self.copy.files
        return {path: text for path, text in self.copy.files.items() if path not in self.closed}

    def write(self, path: str, text: str) -> None:
        """Write a file."""
        self.copy.files[path] = text

    def git(self, arguments: str) -> Answer:
        """Answer a git command line."""
        return run_git(self.copy, arguments)
