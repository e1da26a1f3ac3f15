"""A policy that learns: its chance of a right answer rises over the run and falls with a task's difficulty."""

import math
import random

from benchmarks.foreign.fortysecond.attempts import Moment, Task


def chance(task: Task, moment: Moment, start: float = 0.35, end: float = 0.75) -> float:
    """The chance that an attempt is right."""
    share = (1 - math.exp(-2.5 * moment.progress)) / (1 - math.exp(-2.5))
    level = start + (end - start) * share
    return 1 / (1 + math.exp(task.difficulty - math.log(level / (1 - level))))


def lucky(rng: random.Random, task: Task, moment: Moment, start: float = 0.35, end: float = 0.75) -> bool:
    """Whether this attempt is right."""
    return rng.random() < chance(task, moment, start, end)


def logprob(rng: random.Random, moment: Moment, start: float = -0.62, end: float = -0.38) -> float:
    """Mean logprob a token of an attempt: the policy grows surer as it learns."""
    return start + (end - start) * moment.progress + rng.gauss(0, 0.04)
