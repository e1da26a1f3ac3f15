"""A repository with a bug, over several turns: the policy reads, searches, edits, tests, uses git, and submits.

One whole example, with the tool answers (tools.py has all tools):

    user       add returns a wrong sum
    assistant  <tool_call>{"name": "search", "arguments": {"query": "def add"}}</tool_call>
    tool       calc.py:1: def add(a, b):
    assistant  <tool_call>{"name": "read_file", "arguments": {"path": "calc.py"}}</tool_call>
    tool       1: def add(a, b):
               2:     return a - b
    assistant  <tool_call>{"name": "replace_line", "arguments": {"path": "calc.py", "line": 2, "text": "    return a + b"}}</tool_call>
    tool       edited calc.py
    assistant  <tool_call>{"name": "run_tests", "arguments": {}}</tool_call>
    tool       3 passed
    assistant  <tool_call>{"name": "submit", "arguments": {}}</tool_call>
    tool       submitted

A message may hold several calls; each is answered, in order. A message without any is answered by a reminder and
counts as a turn. Hidden tests are not in the repository: only the grader (grader.py) has them.
"""  # noqa: E501

from evotrainer.config import DomainConfig
from evotrainer.domains.swe.checkout.disk import open_repository
from evotrainer.domains.swe.checkout.repository import Snapshot
from evotrainer.domains.swe.checkout.working_copy import Answer, WorkingCopy
from evotrainer.domains.swe.domain import is_sanitized
from evotrainer.domains.swe.runners import collect_tests, run_tests
from evotrainer.domains.swe.tools import SUBMIT, Tools, shown, summary
from evotrainer.records import Message, Problem

REMINDER = "call a tool"


class SweEnvironment:
    """One episode on a working copy of the problem's repository. Nothing is random: the seed is not used."""

    waits_for_sandbox = True

    def __init__(self, domain: DomainConfig) -> None:
        self._domain = domain

    def reset(self, problem: Problem, seed: int) -> list[Message]:
        """Return the system message, if one is configured, and the issue."""
        self._copy = WorkingCopy(open_repository(problem, is_sanitized(self._domain)))
        self._runner = problem.data.get("test_runner", "light")
        self._tools = Tools(self._copy, self._run_tests)
        system = self._domain.system_prompt
        opening = [Message(role="system", content=system)] if system else []
        return [*opening, Message(role="user", content=self._shown(problem.prompt))]

    def step(self, message: Message) -> tuple[list[Message], bool]:
        """Answer each tool call of the message; the episode is over with submit."""
        answers: list[Message] = []
        for call in message.tool_calls:
            answer = self._tools.call(call)
            answers.append(Message(role="tool", content=self._shown(answer.text), tool_name=call.name, ok=answer.ok))
            if call.name == SUBMIT and answer.ok:
                return answers, True
        return answers or [Message(role="user", content=REMINDER)], False

    def _run_tests(self, path: str) -> Answer:
        snapshot = Snapshot(self._copy.repository, self._copy.changes())
        node_ids = collect_tests(self._runner, snapshot, path)
        if not node_ids:
            return Answer("no tests", ok=False)
        return Answer(summary(run_tests(self._runner, snapshot, node_ids)))

    def _shown(self, text: str) -> str:
        return shown(text, self._domain.max_observation_chars)
