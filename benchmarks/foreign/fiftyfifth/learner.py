"""A simulated policy that learns: which problems are drawn, who gets them right, and the attempts that result."""

import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from types import ModuleType

from benchmarks.foreign.fiftyfifth.talk import Attempt, Problem


@dataclass
class Plan:
    """The size of a run, and how well its policy does at the first and last step."""

    steps: int = 20
    per_step: int = 5
    size: int = 8
    start: float = -0.9
    gain: float = 1.8
    pool: int = 70


Chance = Callable[[Problem, int], float]


def _skill(rng: random.Random, problem: Problem) -> float:
    return problem.data.setdefault("ease", rng.gauss(0, 1.1))


def chance(rng: random.Random, plan: Plan, problem: Problem, step: int) -> float:
    """The probability that the policy of a step solves the problem."""
    progress = step / max(1, plan.steps - 1)
    return 1 / (1 + math.exp(-(_skill(rng, problem) + plan.start + plan.gain * progress)))


def make_pool(rng: random.Random, domain: ModuleType, size: int, prefix: str = "") -> list[Problem]:
    """Problems of a domain."""
    problems = [domain.problem(rng, number) for number in range(size)]
    for problem in problems:
        problem.pid = prefix + problem.pid
    return problems


def epochs(rng: random.Random, pool: list[Problem], plan: Plan) -> list[list[Problem]]:
    """The problems of each step: the pool is shuffled once an epoch."""
    order: list[Problem] = []
    while len(order) < plan.steps * plan.per_step:
        order += rng.sample(pool, len(pool))
    return [list({p.pid: p for p in order[s * plan.per_step :][: plan.per_step]}.values()) for s in range(plan.steps)]


def attempt(rng: random.Random, domain: ModuleType, problem: Problem, step: int, index: int, right: bool) -> Attempt:
    """One attempt with its text; reward 1 where it is right."""
    messages, answer = domain.attempt(rng, problem, right)
    return Attempt(problem, step, index, right, messages, answer, reward=float(right))


def run(
    rng: random.Random,
    domain: ModuleType,
    plan: Plan | None = None,
    pool: list[Problem] | None = None,
    order: list[list[Problem]] | None = None,
) -> list[Attempt]:
    """All attempts of a run, in the order of its steps."""
    plan = plan or Plan()
    order = order or epochs(rng, pool or make_pool(rng, domain, plan.pool), plan)
    attempts = []
    for step, problems in enumerate(order):
        for problem in problems:
            odds = chance(rng, plan, problem, step)
            attempts += [attempt(rng, domain, problem, step, i, rng.random() < odds) for i in range(plan.size)]
    return attempts


def evaluate(
    rng: random.Random, domain: ModuleType, plan: Plan, pool: list[Problem], every: int, size: int, frozen: bool = False
) -> list[Attempt]:
    """Attempts at held problems, every few steps; frozen: by the policy of step 0, whatever the step."""
    attempts = []
    for step in range(0, plan.steps, every):
        for problem in pool:
            odds = chance(rng, plan, problem, 0 if frozen else step)
            for index in range(size):
                one = attempt(rng, domain, problem, step, index, rng.random() < odds)
                one.split = "validation"
                attempts.append(one)
    return attempts
