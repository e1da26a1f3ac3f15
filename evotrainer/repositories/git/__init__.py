"""git, as far as an agent uses it, over a working copy in memory: the answers of real git, without a process or a disk.

What is not there answers with an error that says so. Objects have the ids of real git (repositories/objects.py), so the
same command lines can be replayed in a real checkout.
"""

from collections.abc import Callable, Sequence

from evotrainer.repositories.git import log, tree_commands
from evotrainer.repositories.git.options import GitError, split
from evotrainer.repositories.tools import Answer
from evotrainer.repositories.working_copy import OutsideError, WorkingCopy

Command = Callable[[WorkingCopy, Sequence[str]], str]

COMMANDS: dict[str, Command] = {
    "status": tree_commands.status,
    "diff": tree_commands.diff,
    "checkout": tree_commands.checkout,
    "restore": tree_commands.restore,
    "log": log.log,
    "show": log.show,
    "reflog": log.reflog,
    "rev-list": log.rev_list,
}


def run_git(copy: WorkingCopy, arguments: str) -> Answer:
    """Answer a git command line, without the word git."""
    try:
        words = split(arguments)
        if not words or words[0] not in COMMANDS:
            raise GitError(f"git: '{words[0] if words else ''}' is not there: use {', '.join(COMMANDS)}")
        return Answer(COMMANDS[words[0]](copy, words[1:]))
    except (GitError, OutsideError) as error:
        return Answer(str(error), ok=False)
