"""Repositories on disk, as SWE-bench rows name them: a clone of the base commit, kept for later episodes and processes.

    <cache>/repositories/<key>/objects.git    a bare clone, sanitised or not (sanitise.py)
                               files/         the working tree, its bytes as the blobs have them

Episodes edit in memory; `files/` is what a test run is completed from. The cache is XDG's (~/.cache/evotrainer), and
may be deleted at any time.
"""

import atexit
import hashlib
import os
import shutil
import subprocess
import tempfile
import threading
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from evotrainer.domains.swe.checkout.git.trees import MODE_LINK, MODE_SUBMODULE, entries, read_commit
from evotrainer.domains.swe.checkout.git_process import checked_git, git_command, git_environment
from evotrainer.domains.swe.checkout.objects import MODE_FILE, Entry, decode
from evotrainer.domains.swe.checkout.repository import HEAD_REF, Repository, Store
from evotrainer.domains.swe.checkout.sanitise import clone_commit
from evotrainer.errors import GraderError

MAX_OPEN = 8
"""Repositories on disk whose files one process keeps in memory."""
MAX_KEPT_OBJECTS = 50_000
_BARE, _FILES = "objects.git", "files"


@lru_cache(maxsize=MAX_OPEN)
def open_on_disk(source: str, commit: str, sanitize: bool) -> Repository:
    """Return the repository at a commit of one on disk; raises DataError where that has no such commit."""
    place = _prepared(Path(source).expanduser().resolve(), commit, sanitize)
    store = Store(DiskObjects(place / _BARE), _refs(place / _BARE))
    tree = read_commit(store.objects, store.refs[HEAD_REF]).tree
    listed = {path: entry for path, entry in entries(store.objects, tree) if entry.mode != MODE_SUBMODULE}
    files = {path: decode(store.objects.read(entry.object_id)[1]) for path, entry in listed.items()}
    modes = {path: entry.mode for path, entry in listed.items() if entry.mode != MODE_FILE}
    return Repository(files, modes, lambda: store, place / _FILES)


def bare_of(repository: Repository) -> Path | None:
    """Return the bare clone of a repository on disk; None for one that lies within its problem."""
    return None if repository.root is None else repository.root.parent / _BARE


class DiskObjects:
    """Objects of a bare repository, read through one `git cat-file --batch` process."""

    def __init__(self, folder: Path) -> None:
        self._folder, self._lock = folder, threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0
        self.read = lru_cache(maxsize=MAX_KEPT_OBJECTS)(self._read)
        atexit.register(self.close)

    def complete(self, prefix: str) -> list[str]:
        """Return the ids that start with `prefix`, sorted."""
        return sorted(checked_git(self._folder, "rev-parse", f"--disambiguate={prefix}").decode().split())

    def close(self) -> None:
        """End the process."""
        if self._process is not None and self._owner == os.getpid():
            self._process.communicate()
        self._process = None

    def _read(self, object_id: str) -> tuple[str, bytes]:
        with self._lock:
            process = self._running()
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(f"{object_id}\n".encode())
            process.stdin.flush()
            words = process.stdout.readline().decode().split()
            if len(words) < 3:
                raise KeyError(object_id)
            data = process.stdout.read(int(words[2]))
            process.stdout.read(1)
        return words[1], data

    def _running(self) -> "subprocess.Popen[bytes]":
        """Return the process, a new one where this is a fork of the process that started it."""
        if self._process is None or self._owner != os.getpid():
            self._process = subprocess.Popen(
                git_command(["cat-file", "--batch"]),
                cwd=self._folder,
                env=git_environment(),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
            )
            self._owner = os.getpid()
        return self._process


def cache_folder() -> Path:
    """Return where clones are kept."""
    base = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    return Path(base) / "evotrainer" / "repositories"


def _prepared(source: Path, commit: str, sanitize: bool) -> Path:
    """Return the folder of a clone; made beside its place and moved there, so that it is whole or absent."""
    key = hashlib.sha256(f"1\0{source}\0{commit}\0{sanitize}".encode()).hexdigest()[:24]
    place = cache_folder() / key
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
    """Write the working tree as the blobs have it: no filter, no line ends of another system."""
    objects = DiskObjects(bare)
    commit = _refs(bare)[HEAD_REF]
    target.mkdir()
    for path, entry in _plain_entries(objects, read_commit(objects, commit).tree):
        place = target / path
        place.parent.mkdir(parents=True, exist_ok=True)
        data = objects.read(entry.object_id)[1]
        if entry.mode == MODE_LINK:
            place.symlink_to(os.fsdecode(data))
        else:
            place.write_bytes(data)
            place.chmod(0o755 if entry.mode.endswith("755") else 0o644)
    objects.close()


def _plain_entries(objects: DiskObjects, tree: str) -> Iterator[tuple[str, Entry]]:
    return ((path, entry) for path, entry in entries(objects, tree) if entry.mode != MODE_SUBMODULE)


def _refs(bare: Path) -> dict[str, str]:
    rows = checked_git(bare, "for-each-ref", "--format=%(objectname) %(refname) %(*objectname)").decode().splitlines()
    words = [row.split(" ") for row in rows]
    return {row[1]: row[2] or row[0] for row in words}
