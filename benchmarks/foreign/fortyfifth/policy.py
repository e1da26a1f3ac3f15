"""A policy that learns: its chance at a problem rises with training and falls with the problem's hardness."""

import math
import random

from benchmarks.foreign.fortyfifth.runs import Problem


class Policy:
    """Skill goes from `begin` to `end` over a run, on the scale of log-odds, with a wobble of each step."""

    def __init__(self, rng: random.Random, begin: float, end: float, spread: float = 1.1) -> None:
        self.rng = rng
        self.begin = begin + rng.uniform(-0.15, 0.15)
        self.end = end + rng.uniform(-0.15, 0.15)
        self.spread = spread
        self.tastes: dict[str, float] = {}
        self.wobbles: dict[float, float] = {}

    def chance(self, problem: Problem, done: float) -> float:
        """Chance of success when a share `done` of the run is behind."""
        taste = self.tastes.setdefault(problem.name, self.rng.gauss(0, self.spread))
        wobble = self.wobbles.setdefault(done, self.rng.gauss(0, 0.1))
        skill = self.begin + (self.end - self.begin) * (1 - math.exp(-2.2 * done)) / (1 - math.exp(-2.2))
        return 1 / (1 + math.exp(-(skill + wobble + taste - problem.hard)))

    def succeeds(self, problem: Problem, done: float) -> bool:
        """One draw."""
        return self.rng.random() < self.chance(problem, done)
