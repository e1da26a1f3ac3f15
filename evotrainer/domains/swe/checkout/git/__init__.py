"""git, as far as an agent uses it, over a working copy in memory: the answers of real git, without a process or a disk.

What is not there answers with an error that says so. Objects have the ids of real git
(domains/swe/checkout/objects.py), so the same command lines can be replayed in a real checkout. Configured as:
diff.renames off, core.abbrev 7, no advice.
"""

from collections.abc import Callable, Sequence

from evotrainer.domains.swe.checkout.git import head_commands, log, object_commands, tree_commands
from evotrainer.domains.swe.checkout.git.options import GitError, split
from evotrainer.domains.swe.checkout.git.stash import stash
from evotrainer.domains.swe.checkout.working_copy import OutsideError, WorkingCopy
from evotrainer.domains.swe.tools.calls import Answer

Command = Callable[[WorkingCopy, Sequence[str]], str]

COMMANDS: dict[str, Command] = {
    "status": tree_commands.status,
    "diff": tree_commands.diff,
    "log": log.log,
    "show": log.show,
    "add": tree_commands.add,
    "commit": head_commands.commit,
    "checkout": head_commands.checkout,
    "switch": head_commands.switch,
    "restore": tree_commands.restore,
    "reset": head_commands.reset,
    "stash": stash,
    "branch": object_commands.branch,
    "tag": object_commands.tag,
    "merge": head_commands.merge,
    "cherry-pick": head_commands.cherry_pick,
    "reflog": log.reflog,
    "rev-list": log.rev_list,
    "rev-parse": object_commands.rev_parse,
    "blame": object_commands.blame,
    "grep": object_commands.grep,
    "cat-file": object_commands.cat_file,
    "ls-files": object_commands.ls_files,
    "ls-tree": object_commands.ls_tree,
    "fsck": object_commands.fsck,
}


def run_git(copy: WorkingCopy, arguments: str) -> Answer:
    """Answer a git command line, without the word git."""
    try:
        words = split(arguments)
        if not words or words[0] not in COMMANDS:
            raise GitError(f"git: '{words[0] if words else ''}' is not there: use {', '.join(COMMANDS)}")
        copy.git.pass_time()
        return Answer(COMMANDS[words[0]](copy, words[1:]) or "(no output)")
    except (GitError, OutsideError) as error:
        return Answer(str(error), ok=False)
