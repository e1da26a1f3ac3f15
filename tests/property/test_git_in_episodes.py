"""git in an episode: what travels between two commands loses nothing, and no command line says more than is taken.

Random histories, edits and commands beside a plain checkout, whose .git stays in a folder:
answers, files and ids must be equal. Whatever the machine is set to, the answers are the same bytes.
"""

import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.files import OutsideError, decode, encode
from evotrainer.domains.swe.checkout.git_command import CONFIG, environment
from evotrainer.domains.swe.checkout.git_words import COMMANDS, RefusedError, checked_words
from evotrainer.domains.swe.checkout.repository import COMMIT_INTERVAL_SECONDS, FIRST_COMMIT_SECONDS
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy
from evotrainer.records import Problem

PATHS = ("a.py", "b.py", "pkg/c.py", "pkg/sub/d.py", "pkg.txt", "pkg-x.py", "z z.txt", "caf\u00e9.py")
LINES = ("def f(x):", "    return x", "", "    y = 1", "class A:", "        pass", "# note", "    if y:")
texts = st.tuples(st.lists(st.sampled_from(LINES), max_size=12), st.sampled_from(("\n", ""))).map(
    lambda parts: "\n".join(parts[0]) + parts[1]
)
messages = st.sampled_from(("Fix it", "Add x\n\nLonger body\nof two lines", "Refactor\nwrapped subject"))
revisions = st.sampled_from(("HEAD", "HEAD~1", "HEAD^", "main", "origin/main", "@", "stash", "main~2", "nosuch"))
paths = st.sampled_from((*PATHS, ".", "pkg", "nosuch.py"))

READS = (
    "log --oneline --all",
    "log --all -p",
    "log {rev}..{rev} --oneline",
    "show {rev}",
    "show {rev}:{file}",
    "diff",
    "diff --cached",
    "diff {rev} {rev}",
    "rev-list {rev}",
    "blame HEAD -- {path}",
    "grep -l y {rev}",
    "cat-file -p {rev}^{{tree}}",
    "branch -a",
    "reflog",
)
CHANGES = (
    "checkout {rev} -- {path}",
    "checkout {path}",
    "checkout -- {path}",
    "checkout {rev}",
    "checkout -b topic",
    "switch --detach {rev}",
    "switch main",
    "restore {path}",
    "restore --staged {path}",
    "restore --source {rev} {path}",
    "restore -SW --source={rev} -- {path}",
    "reset --hard {rev}",
    "reset {rev}",
    "reset {rev} -- {path}",
    "add -A",
    "add {path}",
    "commit -am work",
    "status",
    "stash",
    "stash pop",
    "stash apply",
    "branch topic {rev}",
    "fsck",
    "merge --ff-only {rev}",
    "merge {rev}",
    "cherry-pick {rev}",
)


@st.composite
def histories(draw: st.DrawFn) -> Problem:
    files: dict[str, str] = {}
    commits = []
    for _ in range(draw(st.integers(1, 5))):
        changes = draw(st.dictionaries(st.sampled_from(PATHS), st.none() | texts, min_size=1, max_size=3))
        changes = {path: text for path, text in changes.items() if files.get(path) != text}
        for path, text in changes.items():
            files.pop(path, None) if text is None else files.__setitem__(path, text)
        commits.append(({"message": draw(messages), "changes": changes}, dict(files)))
    cut = draw(st.integers(1, len(commits)))
    data = {
        "files": commits[cut - 1][1],
        "history": [commit for commit, _ in commits[:cut]],
        "future": [commit for commit, _ in commits[cut:]],
    }
    return Problem(problem_id="p", domain="swe", family="f", split="train", prompt="p", answer="", data=data)


edits = st.tuples(st.sampled_from((*PATHS, "new.py", "fresh/e.py")), texts)


def _filled(form: str, revs: tuple[str, str], path: str) -> str:
    first, _, rest = form.partition("{rev}")
    text = f"{first}{revs[0]}{rest.replace('{rev}', revs[1])}" if "{rev}" in form else form
    return (
        text.replace("{{tree}}", "{tree}")
        .replace("{path}", shlex.quote(path))
        .replace("{file}", shlex.quote("a.py" if path == "." else path))
    )


commands = st.builds(_filled, st.sampled_from((*READS, *CHANGES)), st.tuples(revisions, revisions), paths)


class PlainCheckout:
    """A checkout as a person would make it: an empty folder that stays, commits by `git commit`, no sandbox."""

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


@settings(max_examples=20, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(histories(), st.booleans(), st.lists(commands | edits, min_size=1, max_size=8))
def test_an_episode_answers_as_a_checkout_that_stays(problem: Problem, sanitize: bool, steps):
    copy = WorkingCopy(open_repository(problem, sanitize))
    with tempfile.TemporaryDirectory() as folder:
        plain = PlainCheckout(problem, Path(folder), sanitize)
        for step in steps:
            if isinstance(step, tuple):
                if _fits(step[0], copy):
                    plain.write(*step)
                    copy.files[step[0]] = step[1]
                continue
            said, status = plain.git(checked_words(step))
            answer = copy.git(step)
            assert answer.ok == (status == 0), f"git {step}: {answer.text}"
            assert answer.text == (said or ("(no output)" if status == 0 else f"(no output, exit status {status})"))
            assert copy.files == plain.files(), f"after git {step}"


def _fits(path: str, copy: WorkingCopy) -> bool:
    """Return whether a path can be written: it is no folder, and lies in no file."""
    return not any(other.startswith(f"{path}/") or path.startswith(f"{other}/") for other in copy.files)


HOSTILE = (
    "--output=x", "--ext-diff", "--textconv", "-c", "core.pager=sh", "--exec-path=.", "--git-dir=.git", "-C", "..",
    "--no-index", "-O", "-Osh", "--open-files-in-pager", "--upload-pack=sh", "-i", "-p", "--interactive", "--patch",
    "-f", "--file=x", "-F", "--batch", "--contents=x", "-S", "-n", "-m", "--pretty", "--format", "-s", "--source", "--",
    "-", "HEAD", "../x", "/etc/passwd", "~/x", ".git/config", "a.py", "", "--config-env=a=b", "--work-tree=/", "-b",
    "--editor", "-e", "-L", "--paginate", "--exec=sh", "-x", "-c=alias.x=!sh", "--receive-pack=sh", "--signoff",
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.sampled_from((*COMMANDS, "clone", "fetch", "config")), st.lists(st.sampled_from(HOSTILE), max_size=5))
def test_a_word_that_git_reads_as_an_option_is_one_that_is_taken(name: str, words):
    try:
        found = checked_words(shlex.join([name, *words]))
    except (RefusedError, OutsideError):
        return
    flags, valued = (known.split() for known in COMMANDS[found[0]])
    rest = iter(found[1:])
    for word in rest:
        if word == "--":
            break
        if not word.startswith("-") or word == "-":
            assert not word.startswith(("/", "~", "../"))
        elif word in valued and not word.startswith("--"):
            next(rest)  # git takes the next word, whatever it is
        else:
            assert word in flags or word.partition("=")[0] in valued and "=" in word, found


SCRIPT = """
import os, sys
os.umask(int(sys.argv[1], 8))
from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.working_copy import WorkingCopy
from tests.swe_problems import calc_problem
copy = WorkingCopy(open_repository(calc_problem(), False))
copy.files["new.py"] = "x = 1\\n"
for line in ("add -A", "commit -m 'New one'", "log --format=%H|%an|%ad|%cr", "mend", "status", "stash list",
             "cat-file -p HEAD", "checkout HEAD~2", "branch -a -v", "reflog", "diff main --stat",
             "log -1 -p origin/main"):
    print(copy.git(line))
print(sorted(copy.files.items()))
"""


def test_answers_are_the_same_bytes_on_a_machine_that_is_set_otherwise(tmp_path: Path):
    (tmp_path / ".gitconfig").write_text("[user]\nname=Eve\n[alias]\nmend=status\n[core]\nabbrev=12\n[log]\ndate=iso\n")
    (tmp_path / "system").write_text("[diff]\nnoprefix=true\n[status]\nshort=true\n")
    other = {
        "HOME": str(tmp_path), "USER": "eve", "LOGNAME": "eve", "TZ": "Asia/Tokyo", "XDG_CONFIG_HOME": str(tmp_path),
        "GIT_CONFIG_SYSTEM": str(tmp_path / "system"), "GIT_AUTHOR_NAME": "Eve", "GIT_DIR": "/", "LC_ALL": "C.UTF-8",
        "GIT_PAGER": "sh", "GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "core.abbrev", "GIT_CONFIG_VALUE_0": "20",
    }  # fmt: skip
    runs = [({}, "022"), ({}, "022"), (other, "077"), ({"TMPDIR": str(tmp_path)}, "002")]
    said = [
        subprocess.run(
            [sys.executable, "-c", SCRIPT, umask],
            env={**os.environ, "PYTHONPATH": ".", **more},
            check=True,
            capture_output=True,
        ).stdout
        for more, umask in runs
    ]
    assert len(said[0].splitlines()) == 13 and b"Answer(text='[main" in said[0]
    assert said.count(said[0]) == len(runs)
