"""A clone on disk with everything in it that can give a fix away, and a SWE-bench row about it."""

import subprocess
from pathlib import Path

from evotrainer.domains.swe.checkout.host_git import git_environment
from evotrainer.records import Problem
from tests.swe_problems import CALC, FIXED, GOLD, HIDDEN, TEXTS, VISIBLE

SECRET = "the fix"
HIDDEN_PATH = "tests/test_hidden.py"
TEST_PATCH = "--- /dev/null\n+++ b/tests/test_hidden.py\n@@ -0,0 +1,{count} @@\n{lines}".format(
    count=len(HIDDEN.splitlines()), lines="".join(f"+{line}\n" for line in HIDDEN.splitlines())
)


def git(folder: Path, *words: str, data: str = "") -> str:
    """Run git as a person would, with an author."""
    who = {
        "GIT_AUTHOR_NAME": "Ann",
        "GIT_AUTHOR_EMAIL": "ann@example.com",
        "GIT_COMMITTER_NAME": "Ann",
        "GIT_COMMITTER_EMAIL": "ann@example.com",
    }
    done = subprocess.run(
        ["git", *words], cwd=folder, env=git_environment(who), input=data, text=True, capture_output=True, check=True
    )
    return done.stdout.strip()


def commit(folder: Path, message: str, files: dict[str, str | None]) -> str:
    """Commit texts, or deletions where there is none; return the commit."""
    for path, text in files.items():
        place = folder / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.unlink() if text is None else place.write_text(text, encoding="latin-1")
    git(folder, "add", "-A")
    git(folder, "commit", "--quiet", "-m", message)
    return git(folder, "rev-parse", "HEAD")


def leaky_clone(folder: Path) -> tuple[Path, str, str]:
    """Return the clone, its base commit, and the fixing commit, which many things lead to."""
    upstream, clone = folder / "upstream", folder / "clone"
    upstream.mkdir()
    git(upstream, "init", "--quiet", "--initial-branch=main")
    commit(upstream, "Add sums", {"calc.py": FIXED, "README.md": "Sums\n"})
    binary = "a\0b\xff\n"
    tree = {"calc.py": CALC, "texts.py": TEXTS, "tests/test_calc.py": VISIBLE, "data/blob.bin": binary}
    base = commit(upstream, "Simplify", tree)
    fix = commit(upstream, SECRET, {"calc.py": FIXED, "tests/test_hidden.py": HIDDEN})
    git(upstream, "tag", "-a", "v2", "-m", SECRET)
    git(upstream, "notes", "add", "-m", SECRET, base)
    git(folder, "-c", "protocol.allow=always", "clone", "--quiet", "--shared", str(upstream), str(clone))
    git(clone, "fetch", "--quiet", str(upstream), "refs/notes/*:refs/notes/*")
    git(clone, "branch", "later")
    (clone / "calc.py").write_text(FIXED + f"# {SECRET}\n")
    git(clone, "stash", "--quiet")
    git(clone, "worktree", "add", "--quiet", str(folder / "elsewhere"), "later")
    git(clone, "reset", "--quiet", "--hard", base)
    git(clone, "pack-refs", "--all")
    git(clone, "hash-object", "-w", "--stdin", data=SECRET)
    git(clone, "config", "extensions.worktreeConfig", "false")
    return clone, base, fix


def benchmark_problem(clone: Path, base: str) -> Problem:
    return Problem(
        problem_id="ann__sums-1",
        domain="swe",
        family="ann/sums",
        split="train",
        prompt="add gives wrong sums",
        answer=GOLD,
        data={
            "repository": str(clone),
            "base_commit": base,
            "test_patch": TEST_PATCH,
            "hidden_tests": {},
            "fail_to_pass": [f"{HIDDEN_PATH}::test_add_two_numbers", f"{HIDDEN_PATH}::test_mean_of_three"],
            "pass_to_pass": [f"{HIDDEN_PATH}::test_shout_twice"],
            "test_runner": "pytest",
        },
    )
