"""An environment object with the documented interface of verifiers as a domain. verifiers itself is not installed."""

import importlib.util
import json
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from evotrainer.config import DomainConfig
from evotrainer.domains import create_environment, create_grader, find_domain
from evotrainer.domains.problem_sets.loading import problem_of, split_rows
from evotrainer.domains.verifiers import wrap
from evotrainer.errors import ConfigError, DataError, GraderError, InfrastructureError
from evotrainer.records import Message, Problem, ToolCall


class Guessing:
    """A game of several turns, as MultiTurnEnv documents it: coroutines, stop conditions over the trajectory."""

    system_prompt = "Guess a number."
    max_turns = 4
    tool_defs = [SimpleNamespace(name="guess", description="Guess.", parameters={"type": "object", "properties": {}})]

    def __init__(self) -> None:
        self.rubric = SimpleNamespace(score_rollout=self._score)
        self.dataset = [{"question": f"number {n}?", "answer": str(n), "info": {"low": 0}} for n in range(60)]

    async def setup_state(self, state: dict[str, Any]) -> dict[str, Any]:
        state["tries"] = 0
        return state

    async def is_completed(self, state: dict[str, Any]) -> bool:
        return len(state["trajectory"]) >= self.max_turns or state["answer"] in state["completion"][-1]["content"]

    async def env_response(self, messages: list[dict[str, Any]], state: dict[str, Any]) -> list[dict[str, Any]]:
        state["tries"] += 1
        if "give up" in messages[-1]["content"]:
            state["final_env_response"] = [{"role": "user", "content": "it was " + state["answer"]}]
            return state["final_env_response"]
        return [{"role": "user", "content": f"no, try {state['tries']}"}]

    async def _score(self, state: dict[str, Any]) -> None:
        said = [message["content"] for message in state["completion"] if message["role"] == "assistant"]
        is_right = state["answer"] in said[-1]
        state["metrics"] = {"correct_answer": float(is_right), "num_tries": float(state["tries"])}
        state["reward"] = float(is_right) - 0.1 * state["tries"]


class SingleTurn:
    """An environment of one turn whose methods are no coroutines."""

    system_prompt = None

    class rubric:  # noqa: N801  # stands for an attribute
        @staticmethod
        def score_rollout(state):
            said = state["completion"][-1]["content"]
            state |= {"reward": float(state["answer"] in said), "metrics": {"format": float(said.endswith("."))}}

    def get_dataset(self):
        return [{"prompt": [{"role": "user", "content": "1+1?"}], "answer": "2", "task": "sums"}]

    def is_completed(self, state):
        return state["turn"] >= 1


@pytest.fixture
def named(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Callable[[], Any]], DomainConfig]]:
    from evotrainer import domains

    def register(load: Callable[[], Any]) -> DomainConfig:
        module = ModuleType("own_environments")
        module.MINE = wrap(load, "mine")  # type: ignore[attr-defined]
        monkeypatch.setitem(sys.modules, "own_environments", module)
        return DomainConfig(name="own_environments:MINE")

    yield register
    domains._LOADED.pop("own_environments:MINE", None)


def _problem(config: DomainConfig, place: int = 7) -> Problem:
    rows = [row for _, row in find_domain(config.name).problem_rows()]
    return problem_of(find_domain(config.name).parse_row(rows[place], "f:1"), config.name, "train")


def _say(text: str) -> Message:
    return Message(role="assistant", content=text)


def _play(config: DomainConfig, problem: Problem, *said: str) -> tuple[list[Message], bool]:
    environment = create_environment(config)
    messages, is_done = environment.reset(problem, 0), False
    for text in said:
        answers, is_done = environment.step(_say(text))
        messages += [_say(text), *answers]
    return messages, is_done


def test_an_episode_is_answered_by_the_environment_and_graded_by_its_rubric(named):
    config = named(Guessing)
    problem = _problem(config)
    messages, is_done = _play(config, problem, "3", "7")
    assert [(m.role, m.content) for m in messages] == [
        ("system", "Guess a number."),
        ("user", "number 7?"),
        ("assistant", "3"),
        ("user", "no, try 1"),
        ("assistant", "7"),
    ]
    grade = create_grader(config).grade(problem, messages, "stop")
    assert is_done
    assert grade.terms == {"correct_answer": 1.0, "num_tries": 1.0, "rubric": 0.9, "correct": 1.0, "format": 1.0}


def test_an_environment_may_end_an_episode_by_its_answer(named):
    config = named(Guessing)
    messages, is_done = _play(config, _problem(config), "give up")
    assert is_done and messages[-1].content == "it was 7"
    assert create_grader(config).grade(_problem(config), messages, "stop").correct == 0.0


def test_a_cut_episode_is_graded_from_what_was_said(named):
    config = named(Guessing)
    messages, is_done = _play(config, _problem(config), "1", "2")
    assert not is_done
    assert create_grader(config).grade(_problem(config), messages, "max_turns").terms["num_tries"] == 2.0
    assert create_grader(config).grade(_problem(config), messages[:-1], "max_tokens").terms["num_tries"] == 1.0


def test_methods_may_be_plain_functions(named):
    config = named(SingleTurn)
    problem = _problem(config, 0)
    assert problem.family == "sums"
    messages, is_done = _play(config, problem, "it is 2.")
    grade = create_grader(config).grade(problem, messages, "stop")
    assert is_done and (grade.correct, grade.format_ok, grade.terms["rubric"]) == (1.0, True, 1.0)


def test_tools_are_those_of_the_environment(named):
    (tool,) = find_domain(named(Guessing).name).tools()
    assert tool["function"]["name"] == "guess"
    calls: list[Any] = []

    class WithTools(Guessing):
        async def env_response(self, messages, state):
            calls.extend(messages[-1]["tool_calls"])
            return [{"role": "tool", "content": "ok", "tool_call_id": calls[-1]["id"]}]

    environment = wrap(WithTools, "tools").environment(DomainConfig())
    environment.reset(_problem(named(Guessing)), 0)
    said = Message(role="assistant", tool_calls=[ToolCall(name="guess", arguments={"n": 3})])
    (answer,), _ = environment.step(said)
    assert (answer.role, answer.content) == ("tool", "ok")
    assert [(call["id"], json.loads(call["function"]["arguments"])) for call in calls] == [("call_0_0", {"n": 3})]


def test_its_dataset_is_a_problem_file(named, tmp_path: Path):
    config = named(Guessing)
    rows = [row for _, row in find_domain(config.name).problem_rows()]
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert sum(len(found) for found in split_rows(tmp_path / "rows.jsonl", config.name).values()) == 60
    with pytest.raises(DataError, match="has the keys text: wanted are prompt or question, and answer"):
        find_domain(config.name).parse_row({"text": "x"}, "f:1")


def test_a_failing_environment_is_an_infrastructure_failure(named):
    class Broken(Guessing):
        async def env_response(self, messages, state):
            raise RuntimeError("no server")

    config = named(Broken)
    with pytest.raises(InfrastructureError, match="env_response raised RuntimeError: no server"):
        _play(config, _problem(config), "1")


def test_an_environment_that_cannot_be_played_again_gives_no_grade(named):
    class Random(Guessing):
        count = 0

        async def env_response(self, messages, state):
            Random.count += 1
            return [{"role": "user", "content": f"draw {Random.count}"}]

    config = named(Random)
    messages, _ = _play(config, _problem(config), "1", "2")
    with pytest.raises(GraderError, match="answers otherwise when an episode is played again"):
        create_grader(config).grade(_problem(config), messages, "stop")


@pytest.mark.skipif(importlib.util.find_spec("verifiers") is not None, reason="verifiers is installed")
def test_without_verifiers_a_named_environment_says_what_to_install():
    domain = find_domain("evotrainer.domains.verifiers:wordle")
    with pytest.raises(ConfigError, match="environment 'wordle' cannot be loaded .*: install verifiers"):
        domain.tools()
