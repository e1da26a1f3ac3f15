"""How fast the sandbox grades: `python -m benchmarks sandbox`.

One execution is what a grader does with one test: run a program that reads and prints, and compare. Beside it the same
with an unprotected `python -c` process each, as many at a time; and a function with several tests an execution.
"""

import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from evotrainer.errors import SandboxError
from evotrainer.sandbox.compare import values_equal
from evotrainer.sandbox.program import Program
from evotrainer.sandbox.sandbox import BACKENDS, Sandbox

SOURCE = "n = int(input())\nvalues = sorted(int(word) for word in input().split())\nprint(n, *values)\n"
FUNCTION = "def f(n, values): return [n, *sorted(values)]\n"
NUM_CALLS = 8
PLAIN_SHARE = 5
"""The slower side runs this part of the executions."""


def main(num_executions: int = 1000, num_workers: int = 2) -> None:
    """Measure each backend that works and the plain processes; print `key: value` lines."""
    plain = _rate(num_executions // PLAIN_SHARE, num_workers, _grade_plain)
    print(f"plain_executions_per_second: {plain:.0f}")
    for backend in BACKENDS:
        try:
            with Sandbox(backend, num_workers) as sandbox:
                rate = _rate(num_executions, num_workers, lambda number: _grade(sandbox, number))
                calls = _rate(num_executions, num_workers, lambda number: _grade_calls(sandbox, number))
        except SandboxError as error:
            print(f"{backend}: {error}")
            continue
        print(f"{backend}_executions_per_second: {rate:.0f}")
        print(f"{backend}_ratio_to_plain: {rate / plain:.2f}")
        print(f"{backend}_function_tests_per_second: {calls * NUM_CALLS:.0f}")


def _rate(num_executions: int, num_workers: int, grade: Callable[[int], bool]) -> float:
    """Return graded executions a second; raises RuntimeError where one was graded wrong."""
    start = time.perf_counter()
    with ThreadPoolExecutor(num_workers) as pool:
        grades = list(pool.map(grade, range(num_executions)))
    seconds = time.perf_counter() - start
    if not all(grades):
        raise RuntimeError(f"{grades.count(False)} of {num_executions} executions gave another answer")
    return num_executions / seconds


def _grade(sandbox: Sandbox, number: int) -> bool:
    execution = sandbox.run(Program(SOURCE, stdin=_input(number)))
    return execution.outcome == "ok" and execution.stdout == _output(number)


def _grade_calls(sandbox: Sandbox, number: int) -> bool:
    numbers = range(number, number + NUM_CALLS)
    execution = sandbox.run(Program(FUNCTION, function="f", calls=tuple((n, [n + 2, n, n + 1]) for n in numbers)))
    return values_equal(tuple([n, n, n + 1, n + 2] for n in numbers), execution.values)


def _grade_plain(number: int) -> bool:
    command = [sys.executable, "-I", "-S", "-c", SOURCE]
    return subprocess.run(command, input=_input(number), capture_output=True, text=True).stdout == _output(number)


def _input(number: int) -> str:
    return f"{number}\n{number + 2} {number} {number + 1}\n"


def _output(number: int) -> str:
    return f"{number} {number} {number + 1} {number + 2}\n"
