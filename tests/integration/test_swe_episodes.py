"""Whole episodes by scripted policies, through run_episodes, on small and large repositories; the audit agrees."""

from collections.abc import Sequence
from random import Random

import pytest

from benchmarks.fault_injection.scripted_engine import ScriptedEngine
from evotrainer.config import DomainConfig, RewardConfig
from evotrainer.domains.swe.grading.hidden_tests import final_state, run_hidden, share_passed
from evotrainer.domains.swe.problems import FAMILIES
from evotrainer.domains.swe.problems.generator import draw_problem
from evotrainer.domains.swe.problems.rows import parse_row
from evotrainer.domains.swe.problems.scripts import Script, scripts
from evotrainer.domains.swe.problems.sets import row_of
from evotrainer.engines.base import SamplingParams
from evotrainer.records import Message, Problem, ToolCall, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, run_episodes
from tests.large_repository.problem import draw_large_problem

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


def small(family: str) -> tuple[Problem, list[Script]]:
    draw = draw_problem(Random(f"episodes {family}"), "train", family)
    row = parse_row(row_of(draw), "generated:1")
    problem = Problem(
        problem_id=row.row_id,
        domain="swe",
        family=family,
        split="train",
        prompt=row.problem,
        answer=row.answer,
        data=row.data,
    )
    return problem, scripts(problem, draw.bug)


def share_under_pytest(problem, row, sanitize=True):
    """Return whether the files that an episode ended with pass under real pytest, whatever runner graded them."""
    state = final_state(problem, row.messages, sanitize)
    return float(share_passed(problem, run_hidden(problem, state.snapshot, "pytest")) == 1)


@pytest.mark.parametrize("family", FAMILIES[:2])
def test_small_repositories(family):
    problem, known = small(family)
    for script in known[::2]:
        row = play(problem, script, DomainConfig(name="swe"))
        assert (row.error, row.correct) == (None, float(script.solves)), script.name
        assert row.stop_reason == ("stop" if script.calls[-1].name == "submit" else "max_turns")
        assert share_under_pytest(problem, row) == row.extra["lenient_correct"], script.name


def test_a_large_repository_under_real_pytest():
    drawn = draw_large_problem(3)
    problem = drawn.problem
    assert len(problem.data["files"]) > 50 and problem.data["test_runner"] == "pytest"
    for script in scripts(problem, drawn.bug):
        if script.name in ("gold", "tests weakened"):
            row = play(problem, script, DomainConfig(name="swe"))
            assert (row.error, row.correct) == (None, float(script.solves)), script.name
            assert share_under_pytest(problem, row) == row.extra["lenient_correct"], script.name


@pytest.mark.parametrize("sanitize", [True, False])
def test_one_git_action_solves_what_is_not_sanitised(sanitize):
    problem, domain = (
        small("operator")[0],
        DomainConfig(name="swe", access="sanitized_history" if sanitize else "open_history"),
    )
    row = play(problem, leak(problem), domain)
    assert row.correct == float(not sanitize)
    assert share_under_pytest(problem, row, sanitize) == float(not sanitize)


def test_attempts_of_one_problem_are_alike_and_share_its_tests():
    problem, (gold, *_) = small("constant")
    rules = EpisodeRules(DomainConfig(name="swe"), SamplingParams(4000, 0.0), MAX_TURNS, RewardConfig())
    engine = ScriptedEngine(lambda: messages(gold.calls))
    rows, _ = run_episodes(engine, [problem], 16, rules, EpisodeIdentity("c", "v001", "rollout", 0))
    assert {row.correct for row in rows} == {1.0}
    own = {"trajectory_id": True, "attempt": True, "seed": True, "messages": {"__all__": {"mean_logprob"}}}
    assert len({row.model_dump_json(exclude=own) for row in rows}) == 1
