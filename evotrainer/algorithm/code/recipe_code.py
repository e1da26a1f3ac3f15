"""The code of recipes, applied to rows: the same call in training, where rows are new, and in backtests, where they are
stored. Equal rows get equal bits, since both hand the same fields to the same text.

The sources are keyed by their hashes; which of them a recipe runs stands in its keys. A recipe without code runs
nothing here, and its rows come back as they are.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from evotrainer.algorithm.code.rows import problem_row, rewarded_row, trajectory_row
from evotrainer.algorithm.code.worker import run_code
from evotrainer.algorithm.rewards import combine
from evotrainer.config import DataConfig, FilterConfig, RewardConfig
from evotrainer.config.code import CODE_TERM, CORRECTION_TERM, source_of
from evotrainer.records import Problem, Trajectory


@dataclass(frozen=True)
class RecipeCode:
    """Texts by their references; empty where no recipe at hand runs code."""

    sources: Mapping[str, str] = field(default_factory=dict)

    def rewarded(self, rows: Sequence[Trajectory], config: RewardConfig) -> list[Trajectory]:
        """Return the rows with the terms of code, and the reward that they make; rows without a grade as they are.

        The correction comes last: it is given the reward that all other terms make.

        Raises:
            CodeError: a function raised, took too much, or returned what is no number within its bounds.

        """
        paid = list(rows)
        graded = [place for place, row in enumerate(rows) if row.error is None and row.correct is not None]
        own = ("reward.code", config.code, CODE_TERM, trajectory_row)
        for key, value, term, shown in (own, ("reward.correction", config.correction, CORRECTION_TERM, rewarded_row)):
            if not value:
                continue
            found = self._run(key, value, [shown(paid[place]) for place in graded])
            for place, one in zip(graded, found, strict=True):
                terms = {**paid[place].reward_terms, term: one}
                paid[place] = paid[place].model_copy(update={"reward_terms": terms, "reward": combine(terms, config)})
        return paid

    def masked(self, rows: Sequence[Trajectory], config: FilterConfig) -> frozenset[int]:
        """Return the indices of the rewarded rows that filter.mask_code leaves out; raises CodeError."""
        if not config.mask_code:
            return frozenset()
        known = [place for place, row in enumerate(rows) if row.reward is not None and row.error is None]
        values = self._run("filter.mask_code", config.mask_code, [rewarded_row(rows[place]) for place in known])
        return frozenset(place for place, value in zip(known, values, strict=True) if value)

    def kept(self, rows: Sequence[Trajectory], groups: Sequence[Sequence[int]], config: FilterConfig) -> np.ndarray:
        """Return which groups filter.group_code keeps, booleans [groups]; raises CodeError.

        Args:
            rows: rewarded rows.
            groups: indices of the rows of each group that count; one of which none counts is not asked, and kept.
            config: names the code.

        """
        keep_P = np.ones(len(groups), dtype=bool)
        if not config.group_code:
            return keep_P
        asked = [place for place, members in enumerate(groups) if members]
        shown = [[rewarded_row(rows[index]) for index in groups[place]] for place in asked]
        keep_P[asked] = self._run("filter.group_code", config.group_code, shown)
        return keep_P

    def weights(self, problems: Sequence[Problem], rates: Mapping[str, float], config: DataConfig) -> np.ndarray | None:
        """Return the weight of each problem by data.weight_code, [problems], or None without code; raises CodeError.

        `rates` maps each problem_id to its pass rate.
        """
        if not config.weight_code:
            return None
        shown = [problem_row(problem, rates[problem.problem_id]) for problem in problems]
        return np.array(self._run("data.weight_code", config.weight_code, shown))

    def _run(self, key: str, reference: str, items: list) -> list:
        return run_code(key, reference, source_of(reference, self.sources), items)


NO_CODE = RecipeCode()
