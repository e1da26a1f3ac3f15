"""What a sanitised repository still gives away: nothing, by any route that real git knows."""

from pathlib import Path

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains.swe.checkout.disk import open_on_disk
from evotrainer.domains.swe.checkout.git_words import COMMANDS
from evotrainer.domains.swe.checkout.host_git import clone_commit, run_git_process
from tests.repositories_on_disk import SECRET, benchmark_problem, git, leaky_clone
from tests.swe_problems import FIX, SUBMIT, calc_problem, grade, play


@pytest.fixture(autouse=True)
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))


@pytest.fixture
def leaky(tmp_path: Path) -> tuple[Path, str, str]:
    return leaky_clone(tmp_path)


def test_no_route_leads_to_the_fix(leaky, tmp_path: Path):
    clone, base, fix = leaky
    target = tmp_path / "sanitised"
    clone_commit(clone, base, target, sanitize=True)
    reached = set(git(clone, "rev-list", "--objects", "--no-object-names", base).split())
    held = git(target, "cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split()
    assert set(held) == reached
    assert git(target, "for-each-ref", "--format=%(refname) %(objectname)") == f"refs/heads/main {base}"
    assert run_git_process(target, ["cat-file", "-e", fix]).returncode != 0
    assert git(target, "fsck", "--full", "--unreachable", "--lost-found", "--dangling") == ""
    for words in (["reflog", "show", "--all"], ["notes", "list"], ["tag"], ["branch", "-r"]):
        assert git(target, *words) == ""
    assert git(target, "worktree", "list", "--porcelain").splitlines() == [f"worktree {target}", "bare"]
    for name in ("refs/stash", "ORIG_HEAD", "FETCH_HEAD", "MERGE_HEAD", "CHERRY_PICK_HEAD"):
        assert run_git_process(target, ["rev-parse", "--verify", name]).returncode != 0
    everything = [path for path in target.rglob("*") if path.is_file()]
    names = {path.name for path in everything}
    assert not names & {"alternates", "packed-refs", "http-alternates", "shallow", "grafts", "commondir"}
    assert all(fix.encode() not in path.read_bytes() for path in everything)
    assert git(target, "log", "--all", "-p").count(SECRET) == 0


def test_an_episode_on_it_finds_no_fix_either(leaky):
    clone, base, fix = leaky
    problem = benchmark_problem(clone, base)
    asked = [
        "log --all -p",
        f"show {fix}",
        "stash list",
        "reflog",
        "checkout origin/main -- calc.py",
        "show v2",
        "fsck --lost-found",
        f"checkout {fix[:10]} -- .",
        "cherry-pick origin/main",
        "show ORIG_HEAD",
        "show refs/notes/commits",
    ]
    messages = play(problem, [("git", {"arguments": words}) for words in asked])
    answers = [message.content for message in messages if message.role == "tool"]
    assert len(answers) == len(asked) and not any(SECRET in text or "a + b" in text.split("+++")[0] for text in answers)
    assert grade(problem, [("git", {"arguments": words}) for words in asked] + [SUBMIT]).correct == 0
    assert grade(problem, [FIX, ("run_tests", {}), SUBMIT]).correct == 1


def test_unsanitised_it_leaks_as_a_careless_clone_does(leaky):
    clone, base, _ = leaky
    domain = DomainConfig(name="swe", access="open_history")
    leak = [("git", {"arguments": "checkout origin/main -- calc.py"}), SUBMIT]
    assert grade(benchmark_problem(clone, base), leak, domain).correct == 1
    messages = play(benchmark_problem(clone, base), [("git", {"arguments": "log --all --oneline"})], domain)
    assert SECRET in messages[-1].content


@pytest.mark.parametrize("sanitize", [True, False])
def test_a_generated_history_ends_at_the_problem_or_not(sanitize):
    domain = DomainConfig(name="swe", access="sanitized_history" if sanitize else "open_history")
    asked = [f"{name} --all" for name in ("log", "rev-list")] + ["branch -a", "show origin/main", "ls-tree origin/main"]
    messages = play(calc_problem(), [("git", {"arguments": words}) for words in asked], domain)
    found = [
        "Fix add" in message.content or "origin" in message.content or "test_hidden" in message.content
        for message in messages
        if message.role == "tool" and message.ok
    ]
    assert any(found) is not sanitize
    assert {words.split()[0] for words in asked} <= set(COMMANDS)


def test_files_of_a_repository_on_disk_are_the_blobs(leaky):
    clone, base, _ = leaky
    repository = open_on_disk(str(clone), base, True)
    assert repository.root is not None
    on_disk = {path.relative_to(repository.root).as_posix() for path in repository.root.rglob("*") if path.is_file()}
    assert on_disk == set(repository.files) == set(git(clone, "ls-tree", "-r", "--name-only", base).splitlines())
    assert open_on_disk(str(clone), base, True) is repository


def test_a_shallow_clone_stays_shallow(leaky, tmp_path: Path):
    clone, base, _ = leaky
    upstream = f"file://{tmp_path}/upstream"
    git(tmp_path, "-c", "protocol.allow=always", "clone", "--quiet", "--depth=2", upstream, "shallow")
    clone_commit(tmp_path / "shallow", base, tmp_path / "sanitised", sanitize=True)
    assert git(tmp_path / "sanitised", "log", "--format=%H").split() == [base]
    assert git(tmp_path / "sanitised", "fsck", "--full") == ""
