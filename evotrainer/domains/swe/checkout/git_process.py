"""Real git as a child process: one configuration, none of the person's, no hooks, no network, no prompts."""

import os
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path

from evotrainer.errors import GraderError

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
