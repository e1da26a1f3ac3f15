"""Graded solutions beside LiveCodeBench's way: a process a solution, in which all of its tests run one after the other.

The peer does what LiveCodeBench does (lcb_runner/evaluation: `check_correctness`, `run_test`): it starts a manager's
process and a forked one for each solution, executes the imports of its prelude, puts one input after the other into
`sys.stdin`, compares what was printed, and stops at the first test that fails. It is no sandbox: a program finds its
later inputs, and what earlier ones left. Ours runs each input of a program that reads and prints in an execution of its
own, and all inputs of a function in one. Without the manager's process the peer is measured too. Both take one worker.

CPU seconds are of this process and of all below it.
"""

import io
import multiprocessing
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from benchmarks.process_tree import tree_seconds
from benchmarks.speed.measure import Measure, compare
from evotrainer.domains.code.grading.program_tests import TestSet, is_accepted, printed_lines, run_programs
from evotrainer.domains.code.grading.pure.batches import grading_sandbox
from evotrainer.domains.code.problems.record import PRELUDE
from evotrainer.sandbox import values_equal

NUM_TESTS, SECONDS = 10, 6
"""Tests of a problem, and seconds of one of them, as LiveCodeBench sets it."""
_FORKS = multiprocessing.get_context("fork")
_BODY = "    values = sorted(values)\n    return [n + {step}, *values{cut}]\n"
_FUNCTION = "def f(n, values):\n" + _BODY
_PRINTING = _FUNCTION + "n = int(input())\nprint(*f(n, [int(word) for word in input().split()]))\n"
_KINDS = (
    {"step": 0, "cut": ""},
    {"step": 0, "cut": "[1:]"},
    {"step": 1, "cut": ""},
    {"step": "n // (n - 3)", "cut": ""},
)
"""A right program, two that are wrong, and one that fails at one input and is wrong at others."""

Verdicts = list[bool]
"""Whether each solution is right."""


def measure_grading(count: int) -> Iterator[Measure]:
    """Yield the measures of `count` programs that read and print, and of as many functions, beside both peers."""
    grading_sandbox()
    for function in (None, "f"):
        tests, programs, right = small_programs(function, count)
        for peer, has_manager in (("as LiveCodeBench", True), ("without its manager", False)):
            yield compare(
                f"{count} graded solutions, {NUM_TESTS} {'function' if function else 'stdin'} tests",
                f"a process a solution, {peer}",
                partial(graded, tests, programs),
                partial(_theirs, tests, programs, has_manager),
                "verdicts",
                lambda ours, theirs, right=right: ours == theirs == right,
                seconds_of_tree,
            )


def small_programs(function: str | None, count: int) -> tuple[TestSet, list[str], Verdicts]:
    """Return tests, programs of which none is another's text, and which of them are right."""
    source = _PRINTING if function is None else _FUNCTION
    programs = [f"# {number}\n{source.format(**_KINDS[number % len(_KINDS)])}" for number in range(count)]
    return _tests(function), programs, [number % len(_KINDS) == 0 for number in range(count)]


def _tests(function: str | None) -> TestSet:
    cases = [(number, [(number * place) % 7 for place in range(1, 6)]) for number in range(NUM_TESTS)]
    values = [(n, given, [n, *sorted(given)]) for n, given in cases]
    if function is not None:
        hidden: list[dict[str, Any]] = [{"input": [n, given], "outputs": [right]} for n, given, right in values]
    else:
        hidden = [{"input": f"{n}\n{_line(given)}\n", "outputs": [_line(right)]} for n, given, right in values]
    return TestSet(function, (), hidden, PRELUDE, seconds=SECONDS)


def _line(values: Sequence[int]) -> str:
    return " ".join(map(str, values))


def graded(tests: TestSet, programs: Sequence[str]) -> Verdicts:
    """Return the verdicts of our sandbox."""
    inputs = [test["input"] for test in tests.hidden]
    found = run_programs([tests.job(program, inputs) for program in programs])
    return [all(is_accepted(test, end) for test, end in zip(tests.hidden, ends, strict=True)) for ends in found]


def _theirs(tests: TestSet, programs: Sequence[str], has_manager: bool) -> Verdicts:
    return [_graded_with_manager(tests, program) if has_manager else _graded(tests, program) for program in programs]


def _graded_with_manager(tests: TestSet, program: str) -> bool:
    with _FORKS.Manager() as manager:
        found = manager.list()
        process = _FORKS.Process(target=_grade, args=(tests, program, found.append))
        process.start()
        process.join((SECONDS + 1) * NUM_TESTS + 5)
        return len(found) == 1 and found[0]


def _graded(tests: TestSet, program: str) -> bool:
    reader, writer = _FORKS.Pipe(duplex=False)
    process = _FORKS.Process(target=_grade, args=(tests, program, writer.send))
    process.start()
    writer.close()
    is_right = reader.poll((SECONDS + 1) * NUM_TESTS + 5) and reader.recv()
    process.join()
    return is_right


def _grade(tests: TestSet, program: str, tell: Callable[[bool], object]) -> None:
    names: dict[str, Any] = {"__name__": "__main__"}
    exec(PRELUDE, names)
    code = compile(program, "program.py", "exec")
    if tests.function is not None:
        exec(code, names)
    tell(all(_passes(tests.function, code, names, test) for test in tests.hidden))


def _passes(function: str | None, code: Any, names: dict[str, Any], test: Mapping[str, Any]) -> bool:
    signal.alarm(SECONDS)
    try:
        if function is not None:
            return values_equal(test["outputs"][0], names[function](*test["input"]))
        sys.stdin, sys.stdout = io.StringIO(test["input"]), io.StringIO()
        exec(code, {**names})
        return printed_lines(sys.stdout.getvalue()) == printed_lines(test["outputs"][0])
    except Exception:  # whatever a program raises, it has failed
        return False
    finally:
        signal.alarm(0)


def seconds_of_tree(work: Callable[[], object]) -> float:
    """Return the CPU seconds of this process and all below it that the work takes, to a hundredth."""
    before = tree_seconds(os.getpid())
    work()
    return tree_seconds(os.getpid()) - before
