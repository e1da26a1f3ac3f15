"""Run a program on inputs, each with an end of its own, and compare what it answers.

A function answers all inputs in one execution: where that gives every value, each test has its answer at the price of
one fork. Where it does not, each input is run alone, so that one failure does not stand for all. Programs that read and
print are run once an input. A source that does not compile is not run again, and neither is a program that slept
through its wall clock: inputs before that one keep their answers, the others count as timed out. So a program that
waits costs a box the wall clock of one execution.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from evotrainer.domains.code.rows import DEFAULT_SECONDS
from evotrainer.errors import GraderError
from evotrainer.sandbox import Execution, Limits, Program, values_equal
from evotrainer.sandbox.sandbox import shared_sandbox

WALL_FACTOR = 5
"""Seconds of wall clock to one of processor time: a machine that others load must not make a program late."""
MAX_TIMEOUTS = 3
"""After as many inputs of one program have timed out alone, the others count as timed out too, without being run."""


@dataclass(frozen=True)
class Ended:
    """How one input was met: `outcome` of the sandbox, and the answer where that is ok."""

    outcome: str
    value: Any = None
    """What the function returned, or what was printed."""
    has_left: bool = False
    """The program ended with status 0 before it came to its end."""
    stderr: str = ""
    """Its last line at least."""


@dataclass(frozen=True)
class TestSet:
    """The tests of one problem, as its `data` holds them. An input is a list of arguments, or standard input."""

    function: str | None
    visible: Sequence[Mapping[str, Any]]
    hidden: Sequence[Mapping[str, Any]]
    prelude: str = ""
    canary: str = ""
    seconds: float = DEFAULT_SECONDS

    __test__ = False

    def __hash__(self) -> int:
        """Of the tests as JSON, which tells 1 from True: what follows from them is remembered."""
        return hash(json.dumps(vars(self), sort_keys=True))

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> "TestSet":
        """Return the tests of a problem's data; raises GraderError where it has none."""
        if not data.get("hidden"):
            raise GraderError("a code problem without hidden tests cannot be graded: load it by its domain's rows")
        names = ("function", "visible", "hidden", "prelude", "canary", "seconds")
        return cls(**{"function": None, "visible": ()} | {name: data[name] for name in names if name in data})

    @property
    def limits(self) -> Limits:
        """What one execution may use."""
        return Limits(cpu_seconds=self.seconds, wall_seconds=WALL_FACTOR * self.seconds)

    @property
    def shown_share(self) -> float:
        """Share of the hidden tests whose input stands among the visible examples."""
        shown = [test["input"] for test in self.visible]
        return sum(test["input"] in shown for test in self.hidden) / len(self.hidden)

    def function_of(self, program: str) -> str | None:
        """Return what to call: a method where the program has a class Solution, whichever form the problem names."""
        if self.function is None:
            return None
        name = self.function.rpartition(".")[2]
        has_function = re.search(rf"^(?:async )?def {re.escape(name)}\b", program, re.MULTILINE)
        if re.search(r"^class Solution\b", program, re.MULTILINE) and not has_function:
            return f"Solution.{name}"
        return name if self.function == f"Solution.{name}" else self.function

    def run(self, program: str, inputs: Sequence[Any], num_alone: int | None = None) -> list[Ended]:
        """Return the end of each input, in order; raises SandboxError when the sandbox failed.

        With `num_alone` only as many are run, and returned, where inputs have to be run alone.
        """
        function, ends = self.function_of(program), []
        if function is not None and len(inputs) > 1:
            calls = tuple(tuple(arguments) for arguments in inputs)
            together = self._run(Program(program, prelude=self.prelude, function=function, calls=calls))
            if together.outcome == "ok":
                return [Ended("ok", value, has_left=not together.ran_to_end) for value in together.values]
            if together.outcome == "compile_error":
                return [_ended(together, function)] * len(inputs)
            if together.slept:
                answered = [Ended("ok", value) for value in together.values]
                return [*answered, *[Ended("timeout")] * (len(inputs) - len(answered))][:num_alone]
        num_timeouts = 0
        for given in inputs[:num_alone]:
            if num_timeouts >= MAX_TIMEOUTS:
                ends.append(Ended("timeout"))
            elif ends and ends[0].outcome == "compile_error":
                ends.append(ends[0])
            else:
                asked = {"stdin": given} if function is None else {"function": function, "arguments": tuple(given)}
                alone = self._run(Program(program, prelude=self.prelude, **asked))
                num_timeouts += MAX_TIMEOUTS if alone.slept else alone.outcome == "timeout"
                ends.append(_ended(alone, function))
        return ends

    def _run(self, program: Program) -> Execution:
        return shared_sandbox().run(program, self.limits)


def is_accepted(test: Mapping[str, Any], end: Ended) -> bool:
    """Return whether an end is an output that the test accepts: a strictly typed value, or text but for blanks."""
    if end.outcome != "ok":
        return False
    if isinstance(test["input"], str):
        return any(printed_lines(output) == printed_lines(end.value) for output in test["outputs"])
    return any(values_equal(output, end.value) for output in test["outputs"])


def verdict_of(test: Mapping[str, Any], end: Ended) -> str:
    """Return passed, wrong, or the outcome by which no answer was given."""
    if end.outcome != "ok":
        return end.outcome
    return "passed" if is_accepted(test, end) else "wrong"


def printed_lines(text: str) -> list[str]:
    """Return the lines of a text without blanks at their ends, and without empty lines at its own."""
    return [line.strip() for line in text.strip().split("\n")]


def _ended(execution: Execution, function: str | None) -> Ended:
    value = execution.stdout if function is None else execution.value
    has_left = not execution.ran_to_end and execution.outcome in ("ok", "no_result")
    return Ended(execution.outcome, value, has_left, execution.stderr)
