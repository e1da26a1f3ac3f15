"""Reading the branch `memory`: commands that only read import this and neither Hydra nor diagnostics."""

from pathlib import Path

from evotrainer.campaign.memory import Memory, load_memory
from flows.workspace.git import extract, git, succeeds

LOCAL = "refs/heads/memory"
REMOTE = "refs/remotes/origin/memory"


def read_memory(main: Path, folder: Path) -> Memory:
    """Return the memory as it stands, extracted into an empty `folder`."""
    start = tip(main)
    if start is not None:
        extract(main, start, folder)
    return load_memory(folder)


def tip(main: Path) -> str | None:
    """Return the commit that holds the memory: of the branch, or of the remote's where this clone has none."""
    return commit_of(main, LOCAL) or commit_of(main, REMOTE)


def commit_of(main: Path, reference: str) -> str | None:
    """Return the commit that a reference names; None where there is no such reference."""
    if not succeeds(main, "rev-parse", "--verify", "--quiet", reference):
        return None
    return git(main, "rev-parse", "--verify", reference)
