"""Runs inside the sandbox: makes a checkout from a request, runs one git command in it, returns what it left.

    tree/            the working tree, with .git: what an earlier command left, or made here from the commits
    out, err         what git wrote

Everything below the working directory is gone with the execution. git and what it starts inherit the sandbox's limits.
"""

import binascii
import contextlib
import errno
import os
import signal
from pathlib import Path

FILE, LINK, EXECUTABLE = "100644", "120000", "100755"
GIT = Path(".git")
_KEPT_APART = ("config", "objects/info/alternates")
"""Files of .git that each request writes anew."""
_FULL = (errno.ENOSPC, errno.EFBIG, errno.EDQUOT)


def run(request):
    """Return how git ended and what it left, or why the checkout could not be made."""
    try:
        return _run(request)
    except OSError as error:
        if error.errno in _FULL:
            return {"full": True}
        raise


def _run(request):
    os.umask(0o022)
    Path("tree").mkdir()
    os.chdir("tree")
    git = Git(request["program"], request["environment"])
    answer = {}
    _write_git(request["state"], request["config"], request["alternates"])
    if request["commits"] is not None:
        _write(Path("../in"), request["commits"].encode("utf-8", "surrogateescape"))
        status = git.run(["-c", "core.logAllRefUpdates=false", "fast-import", "--quiet"], stdin="../in")
        if status != 0:
            return {"failed": git.said(1000)[1]}
    if request["is_first"]:
        git.run(["read-tree", "HEAD"])
        answer["start"] = _read_git()
    _write_tree(request["base"], request["files"])
    git.run(["update-index", "-q", "--refresh"])
    before = _scan() if request["is_writing"] else {}
    answer["status"] = git.run(request["words"])
    answer["out"], answer["err"] = git.said(request["output_bytes"])
    if request["is_writing"]:
        answer["state"], answer["changes"] = _read_git(), _changes(before)
    return answer


class Git:
    """The program, with an environment of its own."""

    def __init__(self, program, environment):
        self._program, self._environment = program, environment

    def run(self, words, stdin=os.devnull):
        """Run git to its end; return its exit status, or the negated signal that ended it."""
        written = os.O_WRONLY | os.O_CREAT | os.O_TRUNC
        actions = [
            (os.POSIX_SPAWN_OPEN, 0, stdin, os.O_RDONLY, 0),
            (os.POSIX_SPAWN_OPEN, 1, "../out", written, 0o600),
            (os.POSIX_SPAWN_OPEN, 2, "../err", written, 0o600),
        ]
        pid = os.posix_spawn(
            self._program,
            ["git", *(word.encode("utf-8", "surrogateescape") for word in words)],
            self._environment,
            file_actions=actions,
            setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],
        )
        return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])

    def said(self, max_bytes):
        """Return what git wrote to its output and its errors, each cut."""
        texts = []
        for name in ("../out", "../err"):
            with Path(name).open("rb") as file:
                texts.append(file.read(max_bytes).decode("utf-8", "surrogateescape"))
        return texts


def _write_git(state, config, alternates):
    for folder in (".git/objects/info", ".git/refs"):
        Path(folder).mkdir(parents=True)
    for name, data in state.items():
        _write(GIT / name, binascii.a2b_base64(data))
    _write(GIT / "config", config.encode())
    if alternates:
        list(Path(alternates).iterdir())  # raises where this user may not read
        _write(GIT / "objects/info/alternates", f"{alternates}\n".encode())


def _read_git():
    """Return what .git holds, path -> base64, without what each request writes."""
    found = {}
    for path in _files(GIT):
        name = path.relative_to(GIT).as_posix()
        if name not in _KEPT_APART and not name.endswith(".lock"):
            found[name] = binascii.b2a_base64(path.read_bytes(), newline=False).decode()
    return found


def _write_tree(base, files):
    """Write the files of `base`, a folder, where there is one, and over them `files`: path -> [mode, text] or None."""
    for path in _files(Path(base)) if base else ():
        name = path.relative_to(base)
        if name.as_posix() not in files:
            _write_file(name, *_read_file(path))
    for path, file in files.items():
        if file is not None:
            _write_file(Path(path), *file)
    for folder in _empty_folders(Path(base)) if base else ():
        with contextlib.suppress(FileExistsError, NotADirectoryError):
            Path(folder.relative_to(base)).mkdir(parents=True)


def _write_file(path, mode, text):
    data = text.encode("utf-8", "surrogateescape")
    if mode == LINK:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(os.fsdecode(data))
    else:
        _write(path, data, 0o777 if mode == EXECUTABLE else 0o666)


def _read_file(path):
    """Return mode and text of a file as git has them."""
    if path.is_symlink():
        return LINK, os.fsencode(path.readlink()).decode("utf-8", "surrogateescape")
    mode = EXECUTABLE if path.stat().st_mode & 0o100 else FILE
    return mode, path.read_bytes().decode("utf-8", "surrogateescape")


def _write(path, data, mode=0o666):
    path.parent.mkdir(parents=True, exist_ok=True)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, mode), "wb") as file:
        file.write(data)


def _empty_folders(top):
    """Yield the folders that stand for submodules."""
    yield from (Path(folder) for folder, folders, names in os.walk(top) if not folders and not names)


def _files(top):
    """Yield the files and links below a folder; of the working tree without .git."""
    for folder, folders, names in os.walk(top):
        folders[:] = [name for name in folders if name != ".git"]
        linked = [name for name in folders if Path(folder, name).is_symlink()]
        yield from (Path(folder, name) for name in (*names, *linked))


def _scan():
    """Return of each file of the working tree, by path, what differs when git wrote it."""
    found = {}
    for path in _files(Path()):
        status = path.lstat()
        found[path.as_posix()] = (status.st_ino, status.st_mtime_ns, status.st_size, status.st_mode)
    return found


def _changes(before):
    """Return what git changed in the working tree: path -> [mode, text], or None for a file that is gone."""
    after = _scan()
    changed = {path: _read_file(Path(path)) for path, seen in after.items() if before.get(path) != seen}
    return {**changed, **{path: None for path in before if path not in after}}
