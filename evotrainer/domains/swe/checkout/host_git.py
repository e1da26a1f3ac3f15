"""Git on the host: one configuration, none of the person's, no hooks, no network; clones and patches made with it.

A clone holds one commit with what led to it, and nothing else: so a repository on disk is sanitised. Nothing is deleted
from a copy, where something could be forgotten: the objects that the commit reaches are fetched, and are all that
the new repository gets. Branches, tags, notes, stashes, reflogs, unreachable objects, packed refs, alternates,
worktrees, FETCH_HEAD and ORIG_HEAD of the old one never come near it.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

from evotrainer.domains.swe.checkout.files import decode, encode
from evotrainer.domains.swe.checkout.repository import BRANCH, HEAD_REF
from evotrainer.errors import DataError, GraderError

SETTINGS = {
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.autocrlf": "false",
    "core.attributesFile": os.devnull,
    "diff.renames": "false",
    "gc.auto": "0",
    "maintenance.auto": "false",
    "safe.directory": "*",
    "protocol.allow": "never",
}
ENVIRONMENT = {
    "HOME": os.devnull,
    "LC_ALL": "C",
    "TZ": "UTC",
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
}
"""Nothing of the person's, for git on the host and in the sandbox."""
TIMEOUT_SECONDS = 600.0


def git_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a git process on the host."""
    return {"PATH": os.environ.get("PATH", os.defpath), **ENVIRONMENT, **(extra or {})}


def run_git_process(
    folder: Path, words: Sequence[str], *, data: bytes = b"", extra: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder and return how it ended, whatever its status."""
    settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
    return subprocess.run(
        ["git", *settings, *words],
        cwd=folder,
        input=data,
        env=git_environment(extra),
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
    )


def checked_git(folder: Path, *words: str, data: bytes = b"", extra: Mapping[str, str] | None = None) -> bytes:
    """Run git in a folder and return its output; raises GraderError with its first line of complaint."""
    try:
        ended = run_git_process(folder, words, data=data, extra=extra)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise GraderError(f"git {words[0]} could not run in {folder}: {error}") from error
    if ended.returncode != 0:
        complaint = ended.stderr.decode("utf-8", "replace").strip().partition("\n")[0]
        raise GraderError(f"git {words[0]} failed in {folder}: {complaint}")
    return ended.stdout


def clone_commit(source: Path, commit: str, target: Path, *, sanitize: bool) -> None:
    """Make `target` a bare repository whose branch main is `commit`.

    Unsanitised, all branches and tags of the source come along, branches as origin/<name>: the leak of a careless
    clone. Raises DataError where the source has no such commit.
    """
    try:
        head = checked_git(source, "rev-parse", "--verify", "--quiet", f"{commit}^{{commit}}").decode().strip()
    except GraderError:
        raise DataError(f"{source} is no git repository with the commit {commit}: fetch it there") from None
    target.mkdir(parents=True)
    checked_git(target, "init", "--quiet", "--bare", f"--initial-branch={BRANCH}", ".")
    # One after the other: a branch of the source and what it saw of that upstream get one name, the later stays.
    for refs in (f"{head}:{HEAD_REF}", *(() if sanitize else _FOREIGN_REFS)):
        checked_git(
            target, "fetch", *_FETCH, str(source), refs, "^refs/remotes/*/HEAD", extra={"GIT_ALLOW_PROTOCOL": "file"}
        )


_FETCH = (
    *("--quiet", "--no-tags", "--no-write-fetch-head", "--update-shallow"),
    "--upload-pack=git -c 'safe.directory=*' -c uploadpack.allowAnySHA1InWant=true upload-pack",
)
_FOREIGN_REFS = ("+refs/heads/*:refs/remotes/origin/*", "+refs/remotes/*:refs/remotes/*", "+refs/tags/*:refs/tags/*")
"""Branches and tags of the source under the names that a clone would give them."""


class PatchError(ValueError):
    """A patch that cannot be read or does not fit."""


@lru_cache(maxsize=4096)
def changed_paths(patch: str) -> frozenset[str]:
    """Return the paths that a patch names on either side, read leniently: it need not fit anything."""
    names, renamed = set(), set()
    for line in patch.splitlines():
        if line.startswith(("--- ", "+++ ")):
            names.add(line[4:].split("\t")[0].strip())
        elif line.startswith(("rename from ", "rename to ")):
            renamed.add(line.split(" ", 2)[2])
    prefixed = {name[2:] for name in names if name[:2] in ("a/", "b/")}
    return frozenset(prefixed | renamed or names - {os.devnull})


def apply_patch(files: Mapping[str, str], patch: str) -> dict[str, str | None]:
    """Return the changes that a patch makes to `files`, path -> text or None for deleted; raises PatchError.

    git applies it to the files that it names, in a folder of its own: context must match.
    """
    with tempfile.TemporaryDirectory(prefix="evotrainer-patch-") as folder:
        top = Path(folder)
        old = {path: files[path] for path in changed_paths(patch) if path in files}
        for path, text in old.items():
            (top / path).parent.mkdir(parents=True, exist_ok=True)
            (top / path).write_bytes(encode(text))
        depth = "-p1" if re.search(r"^(?:--- a/|\+\+\+ b/|rename )", patch, re.MULTILINE) else "-p0"
        words = ["apply", depth, "--unidiff-zero", "--whitespace=nowarn", "-"]
        ended = run_git_process(top, words, data=encode(patch), extra={"GIT_CEILING_DIRECTORIES": str(top.parent)})
        if ended.returncode != 0:
            raise PatchError(decode(ended.stderr).strip().partition("\n")[0].removeprefix("error: "))
        new = {path.relative_to(top).as_posix(): _text(path) for path in top.rglob("*") if not path.is_dir()}
    return {path: new.get(path) for path in sorted({*old, *new}) if new.get(path) != old.get(path)}


def _text(path: Path) -> str:
    return decode(os.fsencode(path.readlink()) if path.is_symlink() else path.read_bytes())
