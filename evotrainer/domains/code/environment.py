"""Code problems, one turn each: the problem is shown, the policy's first message ends the episode.

One whole example, as the embedded policy answers it:

    user       f(xs): sum of squares of even numbers
               f([3, 8, -2]) == 68
               f([5, 7]) == 0
    assistant  ```python
               def f(xs):
                   return sum(x*x for x in xs if x%2==0)
               ```

Graded (domains/code/grading/grader.py) by hidden tests in the sandbox: correct 1 where all pass, partial the share
that passes, format 1. Other problems are programs that read standard input and print. A policy from elsewhere learns
of the fence from `domain.system_prompt`.
"""

from evotrainer.config import DomainConfig
from evotrainer.records import Message, Problem


class CodeEnvironment:
    """Shows the problem, then stops. Nothing is random: the seed is not used."""

    waits_for_sandbox = False

    def __init__(self, domain: DomainConfig) -> None:
        self._system_prompt = domain.system_prompt

    def reset(self, problem: Problem, seed: int) -> list[Message]:
        """Return the system message, if one is configured, and the problem."""
        opening = [Message(role="system", content=self._system_prompt)] if self._system_prompt else []
        return [*opening, Message(role="user", content=problem.prompt)]

    def step(self, message: Message) -> tuple[list[Message], bool]:
        """Return no messages: the episode is over."""
        return [], True
