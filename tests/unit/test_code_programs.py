"""Shares of failures by kind, from the rows of a real grader."""

import pytest

from evotrainer.config import SHARED_PLUGINS, DomainConfig, HarnessConfig
from evotrainer.diagnosis.harness import Harness
from evotrainer.domains import create_grader
from evotrainer.records import Message, Trajectory
from tests.examination import PLUGINS, examine
from tests.plain_records import plain_problem, plain_row

pytestmark = pytest.mark.parts

RIGHT = "```python\ndef f(x): return x + 1\n```"
RESPONSES = [
    RIGHT,
    "```python\ndef f(x): return 1 + x\n```",
    "```python\ndef f(x): return x\n```",
    "```python\ndef f(x: return x\n```",
    "```python\ndef f(x): return 1 / 0\n```",
    "```python\ndef f(x):\n    while True: pass\n```",
    "def f(x): return x + 1",
    "```python\ndef f(x): return x +",
]


def row(group: int, attempt: int, response: str) -> Trajectory:
    tests = [{"input": [given], "outputs": [given + 1]} for given in (1, 2, 3)]
    data = {"function": "f", "visible": tests[:1], "hidden": tests[1:], "seconds": 0.2}
    problem = plain_problem(f"p{group}", "?", "", "code", data=data)
    stop = "max_tokens" if response is RESPONSES[-1] else "stop"
    messages = [Message(role="user", content="?"), Message(role="assistant", content=response)]
    grade = create_grader(DomainConfig(name="code")).grade(problem, messages, stop)
    return plain_row(
        domain="code",
        problem_id=problem.problem_id,
        attempt=attempt,
        seed=attempt,
        messages=messages,
        reward=grade.correct,
        reward_terms=grade.terms,
        correct=grade.correct,
        stop_reason=stop,
        num_tokens=5,
        is_truncated=stop == "max_tokens",
        format_ok=grade.format_ok,
        extra=grade.extra,
    )


@pytest.fixture(scope="module")
def harness() -> Harness:
    return Harness(PLUGINS, HarnessConfig(plugins=[*SHARED_PLUGINS]))


def test_each_kind_of_failure_is_counted_once(harness: Harness) -> None:
    groups = [RESPONSES, [RIGHT] * 8]
    rows = [row(group, number, text) for group, texts in enumerate(groups) for number, text in enumerate(texts)]
    metrics = examine(harness, rows=rows).metrics
    kinds = ["wrong_answer_rate", "compile_error_rate", "crash_rate", "timeout_rate", "no_program_rate"]
    assert {name: metrics[name] for name in kinds} == dict.fromkeys(kinds, 1 / 16)
    assert metrics["truncation_rate"] == 1 / 16
    assert metrics["solve_rate"] == 10 / 16
    assert metrics["program_diversity"] == pytest.approx((7 / 8 + 1 / 8) / 2)
    assert metrics["solve_rate_own"] == 10 / 16
