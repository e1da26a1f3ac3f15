"""From a problem to its repository: within the problem, or on disk, as SWE-bench rows name them.

    <cache>/repositories/<key>/objects.git    a bare clone of the base commit, sanitised or not (host_git.py)
                               files/         the working tree, its bytes as the blobs have them

A clone is kept for later episodes and processes. Episodes edit in memory; `files/` completes a test run's folder and
git's checkout. The cache is XDG's (~/.cache/evotrainer), and may be deleted at any time.
"""

import hashlib
import os
import shutil
import tempfile
from base64 import b64encode
from collections.abc import Mapping
from functools import cached_property, lru_cache
from pathlib import Path

from evotrainer.domains.swe.checkout.files import decode
from evotrainer.domains.swe.checkout.host_git import checked_git, clone_commit
from evotrainer.domains.swe.checkout.repository import FIRST_MESSAGE, MODE_FILE, MODE_LINK, Repository
from evotrainer.errors import GraderError
from evotrainer.records import Problem

MAX_OPEN = 8
"""Repositories on disk whose files one process keeps in memory."""
MODE_SUBMODULE = "160000"
_BARE, _FILES = "objects.git", "files"


class DiskRepository(Repository):
    """A repository whose objects lie in a bare clone, and its files beside it."""

    def __init__(self, place: Path, packages: str = "") -> None:
        self.bare, self.root = place / _BARE, place / _FILES
        self.packages = Path(packages) if packages else None
        blobs = _blobs(self.bare)
        self.files = {path: decode(data) for path, (mode, data) in blobs.items() if mode != MODE_SUBMODULE}
        self.modes = {path: mode for path, (mode, _) in blobs.items() if mode not in (MODE_FILE, MODE_SUBMODULE)}
        self.seconds = int(checked_git(self.bare, "log", "-1", "--format=%ct"))

    @property
    def commits(self) -> str | None:
        """None: `bare` holds them."""
        return None

    @cached_property
    def bare_files(self) -> Mapping[str, str]:
        """What .git needs beside commits and objects: HEAD, refs, and where a shallow history begins."""
        assert self.bare is not None
        paths = [self.bare / name for name in ("HEAD", "packed-refs", "shallow")]
        paths += (self.bare / "refs").rglob("*")
        return {
            path.relative_to(self.bare).as_posix(): b64encode(path.read_bytes()).decode()
            for path in paths
            if path.is_file()
        }


@lru_cache(maxsize=MAX_OPEN)
def open_on_disk(source: str, commit: str, sanitize: bool, packages: str = "") -> Repository:
    """Return the repository at a commit of one on disk; raises DataError where that has no such commit."""
    return DiskRepository(_prepared(Path(source).expanduser().resolve(), commit, sanitize), packages)


def _prepared(source: Path, commit: str, sanitize: bool) -> Path:
    """Return the folder of a clone; made beside its place and moved there, so that it is whole or absent."""
    key = hashlib.sha256(f"2\0{source}\0{commit}\0{sanitize}".encode()).hexdigest()[:24]
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    place = Path(base) / "evotrainer" / "repositories" / key
    if place.is_dir():
        return place
    place.parent.mkdir(parents=True, exist_ok=True)
    draft = Path(tempfile.mkdtemp(prefix=f"{key}-", dir=place.parent))
    try:
        clone_commit(source, commit, draft / _BARE, sanitize=sanitize)
        _write_files(draft / _BARE, draft / _FILES)
        draft.chmod(0o755)
        draft.rename(place)
    except OSError as error:
        if not place.is_dir():  # another process was not faster
            raise GraderError(f"{place} could not be written: {error}") from error
    finally:
        shutil.rmtree(draft, ignore_errors=True)
    return place


def _write_files(bare: Path, target: Path) -> None:
    """Write the working tree as the blobs have it: no filter, no line ends of another system; submodules empty."""
    target.mkdir()
    for path, (mode, data) in _blobs(bare).items():
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        if mode == MODE_SUBMODULE:
            place.mkdir()
        elif mode == MODE_LINK:
            place.symlink_to(os.fsdecode(data))
        else:
            place.write_bytes(data)
            place.chmod(0o755 if mode.endswith("755") else 0o644)


def _blobs(bare: Path) -> dict[str, tuple[str, bytes]]:
    """Return mode and bytes of all files of the commit that is checked out, by path; a submodule has no bytes."""
    lines = checked_git(bare, "ls-tree", "-r", "-z", "HEAD").split(b"\0")[:-1]
    rows = [(decode(line.partition(b"\t")[2]), *line.partition(b"\t")[0].decode().split()) for line in lines]
    wanted = "".join(f"{name}\n" for _, mode, _, name in rows if mode != MODE_SUBMODULE)
    data = checked_git(bare, "cat-file", "--batch=%(objectsize)", data=wanted.encode())
    found, start = {}, 0
    for path, mode, _, _ in rows:
        if mode == MODE_SUBMODULE:
            found[path] = mode, b""
            continue
        end = data.index(b"\n", start) + 1
        size = int(data[start:end])
        found[path] = mode, data[end : end + size]
        start = end + size + 1
    return found


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
    history = data.get("history") or [{"message": FIRST_MESSAGE, "changes": data["files"]}]
    repository = Repository(data["files"], history, [] if sanitize else data.get("future") or [])
    repository.packages = Path(data["packages"]) if data.get("packages") else None
    return repository
