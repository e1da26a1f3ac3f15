"""Whole episodes by scripted policies, through run_episodes, on small and large repositories; the audit agrees."""

from collections.abc import Sequence

import pytest

from benchmarks.fault_injection.scripted_engine import ScriptedEngine
from evotrainer.config import DomainConfig, RewardConfig
from evotrainer.domains.swe.hidden_tests import final_state, run_hidden, share_passed
from evotrainer.engines.base import SamplingParams
from evotrainer.records import Message, Problem, ToolCall, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, run_episodes
from tests.frozen_problems import Script, by_family, large_problem, scripts

MAX_TURNS = 9


def play(problem: Problem, script: Script, domain: DomainConfig) -> Trajectory:
    rules = EpisodeRules(domain, SamplingParams(4000, 0.0), MAX_TURNS, RewardConfig())
    engine = ScriptedEngine(lambda: messages(script.calls))
    rows, turns = run_episodes(engine, [problem], 1, rules, EpisodeIdentity("c", "v001", "rollout", 0))
    assert len(turns) == rows[0].num_turns <= MAX_TURNS
    return rows[0]


def messages(calls: Sequence[ToolCall]) -> list[Message]:
    return [Message(role="assistant", tool_calls=[call]) for call in calls]


def leak(problem: Problem) -> Script:
    path = next(line[6:] for line in problem.answer.splitlines() if line.startswith("+++ b/"))
    look = ToolCall(name="git", arguments={"arguments": "log --all --oneline"})
    take = ToolCall(name="git", arguments={"arguments": f"checkout origin/main -- {path}"})
    return Script("leak", (look, take, ToolCall(name="submit")), True)


SMALL = by_family("swe", "train")


def share_under_pytest(problem, row, sanitize=True):
    """Return whether the files that an episode ended with pass under real pytest, whatever runner graded them."""
    state = final_state(problem, row.messages, sanitize)
    asked = problem.model_copy(update={"data": problem.data | {"test_runner": "pytest"}})
    return float(share_passed(asked, run_hidden(asked, state.snapshot)) == 1)


@pytest.mark.parametrize("family", ["operator", "comparison"])
def test_small_repositories(family):
    problem = SMALL[family]
    for script in scripts(problem)[::2]:
        row = play(problem, script, DomainConfig(name="swe"))
        assert (row.error, row.correct) == (None, float(script.solves)), script.name
        assert row.stop_reason == ("stop" if script.calls[-1].name == "submit" else "max_turns")
        assert share_under_pytest(problem, row) == row.extra["lenient_correct"], script.name


def test_a_large_repository_under_real_pytest():
    problem = large_problem(3)
    assert len(problem.data["files"]) > 50 and problem.data["test_runner"] == "pytest"
    for script in scripts(problem):
        if script.name in ("gold", "tests weakened"):
            row = play(problem, script, DomainConfig(name="swe"))
            assert (row.error, row.correct) == (None, float(script.solves)), script.name
            assert share_under_pytest(problem, row) == row.extra["lenient_correct"], script.name


@pytest.mark.parametrize("sanitize", [True, False])
def test_one_git_action_solves_what_is_not_sanitised(sanitize):
    domain = DomainConfig(name="swe", access="sanitized_history" if sanitize else "open_history")
    problem = SMALL["operator"]
    row = play(problem, leak(problem), domain)
    assert row.correct == float(not sanitize)
    assert share_under_pytest(problem, row, sanitize) == float(not sanitize)


def test_attempts_of_one_problem_are_alike_and_share_its_tests():
    problem = SMALL["constant"]
    gold = scripts(problem)[0]
    rules = EpisodeRules(DomainConfig(name="swe"), SamplingParams(4000, 0.0), MAX_TURNS, RewardConfig())
    engine = ScriptedEngine(lambda: messages(gold.calls))
    rows, _ = run_episodes(engine, [problem], 16, rules, EpisodeIdentity("c", "v001", "rollout", 0))
    assert {row.correct for row in rows} == {1.0}
    own = {"trajectory_id": True, "attempt": True, "seed": True, "messages": {"__all__": {"mean_logprob"}}}
    assert len({row.model_dump_json(exclude=own) for row in rows}) == 1
