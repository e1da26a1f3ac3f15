"""A domain of several turns for tests of episodes: it asks for a digit again, and can fail in each place."""

from evotrainer.config import DomainConfig
from evotrainer.domains.base import Domain, Grade
from evotrainer.domains.problem_sets.rows import Row
from evotrainer.errors import DataError, GraderError, InfrastructureError
from evotrainer.records import Message, Problem
from tests.plain_records import plain_problem


class AskAgain:
    """Asks for a digit until it is given or the problem's number of questions is reached."""

    waits_for_sandbox = False

    def __init__(self, domain: DomainConfig) -> None:
        self._asked = 0

    def reset(self, problem: Problem, seed: int) -> list[Message]:
        if problem.family == "down":
            raise InfrastructureError("the machine is down")
        self._problem = problem
        return [Message(role="user", content=problem.prompt)]

    def step(self, message: Message) -> tuple[list[Message], bool]:
        if self._problem.family == "breaks":
            raise InfrastructureError("the sandbox is gone")
        self._asked += 1
        is_done = self._asked == self._problem.data["questions"]
        return [Message(role="tool", content=self._problem.prompt)], is_done


class LastDigit:
    """Correct if the last answer is the digit; fails on the family `flaky`."""

    waits_for_sandbox = False

    def __init__(self, domain: DomainConfig) -> None:
        pass

    def grade(self, problem: Problem, messages, stop_reason: str) -> Grade:
        if problem.family == "flaky":
            raise GraderError("the grader crashed")
        said = [message.content for message in messages if message.role == "assistant"][-1]
        correct = float(said == f"<answer>{problem.answer}</answer>")
        return Grade(correct, {"correct": correct, "format": 1.0}, True, {"answer": said})


def no_rows(values: dict, place: str) -> Row:
    """Refuse a row: problems of this domain are made, not read."""
    raise DataError(f"{place}: the domain ask reads no rows")


ASK = Domain(name="ask", environment=AskAgain, grader=LastDigit, parse_row=no_rows)


def ask_problem(name: str, questions: int = 1, family: str = "digits", prompt: str = "abcd3") -> Problem:
    """Return a problem that asks so many times; the families `down`, `breaks` and `flaky` fail."""
    return plain_problem(name, prompt, "3", "ask", family=family, data={"questions": questions})
