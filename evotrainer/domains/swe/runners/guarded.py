"""Running a set of tests in one execution, and finding out which of them spoiled it when it ends badly.

A set whose execution ends well, with its planted tests as they must be, is believed. Else it is run again in halves,
down to single tests: one that kills the interpreter or reaches for the runner costs a few executions, and no other
test its result.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, get_args

from evotrainer.domains.swe.runners.base import TestResult, TestRun, TestStatus, joined
from evotrainer.domains.swe.runners.sentinels import Sentinels, plant
from evotrainer.sandbox import Execution

Execute = Callable[[Sequence[str], Sentinels], Execution]
"""Runs tests, planted ones among them; the execution's value is {node id: [status, detail]} and what was reached."""

_STATUSES = get_args(TestStatus)


def run_guarded(execute: Execute, node_ids: Sequence[str]) -> TestRun:
    """Run tests; a result stands for each, in the order asked."""
    sentinels = plant(_folder(node_ids))
    execution = execute([sentinels.must_fail, *node_ids, sentinels.must_pass], sentinels)
    answers, reached = _answers(execution)
    holds = sentinels.hold({name: result.status for name, result in answers.items()})
    if execution.outcome == "ok" and holds:
        return TestRun({name: answers.get(name, TestResult("missing")) for name in node_ids}, reached=reached)
    if len(node_ids) > 1:
        middle = len(node_ids) // 2
        return joined(run_guarded(execute, node_ids[:middle]), run_guarded(execute, node_ids[middle:]))
    return replace(_spoiled(node_ids[0], execution), reached=reached)


def _spoiled(node_id: str, execution: Execution) -> TestRun:
    """Return the run of one test that took its execution with it."""
    if execution.outcome == "timeout":
        return TestRun({node_id: TestResult("timeout", "timeout")})
    ended = execution.outcome != "ok"
    run = TestRun({node_id: TestResult("missing", execution.outcome if ended else "planted tests did not hold")})
    return replace(run, is_forged=not ended, exited_early=execution.outcome == "no_result")


def _answers(execution: Execution) -> tuple[dict[str, TestResult], frozenset[str]]:
    """Return what the execution said: material of any shape, of which only well-formed answers are taken."""
    results, reached = parts(execution)
    answers = {
        name: TestResult(answer[0], answer[1])
        for name, answer in results.items()
        if isinstance(answer, list) and len(answer) == 2 and answer[0] in _STATUSES and isinstance(answer[1], str)
    }
    return answers, frozenset(text for text in reached if isinstance(text, str))


def parts(execution: Execution) -> tuple[dict[str, Any], list[Any]]:
    """Return the two parts of what an execution said; empty ones where it said something else."""
    value = execution.value if isinstance(execution.value, list) and len(execution.value) == 2 else [None, None]
    results, reached = value
    return results if isinstance(results, dict) else {}, reached if isinstance(reached, list) else []


def _folder(node_ids: Sequence[str]) -> str:
    """Return the folder of the first test, where the planted ones stand."""
    return node_ids[0].partition("::")[0].rpartition("/")[0]
