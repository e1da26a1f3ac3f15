"""One episode of the real environment on a generated problem, for demonstrations.

All answers are the environment's own. Its tests run here in the process instead of in the sandbox, for speed: what
runs is a generated repository with one of its own generated lines in place, never what a policy wrote. A test plays
such episodes again with the sandbox and compares.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from evotrainer.config import DomainConfig
from evotrainer.domains.swe.access import SANITIZED_HISTORY
from evotrainer.domains.swe.checkout.snapshot import Snapshot
from evotrainer.domains.swe.environment import SweEnvironment
from evotrainer.domains.swe.problems.execution import Scope
from evotrainer.domains.swe.problems.functions import Function
from evotrainer.domains.swe.problems.generator import Draw
from evotrainer.domains.swe.runners import TestResult, TestRun
from evotrainer.records import AccessPolicy, Message, Problem, ToolCall


class Rehearsal:
    """An episode under way."""

    def __init__(self, draw: Draw, access: AccessPolicy = SANITIZED_HISTORY) -> None:
        self._draw = draw
        domain = DomainConfig(name="swe", access=access.name)
        self._environment = SweEnvironment(domain, run_tests=run_own_tests)
        self.opening = tuple(self._environment.reset(problem_of(draw), seed=0))

    def call(self, tool: str, arguments: Mapping[str, Any]) -> tuple[str, tuple[Message, ...]]:
        """Call a tool; return what the policy says for it, and the answers."""
        call = ToolCall(name=tool, arguments=dict(arguments))
        said = f"<tool_call>{json.dumps({'name': tool, 'arguments': call.arguments})}</tool_call>"
        answers, _ = self._environment.step(Message(role="assistant", content="", tool_calls=[call]))
        return said, tuple(answers)

    def say(self, text: str) -> tuple[Message, ...]:
        """Say something without a call; return the answers."""
        return tuple(self._environment.step(Message(role="assistant", content=text))[0])

    def place_of(self, function: str) -> tuple[str, int]:
        """Return the file of a function and the line of its definition, from 1."""
        for module in self._draw.repository.modules:
            for found in module.functions:
                if found.name == function:
                    return module.path, module.lines.index(found.lines[0]) + 1
        raise KeyError(function)

    def lines_of(self, function: str) -> tuple[str, ...]:
        """Return the lines of a function, as they should be."""
        return self._draw.repository.function(function).lines

    @property
    def wrong_lines(self) -> list[str]:
        """All wrong texts of the line with the bug."""
        function = self._draw.repository.function(self._draw.bug.function)
        assert isinstance(function, Function)
        return [text for _, place, text in function.bugs() if place == self._draw.bug.place]


def problem_of(draw: Draw) -> Problem:
    """Return a drawn problem as a campaign knows it."""
    return Problem(
        problem_id=draw.bug.function,
        domain="swe",
        family=draw.bug.family,
        split="train",
        prompt=draw.issue,
        answer=draw.patch,
        difficulty=draw.difficulty,
        data=draw.data(),
    )


def run_own_tests(_runner: str, snapshot: Snapshot, node_ids: Sequence[str]) -> TestRun:
    """Run tests of a generated repository in this process; see the head of the module."""
    tests = {name.partition("::")[0] for name in node_ids}
    scope: Scope = {}
    for path in sorted(path for path in snapshot.files if not path.startswith("tests/") or path in tests):
        exec(_without_imports(snapshot.files[path]), scope)
    return TestRun({name: _outcome(scope, name, snapshot.files) for name in node_ids})


def _without_imports(text: str) -> str:
    return "\n".join(line for line in text.split("\n") if not line.startswith("from "))


def _outcome(scope: Scope, node_id: str, files: Mapping[str, str]) -> TestResult:
    path, _, name = node_id.partition("::")
    try:
        scope[name]()
    except AssertionError:
        lines = files[path].split("\n")
        return TestResult("failed", lines[lines.index(f"def {name}():") + 1].strip())
    except Exception as error:  # a bug may raise anything
        text = " ".join(str(error).split())
        return TestResult("failed", f"{type(error).__name__}: {text}" if text else type(error).__name__)
    return TestResult("passed")
