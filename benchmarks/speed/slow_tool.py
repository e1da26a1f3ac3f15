"""Math whose environment answers late, as one does that waits for a tool: it sleeps, and takes no processor time.

Episodes of different problems wait side by side, as many as the sandbox has workers.
"""

import time
from dataclasses import replace
from functools import partial

from evotrainer.config import DomainConfig
from evotrainer.domains.base import Domain, Environment
from evotrainer.domains.math.domain import MATH
from evotrainer.records import Message, Problem


class SlowEnvironment:
    """Another environment, whose answers come `seconds` later."""

    waits_for_sandbox = True

    def __init__(self, plain: Environment, seconds: float) -> None:
        self._plain, self._seconds = plain, seconds

    def reset(self, problem: Problem, seed: int) -> list[Message]:
        """Return the messages that open the episode."""
        return self._plain.reset(problem, seed)

    def step(self, message: Message) -> tuple[list[Message], bool]:
        """Wait, then return the environment's messages and whether the episode is over."""
        time.sleep(self._seconds)  # the latency that is simulated
        return self._plain.step(message)


def _environment(config: DomainConfig, seconds: float) -> Environment:
    return SlowEnvironment(MATH.environment(config), seconds)


def _slowed(seconds: float) -> Domain:
    return replace(MATH, environment=partial(_environment, seconds=seconds))


AT_ONCE, MS_2, MS_5, MS_10 = _slowed(0.0), _slowed(0.002), _slowed(0.005), _slowed(0.01)
LATENCIES = {"AT_ONCE": 0.0, "MS_2": 2.0, "MS_5": 5.0, "MS_10": 10.0}
"""{name in this module: milliseconds an episode waits}."""
