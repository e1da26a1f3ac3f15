"""Data factors: run the new schedule of problems on stored pass rates and count what groups it would see.

The real schedule (curriculum.py) draws `DRAWS` batches along a run under both recipes. A drawn problem counts by the
chance that its group has both outcomes. Each problem family's speed is its share of such groups, new over old, times
the root of the ratio of their total: a family that is left out learns nothing more, whatever the others gain.
"""

import math
from collections.abc import Mapping

from evotrainer.algorithm.curriculum import ProblemSchedule, full_pass_rates
from evotrainer.backtests.base import CachedEvidence, RecipeChange, Replayed
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.errors import ConfigError

DRAWS = 40


def replayed(change: RecipeChange) -> Replayed:
    """Return each problem family's speed under the new schedule."""
    known = change.evidence.pass_rates()
    if not known or not change.evidence.problems:
        return Replayed("data", notes=("no stored pass rates",))
    rates = full_pass_rates(change.evidence.problems, known)
    try:
        old, new = (_usable_by_family(config, change.evidence, rates) for config in (change.parent, change.child))
    except ConfigError as error:
        return Replayed("data", objections=(str(error),))
    total_old, total_new = sum(old.values()), sum(new.values())
    if total_old <= 0 or total_new <= 0:
        return Replayed("data", objections=("no problem of the new schedule has both outcomes in its group",))
    gain = math.sqrt(total_new / total_old)
    speeds = {
        family: gain * (new.get(family, 0.0) / total_new) / (usable / total_old)
        for family, usable in sorted(old.items())
        if usable > 0
    }
    numbers = {f"speed_{family}": speed for family, speed in speeds.items()}
    return Replayed("data", speeds, numbers=numbers, usable_ratio=total_new / total_old)


def _usable_by_family(config: Config, evidence: CachedEvidence, rates: Mapping[str, float]) -> dict[str, float]:
    """Return the expected share of usable groups a draw, by problem family."""
    size, count = config.sampling.group_size, config.sampling.problems_per_step
    seed = derive_seed(config.seed, "backtest_schedule")
    schedule = ProblemSchedule(evidence.problems, evidence.pass_rates(), config.data, seed, evidence.code)
    usable = {problem.family: 0.0 for problem in evidence.problems}
    total = 0
    for step in range(DRAWS):
        for problem in schedule.draw(step, count, step / DRAWS):
            rate = rates[problem.problem_id]
            usable[problem.family] += 1 - rate**size - (1 - rate) ** size
            total += 1
    return {family: value / max(1, total) for family, value in usable.items()}
