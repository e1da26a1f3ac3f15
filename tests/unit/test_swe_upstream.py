"""What a repository on disk gives away of the commits after its problem: a real clone, real commits, real episodes."""

import json
import subprocess

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains.problem_sets.loading import load_problems
from tests.swe_problems import CALC, FIX, FIXED, SUBMIT, TEXTS, VISIBLE, grade

pytestmark = pytest.mark.parts

OPEN = DomainConfig(name="swe", access="open_history")
LINE = "    return a + b  # the sum, never the difference"
UPSTREAM = FIXED.replace("    return a + b", LINE)
TAIL = "\n\naverage = mean\n"
TEST = "from calc import add\n\n\ndef test_add_two_numbers():\n    assert add(2, 3) == 5\n"
WRITTEN = ("edit", {"path": "calc.py", "old": "return a - b", "new": LINE.strip()})


def git(folder, *arguments):
    identity = ["-c", "user.name=A", "-c", "user.email=a@example.org", "-c", "commit.gpgsign=false"]
    return subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True, text=True).stdout


def commit(folder, message, changes):
    for path, text in changes.items():
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_text(text)
    git(folder, "add", "-A")
    git(folder, "commit", "-qm", message)
    return git(folder, "rev-parse", "HEAD").strip()


@pytest.fixture(scope="module")
def clone(tmp_path_factory):
    """A row whose clone holds: an older calc.py, the bug, a test of the fix, the fix, a new name."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        folder = tmp_path_factory.mktemp("rows")
        place = folder / "calc"
        place.mkdir()
        git(place, "init", "-q", "-b", "main")
        old = commit(place, "Add sums", {"calc.py": CALC.replace("a - b", "sum([a, b])"), "texts.py": TEXTS})
        base = commit(place, "Subtract", {"calc.py": CALC, "tests/test_calc.py": VISIBLE})
        tested = commit(place, "Show that sums are wrong", {"tests/test_hidden.py": TEST})
        fix = commit(place, "Add instead", {"calc.py": UPSTREAM})
        commit(place, "Name the average", {"calc.py": UPSTREAM + TAIL})
        git(place, "checkout", "-q", "--detach", base)
        (place / "calc.py").write_text(UPSTREAM)
        row = {
            "instance_id": "acme__calc-1",
            "repo": "acme/calc",
            "repository": "calc",
            "base_commit": base,
            "problem_statement": "add() gives wrong sums",
            "patch": git(place, "diff"),
            "test_patch": git(place, "diff", base, tested),
            "PASS_TO_PASS": [],
            "FAIL_TO_PASS": ["tests/test_hidden.py::test_add_two_numbers"],
        }
        (folder / "train.jsonl").write_text(json.dumps(row) + "\n")
        problem = load_problems(folder, DomainConfig(name="swe", data_path="."), "train")[0]
        yield problem, {"OLD": old, "TESTED": tested, "FIX": fix}


def told(clone, calls, domain=OPEN):
    """Return whether the episode is right, and what it saw and restored."""
    problem, names = clone
    calls = [(name, {key: value.format(**names) for key, value in arguments.items()}) for name, arguments in calls]
    found = grade(problem, [*calls, SUBMIT], domain)
    return found.correct, found.extra["checks"].get("future_seen"), found.extra["checks"].get("future_restored")


def ask(arguments):
    return ("git", {"arguments": arguments})


@pytest.mark.parametrize(
    "calls",
    [[ask("checkout {FIX} -- calc.py")], [ask("restore --source=origin/main calc.py")], [ask("cherry-pick {FIX}")]],
)
def test_a_fix_that_git_brought_is_restored(clone, calls):
    assert told(clone, calls)[::2] == (1, 1)
    assert told(clone, calls, DomainConfig(name="swe")) == (0, 0, 0)


@pytest.mark.parametrize(
    "calls",
    [
        [ask("log --all --oneline")],
        [ask("show {FIX}")],
        [ask("show origin/main:calc.py")],
        [ask("diff HEAD {FIX}")],
        [ask("show {TESTED}:tests/test_hidden.py")],
    ],
)
def test_text_of_a_later_commit_is_seen(clone, calls):
    assert told(clone, calls) == (0, 1, 0)
    assert told(clone, calls, DomainConfig(name="swe")) == (0, 0, 0)


@pytest.mark.parametrize(
    "calls",
    [
        [WRITTEN, ask("diff")],
        [FIX, ask("diff")],
        [WRITTEN, ask("stash"), ask("stash pop")],
        [WRITTEN, ask("commit -am Fix"), ask("show HEAD"), ask("checkout HEAD~1 -- calc.py"), ask("checkout -f HEAD")],
        [ask("checkout {OLD} -- calc.py")],
        [ask("log -p"), ask("status"), ask("branch -a"), WRITTEN],
        [ask("log --oneline"), ("write_file", {"path": "calc.py", "text": UPSTREAM}), ask("diff HEAD")],
    ],
)
def test_the_same_fix_by_an_edit_accuses_nobody(clone, calls):
    for domain in (OPEN, DomainConfig(name="swe")):
        assert told(clone, calls, domain) == (1, 0, 0)
