"""Scripted policies, gold and wrong, drive the environment on repositories of some seventy files with real pytest.

Once with the repository in the problem, once as a SWE-bench row whose repository is a real clone on disk.
"""

import json
from collections import Counter

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains.problem_sets.loading import load_problems
from tests.frozen_problems import bug_of, large_problem, scripts
from tests.repositories_on_disk import commit, git
from tests.swe_problems import grade, play

pytestmark = pytest.mark.slow

DECISIVE = ("gold", "wrong line", "tests weakened")


@pytest.fixture(scope="module")
def large():
    return large_problem(2)


def calls(problem):
    return {
        script.name: ([(call.name, call.arguments) for call in script.calls], script) for script in scripts(problem)
    }


def test_tools_find_their_way_in_a_large_repository(large):
    script_calls, _ = calls(large)["no edit"]
    bug = bug_of(large)
    listed, found, read, tested, _ = [m for m in play(large, script_calls) if m.role == "tool"]
    assert len(large.data["files"]) > 60
    assert listed.content.startswith("README.md\n")
    assert f"{bug.path}:{bug.line}: " in found.content
    assert f"{bug.line}: {bug.wrong}" in read.content
    assert tested.content.splitlines()[0].endswith("passed")


@pytest.fixture(scope="module")
def own_cache(tmp_path_factory):
    """Sanitised copies of the clone go here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_CACHE_HOME", str(tmp_path_factory.mktemp("cache")))
        yield


@pytest.fixture(scope="module")
def benchmark(large, own_cache, tmp_path_factory):
    """The row's problem, loaded from a file whose clone holds the whole history, the fix at its head."""
    folder = tmp_path_factory.mktemp("benchmark")
    clone, data = folder / "repositories" / "acme__depot", large.data
    clone.mkdir(parents=True)
    git(clone, "init", "-q", "-b", "main")
    base = [commit(clone, step["message"], step["changes"]) for step in data["history"]][-1]
    for step in data["future"]:
        commit(clone, step["message"], step["changes"])
    git(clone, "checkout", "-q", "-b", "aside", base)
    tests = commit(clone, "Tests of the fix", data["hidden_tests"])
    row = {
        "repo": "acme/depot",
        "base_commit": base,
        "patch": large.answer,
        "test_patch": git(clone, "diff", base, tests) + "\n",
        "hints_text": "",
        "version": "1.4",
        "FAIL_TO_PASS": json.dumps(data["fail_to_pass"]),
        "PASS_TO_PASS": json.dumps(data["pass_to_pass"]),
    }
    git(clone, "checkout", "-q", "main")
    git(clone, "branch", "-qD", "aside")
    (folder / "rows").mkdir()
    (folder / "rows" / "train.jsonl").write_text(
        json.dumps(
            {
                "instance_id": "acme__depot-1",
                "problem_statement": large.prompt,
                "repository": "../repositories/acme__depot",
                **row,
            }
        )
        + "\n"
    )
    return load_problems(folder, DomainConfig(name="swe", data_path="rows"), "train")[0]


@pytest.mark.parametrize("name", DECISIVE)
def test_a_script_on_a_clone_ends_as_it_should(large, benchmark, name):
    script_calls, script = calls(large)[name]
    assert grade(benchmark, script_calls).correct == script.solves


def test_the_clone_shows_its_past_and_not_its_future(large, benchmark):
    log = play(benchmark, [("git", {"arguments": "log --all --oneline"})])[-1].content.splitlines()
    messages = Counter(line.split(" ", 1)[1] for line in log)
    past = [step["message"] for step in large.data["history"]]
    future = [step["message"] for step in large.data["future"]]
    assert messages[past[-1]] == 1
    assert not set(future) & set(messages)
