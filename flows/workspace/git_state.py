"""What a killed git leaves behind: lock files that nobody holds, and a branch that names no commit.

Git protects each file that it replaces by a lock file beside it, and refuses to work while one is there. Whoever holds
the campaign's lock may remove those of the campaign's own index, branch and tags, once no git works there.
"""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path

from evotrainer.errors import LineageError
from flows.workspace.git import git, succeeds

MAX_GIT_SECONDS = 20.0
"""How long a git that outlived its campaign may take to end."""
_POLL_SECONDS = 0.1


def release_git_locks(main: Path, root: Path, references: list[str]) -> list[Path]:
    """Remove the lock files that a killed git left in the worktree `root` and on `references`; return them.

    Raises LineageError, naming file and process, where a git still works in the worktree.
    """
    if not _locks(main, root, references):
        return []
    deadline = time.monotonic() + MAX_GIT_SECONDS
    while working := _git_processes(root):
        if time.monotonic() > deadline:
            lock = next(iter(_locks(main, root, references)), None)
            raise LineageError(f"git (pid {working[0]}) works in {root} and holds {lock}: wait for it, or stop it")
        time.sleep(_POLL_SECONDS)  # it is no child of this process, so its end cannot be waited for
    found = _locks(main, root, references)
    for path in found:
        path.unlink(missing_ok=True)
    return found


def forget_worktree(main: Path, root: Path) -> None:
    """Remove what git keeps of a worktree at `root`; `git worktree prune` leaves one that was cut short while made."""
    for folder in (_common(main) / "worktrees").glob("*"):
        pointer = folder / "gitdir"
        is_named = pointer.is_file() and Path(pointer.read_text().strip()).parent == root
        if is_named or (folder.name == root.name and not pointer.is_file()):
            shutil.rmtree(folder)


def check_branch_is_absent(main: Path, branch: str) -> None:
    """Raise LineageError, with the commands that mend it, where a branch is there and names no commit."""
    place = _common(main) / "refs" / "heads" / branch
    if not place.is_file():
        return
    last = next((commit for commit in _logged(main, branch) if _is_commit(main, commit)), None)
    known = f"rm {place} && git -C {main} update-ref refs/heads/{branch} {last}" if last else f"rm {place}"
    raise LineageError(f"branch {branch} is broken: {place} names no commit that is here; mend it: {known}")


def _locks(main: Path, root: Path, references: list[str]) -> list[Path]:
    return sorted(path for path in _places(main, root, references) if path.is_file())


def _places(main: Path, root: Path, references: list[str]) -> Iterator[Path]:
    own, common = _worktree_folder(root), _common(main)
    if own is not None:
        yield from own.glob("*.lock")
    for reference in references:
        yield from (common / "refs").glob(f"{reference}.lock")


def _worktree_folder(root: Path) -> Path | None:
    """Return where git keeps index and HEAD of the worktree, as its file .git names it."""
    pointer = root / ".git"
    return Path(pointer.read_text().removeprefix("gitdir:").strip()) if pointer.is_file() else None


def _common(main: Path) -> Path:
    """Return where git keeps what all worktrees of a main checkout share."""
    return main / ".git"


def _git_processes(root: Path) -> list[int]:
    import psutil  # commands that read need no list of processes

    found = []
    for process in psutil.process_iter(["name"]):
        try:
            if process.info["name"] == "git" and Path(process.cwd()).is_relative_to(root):
                found.append(process.pid)
        except (psutil.Error, OSError):  # it ended meanwhile, or is another person's
            continue
    return found


def _logged(main: Path, branch: str) -> list[str]:
    """Return the commits that a branch was at, newest first, then those of its worktree and of its tags."""
    log = _common(main) / "logs" / "refs" / "heads" / branch
    lines = log.read_text(errors="replace").splitlines() if log.is_file() else []
    tags = git(main, "for-each-ref", "--sort=-refname", "--format=%(objectname)", f"refs/tags/version/{branch[9:]}/")
    return [line.split()[1] for line in reversed(lines) if len(line.split()) > 1] + tags.splitlines()


def _is_commit(main: Path, commit: str) -> bool:
    return succeeds(main, "cat-file", "-e", f"{commit}^{{commit}}")
