"""The rollouts of one training step: groups of attempts, and further ones for those that the filter drops."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product

from evotrainer.algorithm.credit import Credit, assign_credit
from evotrainer.algorithm.curriculum import ProblemSchedule
from evotrainer.algorithm.filters import GroupFilter
from evotrainer.domains.judge import Judge
from evotrainer.engines.base import RolloutEngine
from evotrainer.records import Problem, TokenTurn, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts
from evotrainer.training.base import TrainingRun

MAX_REFILLS = 3


@dataclass(frozen=True)
class StepSampler:
    """Samples the batches of a run."""

    run: TrainingRun
    engine: RolloutEngine
    schedule: ProblemSchedule
    judge: Judge | None

    def sample(self, step: int, tokens_before: int, group_filter: GroupFilter) -> tuple[Credit, list[TokenTurn]]:
        """Sample the groups of one step, whose draws it seeds; with refill, further ones for those that are dropped.

        Raises CodeError where code of the recipe failed.
        """
        config, wanted = self.run.config, self.run.config.sampling.problems_per_step
        rows: list[Trajectory] = []
        turns: list[TokenTurn] = []
        num_problems = 0
        progress = tokens_before / config.budget.train_tokens
        missing = wanted
        for _ in range(1 + MAX_REFILLS if config.filter.refill else 1):
            problems = self.schedule.draw(step, missing, progress, skip=num_problems)
            new_rows, new_turns = self._play(problems, step)
            rows, turns = rows + new_rows, turns + new_turns
            num_problems += len(problems)
            credit = assign_credit(rows, config, group_filter, self.run.code)
            missing = wanted - credit.num_kept
            num_tokens = tokens_before + sum(row.num_tokens for row in rows)
            if missing <= 0 or not problems or num_tokens >= config.budget.train_tokens:
                break
        return credit, turns

    def _play(self, problems: Sequence[Problem], step: int) -> tuple[list[Trajectory], list[TokenTurn]]:
        if not problems:
            return [], []
        run, attempts = self.run, range(self.run.config.sampling.group_size)
        rules = EpisodeRules.of(run.config, self.judge)
        identity = EpisodeIdentity(run.campaign, run.version, "train", run.seed, step)
        rows, turns = play_attempts(self.engine, [*product(problems, attempts)], rules, identity)
        return run.code.rewarded(rows, run.config.reward), turns
