"""Grading that fails is an error row: masked and counted, never a reward of 0, and the next answer is graded."""

import json
from itertools import product
from pathlib import Path

import pytest

from evotrainer.config import DomainConfig, RewardConfig
from evotrainer.domains import create_grader
from evotrainer.domains.code.program_tests import TestSet
from evotrainer.engines.base import SamplingParams
from evotrainer.engines.policy import prepare_torch
from evotrainer.engines.tiny.policy import EmbeddedPolicy
from evotrainer.engines.torch_engine import TorchRolloutEngine
from evotrainer.errors import SandboxError
from evotrainer.records import Message, Problem
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from evotrainer.sandbox import Execution, Limits, Program, Sandbox
from tests.plain_records import plain_problem

CODE = DomainConfig(name="code", data_path="data/code")


def problem(number: int) -> Problem:
    hidden = [{"input": [number], "outputs": [number]}]
    return plain_problem(f"p{number}", "5", "", "code", data={"function": "f", "visible": [], "hidden": hidden})


def grade(number: int):
    said = Message(role="assistant", content=f"```python\ndef f(x): return {number}\n```")
    return create_grader(CODE).grade(problem(number), [said], "stop")


def test_a_dead_sandbox_raises_and_the_next_answer_is_graded(monkeypatch: pytest.MonkeyPatch) -> None:
    def dies(*given: object) -> Execution:
        raise SandboxError("its process died")

    with monkeypatch.context() as patched, pytest.raises(SandboxError):
        patched.setattr(Sandbox, "run", dies)
        grade(101)
    assert grade(101).correct == 1.0


def test_the_row_of_a_failed_grading_has_an_error_and_no_reward(digit_policy: Path) -> None:
    prepare_torch(1)
    engine = TorchRolloutEngine(EmbeddedPolicy.load(digit_policy))
    graded = [problem(201), problem(202).model_copy(update={"data": {"function": "f", "hidden": []}}), problem(203)]
    rules = EpisodeRules(CODE, SamplingParams(6), 1, RewardConfig())
    rows, _ = play_attempts(engine, [*product(graded, range(1))], rules, EpisodeIdentity("c", "v001", "train", 0))
    assert [row.error for row in rows] == [None, "GraderError", None]
    assert (rows[1].reward, rows[1].correct, rows[1].reward_terms) == (None, None, {})
    assert [row.reward for row in rows if row.error is None] == [0.0, 0.0]
    assert rows[0].extra["result"] == "no_program"


LOOK_AROUND = """
import builtins, gc, sys
def look(*values):
    frame = sys._getframe(1)
    while frame:
        sys.stderr.write(repr(frame.f_locals)[:2000])
        frame = frame.f_back
    sys.stderr.write(repr(values) + repr([item for item in gc.get_objects() if type(item) in (list, tuple)])[-20000:])
    return []
zip = all = any = builtins.zip = builtins.all = builtins.any = look
class Nosy:
    def __eq__(self, other):
        look()
        sys.stderr.write(repr(other))
        return EQUAL
"""
"""Tells all that its process holds: frames, the heap, what built-in functions and `==` are given."""


@pytest.fixture
def executions(monkeypatch: pytest.MonkeyPatch) -> list[tuple[Program, Execution]]:
    """What went into the sandbox, and what came out of it."""
    seen: list[tuple[Program, Execution]] = []
    run = Sandbox.run

    def recorded(self: Sandbox, program: Program, limits: Limits | None = None) -> Execution:
        seen.append((program, run(self, program, limits)))
        return seen[-1][1]

    monkeypatch.setattr(Sandbox, "run", recorded)
    return seen


@pytest.mark.parametrize(
    ("number", "answer"),
    enumerate(
        [
            "def f(x): return object()",
            "def f(x): return Nosy()",
            "def f(x): return [x, {'a': Nosy()}]",
            "def f(x): return {x} if x == 'given-1' else x",
            "from decimal import Decimal\ndef f(x): return Decimal(3)",
            "def f(x): return look()",
            "def f(x): raise ValueError(look())",
            "def f(x): os._exit(0)",
        ]
    ),
)
@pytest.mark.parametrize("equal", ["True", "type(other) is str"])
def test_no_accepted_output_ever_enters_a_sandbox(executions, number: int, answer: str, equal: str) -> None:
    tests = [
        {"input": [f"given-{i}"], "outputs": [f"secret-{i}", [f"secret-{i}"], {"a": f"secret-{i}"}]} for i in range(4)
    ]
    secret = problem(301).model_copy(update={"data": {"function": "f", "visible": [], "hidden": tests}})
    source = f"# {number}\n{LOOK_AROUND.replace('EQUAL', equal)}\n{answer}"
    graded = create_grader(CODE).grade(secret, [Message(role="assistant", content=f"```python\n{source}\n```")], "stop")
    assert graded.correct == 0.0
    assert executions
    is_looking = "look" in answer or "Nosy" in answer
    assert any("given-" in execution.stderr for _, execution in executions) or not is_looking
    for program, execution in executions:
        assert "secret-" not in json.dumps(vars(program)) + execution.stderr + execution.stdout + repr(execution.values)


def test_no_accepted_output_of_a_program_that_prints_ever_enters_a_sandbox(executions) -> None:
    tests = [{"input": f"given-{i}", "outputs": [f"secret-{i}"]} for i in range(4)]
    data = {"function": None, "visible": tests[:1], "hidden": tests[1:]}
    reference = "import base64\nprint('secret-' + input()[6:])"
    secret = problem(302).model_copy(update={"data": data, "answer": reference})
    source = f"{LOOK_AROUND.replace('EQUAL', 'True')}\nprint(Nosy() == input(), look())"
    create_grader(CODE).grade(secret, [Message(role="assistant", content=f"```python\n{source}\n```")], "stop")
    told = [execution for program, execution in executions if program.source.startswith(source[:100])]
    assert len(told) >= len(tests)
    assert all("given-" in one.stderr and "secret-" not in one.stderr + one.stdout for one in told)


MEGABYTE = 1_000_000


@pytest.mark.parametrize(
    "response",
    [
        "```python\n" * (MEGABYTE // 10),
        "```\n" + "```py\n" * (MEGABYTE // 6),
        "```\n" * (MEGABYTE // 4),
        "```python\n" + "`" * MEGABYTE,
        "```python" + " " * MEGABYTE + "x\n```",
    ],
    ids=lambda response: response[:24],
)
def test_a_response_of_a_megabyte_that_starts_over_at_each_place_is_graded(response: str) -> None:
    graded = create_grader(CODE).grade(problem(401), [Message(role="assistant", content=response)], "stop")
    assert graded.terms["correct"] == 0.0


@pytest.mark.parametrize(
    ("program", "runs", "outcomes"),
    [
        ("import time\ntime.sleep(99)\ndef f(x): return x", 1, ["timeout"] * 6),
        ("import time\ndef f(x):\n    if x == 2: time.sleep(99)\n    return x", 1, ["ok"] * 2 + ["timeout"] * 4),
        ("import time\ntime.sleep(99)", 1, ["timeout"] * 6),
        ("def f(x):\n    while True: pass", 4, ["timeout"] * 6),
    ],
)
def test_a_program_that_sleeps_costs_one_wall_clock(
    program: str, runs: int, outcomes: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = TestSet._run
    limits: list[float] = []

    def counted(tests: TestSet, asked: Program) -> Execution:
        limits.append(tests.limits.wall_seconds)
        return run(tests, asked)

    monkeypatch.setattr(TestSet, "_run", counted)
    is_function = "def f" in program
    tests = TestSet("f" if is_function else None, (), [{"input": [1], "outputs": [1]}], seconds=0.1)
    ends = tests.run(program, [[number] for number in range(6)] if is_function else [str(n) for n in range(6)])
    assert [end.outcome for end in ends] == outcomes
    assert [end.value for end in ends if end.outcome == "ok"] == [0, 1][: outcomes.count("ok")]
    assert len(limits) == runs
