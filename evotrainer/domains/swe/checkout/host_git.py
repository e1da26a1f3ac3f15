"""Git on the host: one configuration, none of the person's, no hooks, no network, no prompts; and clones made with it.

A clone holds one commit with what led to it, and nothing else: so a repository on disk is sanitised. Nothing is deleted
from a copy, where something could be forgotten: the objects that the commit reaches are packed, and the pack is all
that the new repository gets. Branches, tags, notes, stashes, reflogs, unreachable objects, packed refs, alternates,
worktrees, FETCH_HEAD and ORIG_HEAD of the old one never come near it.
"""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from evotrainer.domains.swe.checkout.repository import BRANCH, HEAD_REF
from evotrainer.errors import DataError, GraderError

SETTINGS = {
    "core.abbrev": "7",
    "core.hooksPath": os.devnull,
    "core.fsmonitor": "false",
    "core.pager": "cat",
    "core.autocrlf": "false",
    "core.attributesFile": os.devnull,
    "color.ui": "false",
    "advice.detachedHead": "false",
    "advice.statusHints": "false",
    "advice.resetNoRefresh": "false",
    "diff.renames": "false",
    "log.decorate": "no",
    "log.showSignature": "false",
    "merge.stat": "true",
    "gc.auto": "0",
    "safe.directory": "*",
    "protocol.allow": "never",
    "maintenance.auto": "false",
    "user.useConfigOnly": "true",
    "commit.gpgSign": "false",
    "status.renames": "false",
}
TIMEOUT_SECONDS = 600.0


def git_environment(extra: Mapping[str, str] | None = None) -> dict[str, str]:
    """Return the environment of a git process."""
    return {
        "PATH": os.environ.get("PATH", os.defpath),
        "HOME": os.devnull,
        "LC_ALL": "C",
        "TZ": "UTC",
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_ATTR_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_REPLACE_OBJECTS": "1",
        **(extra or {}),
    }


def git_command(words: Sequence[str]) -> list[str]:
    """Return the command line of git with its settings."""
    settings = [part for name, value in SETTINGS.items() for part in ("-c", f"{name}={value}")]
    return ["git", *settings, *words]


def run_git_process(
    folder: Path, words: Sequence[str], *, data: bytes = b"", extra: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[bytes]:
    """Run git in a folder and return how it ended, whatever its status."""
    return subprocess.run(
        git_command(words),
        cwd=folder,
        input=data,
        env=git_environment(extra),
        capture_output=True,
        timeout=TIMEOUT_SECONDS,
    )


def checked_git(folder: Path, *words: str, data: bytes = b"") -> bytes:
    """Run git in a folder and return its output; raises GraderError with its first line of complaint."""
    try:
        ended = run_git_process(folder, words, data=data)
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
    refs = {HEAD_REF: head} | ({} if sanitize else _foreign_refs(source))
    target.mkdir(parents=True)
    checked_git(target, "init", "--quiet", "--bare", f"--initial-branch={BRANCH}", ".")
    wanted = "".join(f"{name}\n" for name in dict.fromkeys(refs.values()))
    pack = checked_git(source, "pack-objects", "--revs", "--stdout", "--quiet", data=wanted.encode())
    _copy_shallow(source, target, list(refs.values()))
    checked_git(target, "index-pack", "--stdin", data=pack)
    for ref, name in refs.items():
        checked_git(target, "update-ref", "--no-deref", ref, name)


def _foreign_refs(source: Path) -> dict[str, str]:
    """Return branches and tags of the source under the names that a clone would give them."""
    form = "--format=%(objectname) %(refname)"
    rows = checked_git(source, "for-each-ref", form, "refs/heads", "refs/remotes", "refs/tags").decode().splitlines()
    found = {}
    for row in rows:
        name, _, ref = row.partition(" ")
        if not ref.endswith("/HEAD"):
            found[ref.replace("refs/heads/", "refs/remotes/origin/", 1)] = name
    return found


def _copy_shallow(source: Path, target: Path, starts: list[str]) -> None:
    """Where the source's history begins in the middle, let the clone's begin there too."""
    if checked_git(source, "rev-parse", "--is-shallow-repository").strip() != b"true":
        return
    place = Path(checked_git(source, "rev-parse", "--git-path", "shallow").decode().strip())
    known = (place if place.is_absolute() else source / place).read_text(encoding="ascii").split()
    reached = set(checked_git(source, "rev-list", *starts).decode().split())
    (target / "shallow").write_text("".join(f"{name}\n" for name in known if name in reached), encoding="ascii")
