"""Math problems, one turn each: the problem is shown, the policy's first message ends the episode.

One whole example, as the embedded policy answers it:

    user       47+385=?
    assistant  7+5=12,4+8+1=13,3+1=4<answer>432</answer>

Graded (domains/math/grading/grader.py) against the answer 432: correct 1, format 1, partial 1. A policy from
elsewhere learns the format from `domain.system_prompt`, and may answer in \\boxed{} instead.
"""

from evotrainer.config import DomainConfig
from evotrainer.domains.problem_sets.rows import SYSTEM_PROMPT
from evotrainer.records import Message, Problem


class MathEnvironment:
    """Shows the problem, then stops. Nothing is random: the seed is not used."""

    waits_for_sandbox = False

    def __init__(self, domain: DomainConfig) -> None:
        self._system_prompt = domain.system_prompt

    def reset(self, problem: Problem, seed: int) -> list[Message]:
        """Return the system message that is configured, else that of the row, and the problem."""
        system = self._system_prompt or problem.data.get(SYSTEM_PROMPT, "")
        opening = [Message(role="system", content=system)] if system else []
        return [*opening, Message(role="user", content=problem.prompt)]

    def step(self, message: Message) -> tuple[list[Message], bool]:
        """Return no messages: the episode is over."""
        return [], True
