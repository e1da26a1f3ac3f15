"""Which problems a training step sees: an order over a fixed pool (curriculum) and weights of its families (mixture).

Draws are without replacement inside a step and independent between steps, each from its own seed, so that a resumed
run draws what an undisturbed one does. Pass rates come from cached rollouts: of the problem itself where it was
sampled, else the mean of its family, else the mean of all.

    curriculum  none        the whole pool
                easy_first  the easiest share of the pool: sqrt(c0^2 + (1-c0^2) t), c0 = 0.3, t = 0..1 over half of the
                            budget (root competence of Platanios et al., arXiv 1903.09848)
                hard_first  the same from the hard end
                band        pass rate in [band_low, band_high]
    mixture     uniform     every problem alike
                by_failure  a family weighs its failure rate 1-p, by_signal p(1-p) (the variance of a binary reward);
                            each keeps a floor of 0.02, else a solved or hopeless family would never be seen again
    weight_code a problem's weight is multiplied by what a function says of it; 0 leaves it out
"""

from collections.abc import Callable, Mapping, Sequence

import numpy as np

from evotrainer.algorithm.code import NO_CODE, RecipeCode
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import DataConfig
from evotrainer.errors import CodeError, ConfigError
from evotrainer.records import Problem

FIRST_SHARE = 0.3
FULL_AT = 0.5
WEIGHT_FLOOR = 0.02


class ProblemSchedule:
    """Draws the problems of each step. `pass_rates` maps problem_id to a rate in [0, 1], for some or all."""

    def __init__(
        self,
        problems: Sequence[Problem],
        pass_rates: Mapping[str, float],
        config: DataConfig,
        seed: int,
        code: RecipeCode = NO_CODE,
    ) -> None:
        self._order = CURRICULA[config.curriculum]
        self._family_weight = MIXTURES[config.mixture]
        self.problems, self._config, self._seed = list(problems), config, seed
        rates = full_pass_rates(problems, pass_rates)
        self._rates = np.array([rates[problem.problem_id] for problem in problems])
        self._weights = self._mixture_weights()
        coded = code.weights(problems, rates, config)
        if coded is not None:
            self._weights = self._weights * coded
        self.easy_first = np.lexsort((np.array([problem.difficulty for problem in problems]), -self._rates))

    def draw(self, step: int, count: int, progress: float, skip: int = 0) -> list[Problem]:
        """Return up to `count` distinct problems.

        Args:
            step: the training step, part of the seed.
            count: how many; fewer come only where the pool is smaller.
            progress: share of the budget spent, in [0, 1].
            skip: how many the step has drawn before; they are not drawn again.

        Raises:
            CodeError: the recipe's own weights leave no problem.

        """
        eligible = self._order(self, progress)
        eligible = eligible[self._weights[eligible] > 0]
        if not len(eligible):
            raise CodeError("data.weight_code gives every problem of the curriculum the weight 0: widen either")
        generator = np.random.Generator(np.random.Philox(key=derive_seed(self._seed, "problems", step)))
        # Exponential races: the smallest times are a weighted sample without replacement.
        times = generator.exponential(size=len(self.problems))[eligible] / self._weights[eligible]
        order = eligible[np.argsort(times, kind="stable")]
        return [self.problems[index] for index in order[skip : skip + count]]

    def band(self, progress: float) -> np.ndarray:
        """Return the indices of problems in the band of pass rates; raises ConfigError where there are none."""
        inside = (self._rates >= self._config.band_low) & (self._rates <= self._config.band_high)
        if not inside.any():
            raise ConfigError(
                f"data.curriculum=band: no problem has a pass rate in [{self._config.band_low}, "
                f"{self._config.band_high}]: widen the band"
            )
        return np.flatnonzero(inside)

    @staticmethod
    def first(order: np.ndarray, progress: float) -> np.ndarray:
        """Return the first share of the pool in an order of its problems."""
        time = min(1.0, progress / FULL_AT)
        share = (FIRST_SHARE**2 + (1 - FIRST_SHARE**2) * time) ** 0.5
        return np.sort(order[: max(1, round(share * len(order)))])

    def _mixture_weights(self) -> np.ndarray:
        """Return the weight of each problem: its family's, shared among its members."""
        if self._family_weight is None:
            return np.ones(len(self.problems))
        families = np.array([problem.family for problem in self.problems])
        weights = np.empty(len(self.problems))
        for family in sorted(set(families)):
            members = families == family
            weight = self._family_weight(self._rates[members].mean())
            weights[members] = max(weight, WEIGHT_FLOOR) / members.sum()
        return weights


CURRICULA: dict[str, Callable[[ProblemSchedule, float], np.ndarray]] = {
    "none": lambda schedule, progress: np.arange(len(schedule.problems)),
    "easy_first": lambda schedule, progress: schedule.first(schedule.easy_first, progress),
    "hard_first": lambda schedule, progress: schedule.first(schedule.easy_first[::-1], progress),
    "band": ProblemSchedule.band,
}
"""The problems that may be drawn at a share of the budget spent."""

MIXTURES: dict[str, Callable[[float], float] | None] = {
    "uniform": None,
    "by_failure": lambda rate: 1 - rate,
    "by_signal": lambda rate: rate * (1 - rate),
}
"""A family's weight from its pass rate; None where every problem weighs alike."""


def full_pass_rates(problems: Sequence[Problem], known: Mapping[str, float]) -> dict[str, float]:
    """Return a pass rate for every problem: its own, else its family's mean, else the mean of all, else 0.5."""
    by_family: dict[str, list[float]] = {}
    for problem in problems:
        if problem.problem_id in known:
            by_family.setdefault(problem.family, []).append(known[problem.problem_id])
    overall = _mean([rate for rates in by_family.values() for rate in rates], 0.5)
    means = {family: _mean(rates, overall) for family, rates in by_family.items()}
    return {
        problem.problem_id: known.get(problem.problem_id, means.get(problem.family, overall)) for problem in problems
    }


def _mean(values: Sequence[float], default: float) -> float:
    return sum(values) / len(values) if values else default
