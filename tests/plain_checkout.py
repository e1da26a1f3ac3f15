"""A checkout as a person would make it: a folder that stays, commits by `git commit`, no sandbox."""

import os
import subprocess
from collections.abc import Sequence
from pathlib import Path

from evotrainer.domains.swe.checkout.files import decode, encode
from evotrainer.domains.swe.checkout.git_command import CONFIG, environment
from evotrainer.domains.swe.checkout.repository import COMMIT_INTERVAL_SECONDS, FIRST_COMMIT_SECONDS
from evotrainer.records import Problem


class PlainCheckout:
    """A generated problem in a folder, which must be empty."""

    def __init__(self, problem: Problem, folder: Path, sanitize: bool) -> None:
        self.folder, history = folder, problem.data["history"]
        commits = [*history, *([] if sanitize else problem.data["future"])]
        self.seconds = FIRST_COMMIT_SECONDS
        self._run("init", "--quiet", "--initial-branch=main")
        (folder / ".git" / "config").write_text(CONFIG)
        for number, commit in enumerate(commits):
            self.seconds = FIRST_COMMIT_SECONDS + number * COMMIT_INTERVAL_SECONDS
            for path, text in commit["changes"].items():
                self.write(path, text)
            self._run("add", "-A", "--force")
            self._run("commit", "--quiet", "--allow-empty", "-m", commit["message"].strip())
        if len(commits) > len(history):
            self._run("update-ref", "refs/remotes/origin/main", "HEAD")
        self._run("reset", "--quiet", "--hard", f"HEAD~{len(commits) - len(history)}")
        (folder / ".git" / "ORIG_HEAD").unlink()
        self._run("reflog", "expire", "--expire=all", "--all")
        self.seconds = FIRST_COMMIT_SECONDS + (len(history) - 1) * COMMIT_INTERVAL_SECONDS

    def write(self, path: str, text: str | None) -> None:
        place = self.folder / path
        if text is None:
            place.unlink()
            for folder in place.relative_to(self.folder).parents:
                if str(folder) != "." and not any((self.folder / folder).iterdir()):
                    (self.folder / folder).rmdir()
            return
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(encode(text))

    def git(self, words: Sequence[str]) -> tuple[str, int]:
        """Return what a command says and its exit status; an hour after the command before."""
        self.seconds += COMMIT_INTERVAL_SECONDS
        done = subprocess.run(
            ["git", *words],
            cwd=self.folder,
            env={**environment(self.seconds), "PATH": os.environ["PATH"]},
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        return decode(done.stdout + done.stderr), done.returncode

    def _run(self, *words: str) -> None:
        self.seconds -= COMMIT_INTERVAL_SECONDS
        said, status = self.git(words)
        assert status == 0, said

    def files(self) -> dict[str, str]:
        """Return the working tree, path -> text."""
        paths = [path for path in self.folder.rglob("*") if path.is_file() and ".git" not in path.parts]
        return {path.relative_to(self.folder).as_posix(): decode(path.read_bytes()) for path in paths}
