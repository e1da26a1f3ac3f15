"""The audit: stored episodes again; it agrees with honest grades, and names forged ones and other answers of git."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from benchmarks.fault_injection.scripted_engine import ScriptedEngine
from cli.main import app
from evotrainer.campaign.layout import CampaignFiles
from evotrainer.campaign.repository import save_config
from evotrainer.config import Config, DomainConfig, RewardConfig
from evotrainer.domains.swe.grading.audit import audit_trajectory
from evotrainer.engines.base import SamplingParams
from evotrainer.errors import EvidenceError, GraderError
from evotrainer.evidence.store import write_rows
from evotrainer.records import Message, Problem, ToolCall, Trajectory, VersionSpec
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, run_episodes
from tests.repositories_on_disk import benchmark_problem, git, leaky_clone
from tests.swe_problems import FIX, SUBMIT, calc_problem

pytestmark = pytest.mark.parts


def rows(problem: Problem, *calls, sanitize: bool = True, attempts: int = 1) -> list[Trajectory]:
    """Play the calls as an episode and return its rows."""
    domain = DomainConfig(name="swe", access="sanitized_history" if sanitize else "open_history")
    rules = EpisodeRules(domain, SamplingParams(2000, 0.0), 16, RewardConfig())
    said = [ToolCall(name=name, arguments=dict(arguments)) for name, arguments in calls]
    engine = ScriptedEngine(lambda: [Message(role="assistant", tool_calls=[call]) for call in said])
    return run_episodes(engine, [problem], attempts, rules, EpisodeIdentity("c", "v001", "validation", 0))[0]


def git_call(words: str):
    return ("git", {"arguments": words})


EPISODES = {
    "honest": [("search", {"query": "add"}), FIX, ("run_tests", {}), git_call("diff"), SUBMIT],
    "wrong": [("replace_line", {"path": "calc.py", "line": 6, "text": "    return a * b"}), SUBMIT],
    "not submitted": [FIX],
    "in git": [FIX, git_call("add -A"), git_call("commit -m 'Mend add'"), git_call("stash"), SUBMIT],
    "set aside and back": [FIX, git_call("stash"), git_call("stash pop"), SUBMIT],
    "set aside": [FIX, git_call("stash"), SUBMIT],
    "undone": [FIX, git_call("checkout -- calc.py"), SUBMIT],
    "an older state": [git_call("checkout HEAD~2 -- calc.py"), SUBMIT],
    "tampered": [
        ("write_file", {"path": "tests/test_hidden.py", "text": "def test_mean_of_three():\n    pass\n"}),
        ("write_file", {"path": "conftest.py", "text": "raise SystemExit(0)\n"}),
        SUBMIT,
    ],
    "leak": [git_call("log --all --oneline"), git_call("checkout origin/main -- calc.py"), SUBMIT],
}


@pytest.mark.parametrize("name", EPISODES)
def test_the_audit_agrees_with_stored_grades(name):
    problem, sanitize = calc_problem(), name != "leak"
    (row,) = rows(problem, *EPISODES[name], sanitize=sanitize)
    expected = {"honest", "in git", "set aside and back", "an older state", "leak"}
    assert row.correct == float(name in expected)
    result = audit_trajectory(
        row, problem, DomainConfig(name="swe", access="sanitized_history" if sanitize else "open_history")
    )
    assert result.differences == ()


def test_a_leak_is_no_fix_in_a_sanitised_checkout():
    problem = calc_problem()
    (row,) = rows(problem, *EPISODES["leak"], sanitize=False)
    result = audit_trajectory(row, problem, DomainConfig(name="swe"))
    assert "correct: stored 1, audited 0" in result.differences


def test_a_forged_grade_is_named():
    problem = calc_problem()
    (row,) = rows(problem, *EPISODES["wrong"])
    forged = row.model_copy(update={"correct": 1.0, "extra": {**row.extra, "lenient_correct": 1.0}})
    result = audit_trajectory(forged, problem, DomainConfig(name="swe"))
    assert not result.agrees
    assert result.differences == (
        "correct: stored 1, audited 0",
        "lenient_correct: stored 1, audited 0",
        "correct: stored 1, graded again 0",
    )


def test_an_answer_that_git_never_gave_is_named():
    (row,) = rows(calc_problem(), *EPISODES["honest"])
    said = [m.model_copy(update={"content": "forged"}) if m.tool_name == "git" else m for m in row.messages]
    result = audit_trajectory(row.model_copy(update={"messages": said}), calc_problem(), DomainConfig(name="swe"))
    assert result.differences == ("git diff: stored 'forged', again 'diff --git a/calc.py b/calc.py'",)


def test_a_row_without_a_grade_cannot_be_audited():
    (row,) = rows(calc_problem(), SUBMIT)
    lost = row.model_copy(update={"correct": None, "error": "SandboxError"})
    with pytest.raises(GraderError, match="was not graded"):
        audit_trajectory(lost, calc_problem(), DomainConfig(name="swe"))


def test_a_repository_on_disk_is_audited_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    clone, base, _ = leaky_clone(tmp_path)
    problem = benchmark_problem(clone, base)
    for name in ("honest", "wrong", "in git"):
        (row,) = rows(problem, *EPISODES[name])
        assert row.error is None and row.correct == float(name != "wrong")
        assert audit_trajectory(row, problem, DomainConfig(name="swe")).differences == ()


def campaign(main: Path, found: list[Trajectory]) -> None:
    """Write a project with one campaign of one version, whose evaluation left these rows."""
    (main / "flows").mkdir(parents=True)
    (main / "flows" / "campaign.py").write_text("")
    (main / ".dvc").mkdir()
    (main / ".dvc" / "config").write_text("")
    git(main, "init", "--quiet", "--initial-branch=main")
    git(main, "add", "-A")
    git(main, "commit", "--quiet", "-m", "start")
    git(main, "branch", "campaign/c")
    git(main, "worktree", "add", "--quiet", str(main / "campaigns" / "c"), "campaign/c")
    files = CampaignFiles(main / "campaigns" / "c")
    save_config(files.config, Config(domain=DomainConfig(name="swe", data_path="data")))
    problem = calc_problem()
    line = {"id": problem.problem_id, "problem": problem.prompt, "answer": problem.answer, **problem.data}
    files.data.mkdir()
    (files.data / "train.jsonl").write_text(json.dumps(line) + "\n")
    own = files.version("v001")
    own.root.mkdir(parents=True)
    spec = VersionSpec(
        campaign="c",
        version="v001",
        generation=1,
        slot=0,
        kind="baseline",
        parents=["v000"],
        incumbent="v000",
        campaign_seed=0,
    )
    own.spec.write_text(spec.model_dump_json())
    write_rows(own.validation, 0, found)


def test_the_command_audits_a_campaign(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    found = rows(calc_problem(), *EPISODES["honest"], attempts=3)
    forged, lost = {"correct": 0.0}, {"correct": None, "error": "SandboxError"}
    stored = [found[0], found[1].model_copy(update=forged), found[2].model_copy(update=lost)]
    campaign(tmp_path / "main", stored)
    monkeypatch.chdir(tmp_path / "main")

    def audit(*words: str) -> Result:
        return CliRunner().invoke(app, ["audit", "c", *words])

    one = audit("v1", "--trajectory", found[0].trajectory_id)
    assert one.output.splitlines() == [f"{found[0].trajectory_id}: agrees", "audited: 1", "agreeing: 1"]
    assert one.exit_code == 0
    both = audit("--json")
    assert (both.exit_code, json.loads(both.output)["audited"], json.loads(both.output)["agreeing"]) == (1, 2, 1)
    assert audit("--sample", "1").output.splitlines()[-2:] == ["audited: 1", "agreeing: 0"]
    unknown = audit("--trajectory", "nobody")
    assert isinstance(unknown.exception, EvidenceError) and "'nobody' in v001" in str(unknown.exception)
