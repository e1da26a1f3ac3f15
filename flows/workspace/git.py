"""Git as plain functions, for a checkout that is not ours: no hook, no signature, no identity needed, no index touched.

Plumbing commands only, through the `git` program; its line about what failed becomes the error message. A lock file in
the way is waited for while a git process works here, which is named where it takes too long; one that a dead process
left is removed, and that is printed.
"""

import os
import re
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import psutil

from evotrainer.errors import LineageError
from tasks.running.progress import progress

SETTINGS = (
    "core.hooksPath=/dev/null",
    "commit.gpgSign=false",
    "tag.gpgSign=false",
    "gc.auto=0",
    "core.quotePath=false",
    "advice.detachedHead=false",
)
IDENTITY = ("user.name=EvoTrainer", "user.email=evotrainer@localhost")
"""Of a person whose git knows none."""
HELD = re.compile(r"Unable to create '(.+\.lock)': File exists|could not lock config file (.+): File exists")
OWN_CODE = ("*.py", "conf/*.yaml", "harness_plugins/*.yaml", ":!*/site-packages/*")
"""A person's own modules, interventions and checks: a snapshot holds those that git neither tracks nor ignores too."""
MAX_WAIT_SECONDS, POLL_SECONDS = 10.0, 0.2


def git(root: Path, *arguments: str, index: Path | None = None) -> str:
    """Run git in `root` and return its output, stripped; `index` replaces the checkout's own index file."""
    result = _run(root, arguments, index)
    while result.returncode != 0 and (held := HELD.search(result.stderr)):
        _release(root, root / (held[1] or f"{held[2]}.lock"))
        result = _run(root, arguments, index)
    if result.returncode != 0:
        raise LineageError(f"git {arguments[0]} failed in {root}: {_reason(result)}")
    return result.stdout.strip()


def succeeds(root: Path, *arguments: str) -> bool:
    """Tell whether a git command ends with status 0."""
    return _run(root, arguments, None).returncode == 0


def commit_of(root: Path, reference: str) -> str | None:
    """Return the commit that a reference names; None where there is no such reference."""
    return _run(root, ("rev-parse", "--verify", "--quiet", f"{reference}^{{commit}}"), None).stdout.strip() or None


def hashes(root: Path, objects: Sequence[str]) -> list[str | None]:
    """Return Git's hash of each of these objects, like HEAD:path; None for one that is not there."""
    names = "".join(f"{name}\n" for name in objects)
    lines = _run(root, ("cat-file", "--batch-check=%(objectname)"), None, names).stdout.splitlines()
    return [None if line.endswith(" missing") else line for line in lines]


def main_checkout(folder: Path) -> Path | None:
    """Return the main checkout of the repository around `folder`, also from within a campaign; None outside of one."""
    result = _run(folder, ("rev-parse", "--path-format=absolute", "--git-common-dir"), None)
    common = Path(result.stdout.strip())
    return common.parent if result.returncode == 0 and common.name == ".git" else None


def snapshot(root: Path, message: str) -> tuple[str, list[str]]:
    """Return a commit that holds the files as they are now, tracked or `OWN_CODE`, and which of them differ from HEAD.

    Without a difference that is HEAD itself. The commit is made through a private index: branch, index and files of
    the checkout stay as they are, to the byte.
    """
    head = git(root, "rev-parse", "--verify", "HEAD")
    with _private_index(root) as index:
        if untracked := _own_code(root):
            git(root, "add", "--", *untracked, index=index)
        changed = git(root, "diff", "--cached", "HEAD", "--name-only", index=index).splitlines()
        tree = git(root, "write-tree", index=index)
    if not changed:
        return head, []
    return git(root, "commit-tree", tree, "-p", head, "-m", message), changed


def uncommitted(root: Path) -> list[str]:
    """Return the files that differ from HEAD as a snapshot holds them."""
    return sorted([*git(root, "diff", "HEAD", "--name-only").splitlines(), *_own_code(root)])


def _own_code(root: Path) -> list[str]:
    return git(root, "ls-files", "--others", "--exclude-standard", "--", *OWN_CODE).splitlines()


@contextmanager
def _private_index(root: Path) -> Iterator[Path]:
    """Give a copy of the checkout's index that holds the tracked files as they are now."""
    checkout_index = Path(git(root, "rev-parse", "--path-format=absolute", "--git-path", "index"))
    with tempfile.TemporaryDirectory() as folder:
        index = Path(folder) / "index"
        index.write_bytes(checkout_index.read_bytes())
        git(root, "add", "--update", ".", index=index)
        yield index


def commit(root: Path, message: str, paths: list[str]) -> str:
    """Commit these paths of a campaign's worktree, if they changed; return the commit that holds them.

    Outputs that DVC caches are not among them: where a .gitignore lacks one, it is written again.
    """
    from tasks.plan.pipeline import ignore_outputs  # domains: commands that only read do without

    for path in paths:
        if (root / path / "dvc.yaml").is_file() and ignore_outputs(root / path):
            progress().line(f"restored {path}/.gitignore, which did not name all outputs that DVC keeps")
    if paths:
        git(root, "add", "--all", "--", *paths)
    if not succeeds(root, "diff", "--cached", "--quiet"):
        git(root, "commit", "--quiet", "--no-verify", "-m", message)
    return git(root, "rev-parse", "HEAD")


def extract(root: Path, revision: str, folder: Path) -> None:
    """Write the files of a commit into `folder`, beside what is there; no checkout moves."""
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        index = Path(scratch) / "index"
        git(root, "read-tree", revision, index=index)
        git(root, "checkout-index", "--all", "--force", f"--prefix={folder.resolve()}/", index=index)


def commit_folder(root: Path, folder: Path, message: str, parent: str | None) -> str:
    """Return a new commit, on no branch yet, whose files are exactly those of `folder`."""
    with tempfile.TemporaryDirectory() as scratch:
        index = Path(scratch) / "index"
        for path in sorted(path for path in folder.rglob("*") if path.is_file()):
            blob = git(root, "hash-object", "-w", "--no-filters", str(path.resolve()))
            name = path.relative_to(folder).as_posix()
            git(root, "update-index", "--add", "--cacheinfo", f"100644,{blob},{name}", index=index)
        tree = git(root, "write-tree", index=index)
    return git(root, "commit-tree", tree, *(["-p", parent] if parent else []), "-m", message)


def wait_for_writers(place: Path) -> None:
    """Wait until no git process writes to a checkout; raises LineageError that names one which does not end."""
    end = time.monotonic() + MAX_WAIT_SECONDS
    while found := _writer(place):
        if time.monotonic() > end:
            raise LineageError(f"{found} works in {place}: wait until it has ended, then run the same command again")
        time.sleep(POLL_SECONDS)  # a process of somebody else tells nobody of its end


def _release(root: Path, lock: Path) -> None:
    """Wait until a lock file is gone, and remove it where no process lives that can hold it."""
    checkout = main_checkout(root) or root
    while (seen := _identity_of(lock)) is not None:
        wait_for_writers(checkout)
        if _identity_of(lock) == seen:
            lock.unlink(missing_ok=True)
            progress().line(f"removed {lock}, which a killed git had left")


def _identity_of(path: Path) -> tuple[int, int] | None:
    try:
        return path.stat().st_ino, path.stat().st_mtime_ns
    except FileNotFoundError:
        return None


def _writer(place: Path) -> str:
    """Return the git process that may write to `place`, with its command; empty where there is none."""
    for process in psutil.process_iter(["name", "cmdline", "cwd", "status"]):
        command, folder = process.info["cmdline"] or [], process.info["cwd"] or "/"
        is_here = str(place) in command or Path(folder).is_relative_to(place)
        is_git = process.info["name"] == "git" and process.info["status"] != psutil.STATUS_ZOMBIE
        if is_git and is_here:
            return f"`{' '.join(command)[-80:]}` (pid {process.pid})"
    return ""


def _reason(result: subprocess.CompletedProcess[str]) -> str:
    """Return git's own line about what failed, which names the file; advice may follow it."""
    lines = [line for line in result.stderr.splitlines() if line.strip()]
    fatal = [line for line in lines if line.startswith(("fatal:", "error:"))]
    return next(iter([*fatal, *reversed(lines)]), f"status {result.returncode}")


def _run(
    root: Path, arguments: tuple[str, ...], index: Path | None, given: str | None = None
) -> subprocess.CompletedProcess[str]:
    environment = {key: value for key, value in os.environ.items() if key not in ("GIT_DIR", "GIT_INDEX_FILE")}
    environment |= {"GIT_OPTIONAL_LOCKS": "0", "GIT_TERMINAL_PROMPT": "0", "GIT_NO_REPLACE_OBJECTS": "1"}
    environment["LC_ALL"] = "C.UTF-8"  # messages are read
    if index is not None:
        environment["GIT_INDEX_FILE"] = str(index)
    settings = [*SETTINGS]
    if arguments[0] in ("commit", "commit-tree"):
        settings += [one for one in IDENTITY if not _run(root, ("config", one.partition("=")[0]), None).stdout]
    command = ["git", *(part for one in settings for part in ("-c", one)), *arguments]
    return subprocess.run(command, cwd=root, env=environment, input=given, capture_output=True, text=True)
