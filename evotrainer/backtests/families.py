"""Backtests by factor family: what the replay of one factor says of the step from parent to child.

reward      rewards are combined anew from the stored terms; one optimiser step of both recipes where there is an engine
algorithm   one optimiser step of both recipes on the same cached batch (step.py)
filter      masks and group filters on cached groups. Refilling buys full batches with tokens: where a share u is kept,
            a step costs 1/u as much and carries 1/u as many groups, whose signal grows by the root: speed sqrt(u)
data        the real schedule draws batches along a run under both recipes; a problem counts by the chance that its
            group has both outcomes, and a problem family's speed is its share of such groups
sampling    response_budget cuts the cached attempts: shorter attempts buy more steps, a larger budget can help only
            attempts that were cut. group_size counts usable groups by 1 - E[p^G + (1-p)^G], p of each problem under a
            Beta posterior. temperature takes a probe rollout on cached problems, charged to the budget, since logprobs
            give no sequence probability under another temperature
"""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from statistics import fmean

import numpy as np
import scipy

from evotrainer.algorithm.curriculum import ProblemSchedule, full_pass_rates
from evotrainer.backtests import step
from evotrainer.backtests.forecast import Replayed
from evotrainer.backtests.inputs import Probe, RecipeChange, ReplayInputs
from evotrainer.backtests.replay import SignalReplay, replay
from evotrainer.campaign.seeds import derive_seed
from evotrainer.config import Config
from evotrainer.config.factors import Family
from evotrainer.errors import ConfigError
from evotrainer.evidence.rows import Rows, mean_by
from evotrainer.records import Problem, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, play_attempts

UNSEEN = {"kl": "the pull towards a reference that is its own start", "optimiser": "the memory of an optimiser"}
"""Factors whose first step, from a fresh optimiser, is the present one."""
DRAWS = 40
"""Batches that a replay of a schedule draws."""
PRIOR = 0.5
"""Beta(.5, .5), Jeffreys' prior of a pass rate."""
_NO_SIGNAL = ("no cached group carries signal now: nothing to compare with",)


def reward(change: RecipeChange) -> Replayed:
    """Return the ratio of margin changes under the new weights, of signal quality where no step can be replayed."""
    before, after = map(change.evidence.replayed, (change.parent, change.child))
    if before.quality <= 0:
        return Replayed("reward", notes=_NO_SIGNAL)
    quality = max(0.0, after.quality / before.quality)
    found = step.compared(change) or Replayed("reward", quality)
    return replace(found, numbers=found.numbers | {"quality_ratio": quality})


def algorithm(change: RecipeChange) -> Replayed:
    """Return the ratio of margin changes of one step of each recipe."""
    if change.factor.name in UNSEEN:
        return Replayed("algorithm", notes=(f"one step cannot show {UNSEEN[change.factor.name]}",))
    found = step.compared(change)
    return found or Replayed("algorithm", notes=("no engine or no cached tokens: the step was not replayed",))


def filtered(change: RecipeChange) -> Replayed:
    """Return the ratio of signal quality a token under the new filter."""
    before, after = map(change.evidence.replayed, (change.parent, change.child))
    if before.quality <= 0:
        return Replayed("filter", notes=_NO_SIGNAL)
    speed = max(0.0, after.quality / before.quality) * _refill(change.child, after.kept_groups)
    speed /= _refill(change.parent, before.kept_groups)
    numbers = {"filter_speed": speed, "kept_groups_before": before.kept_groups, "kept_groups_after": after.kept_groups}
    return Replayed("filter", speed, numbers=numbers)


def _refill(config: Config, kept: float) -> float:
    return math.sqrt(max(kept, 1e-3)) if config.filter.refill else 1.0


def data(change: RecipeChange) -> Replayed:
    """Return the speed under the new schedule: that of the problem families, each weighted by how often it fails."""
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
    gain = math.sqrt(total_new / total_old) * total_old / total_new
    speeds = {family: gain * new.get(family, 0.0) / usable for family, usable in sorted(old.items()) if usable > 0}
    failures = mean_by(change.evidence.graded.family, 1 - change.evidence.graded.correct)
    weights = {family: failures.get(family, 0.0) for family in speeds}
    speed = sum(weights[one] * speeds[one] for one in speeds) / max(1e-9, sum(weights.values()))
    numbers = {f"speed_{family}": speed for family, speed in speeds.items()}
    return Replayed("data", speed, numbers=numbers, usable_ratio=total_new / total_old)


def _usable_by_family(config: Config, evidence: ReplayInputs, rates: Mapping[str, float]) -> dict[str, float]:
    """Return the expected share of usable groups a draw, by problem family."""
    size, count = config.sampling.group_size, config.sampling.problems_per_step
    seed = derive_seed(config.seed, "backtest_schedule")
    schedule = ProblemSchedule(evidence.problems, evidence.pass_rates(), config.data, seed, evidence.code)
    usable = {problem.family: 0.0 for problem in evidence.problems}
    total = 0
    for place in range(DRAWS):
        for problem in schedule.draw(place, count, place / DRAWS):
            rate = rates[problem.problem_id]
            usable[problem.family] += 1 - rate**size - (1 - rate) ** size
            total += 1
    return {family: value / max(1, total) for family, value in usable.items()}


def sampling(change: RecipeChange) -> Replayed:
    """Return what cached lengths and pass rates, or a probe, say of the new sampling."""
    if change.factor.name == "response_budget":
        return _budget(change.parent, change.child, change.evidence)
    if change.factor.name == "temperature":
        return _temperature(change.parent, change.child, change.evidence, change.probe)
    return _groups(change.parent, change.child, change.evidence)


def _budget(parent: Config, child: Config, evidence: ReplayInputs) -> Replayed:
    before, after = map(evidence.replayed, (parent, child))
    if before.quality <= 0:
        return Replayed("sampling", notes=_NO_SIGNAL)
    speed = after.quality / before.quality * before.mean_tokens / max(1.0, after.mean_tokens)
    old, new = (config.sampling.max_response_tokens * config.sampling.max_turns for config in (parent, child))
    cut = float(evidence.graded.is_truncated.mean())
    numbers = {"truncated_now": cut}
    if new > old:
        speed = (1 + cut) / (1 + cut * (new - old) / max(1.0, before.mean_tokens))
    if new > old and cut == 0:
        return Replayed("sampling", objections=("no cached attempt was cut: a larger budget changes nothing",))
    return Replayed("sampling", max(0.0, speed), numbers=numbers | {"sampling_speed": speed})


def _groups(parent: Config, child: Config, evidence: ReplayInputs) -> Replayed:
    counts = _counts(evidence.graded)
    if not counts:
        return Replayed("sampling", notes=("no cached pass rates",))
    old, new = parent.sampling, child.sampling
    usable_old, usable_new = usable_share(counts, old.group_size), usable_share(counts, new.group_size)
    size_ratio = new.group_size * new.problems_per_step / (old.group_size * old.problems_per_step)
    speed = math.sqrt(usable_new / usable_old) / math.sqrt(size_ratio)
    numbers = {"sampling_speed": speed, "expected_usable_before": usable_old, "expected_usable_after": usable_new}
    return Replayed("sampling", speed, numbers=numbers, usable_ratio=usable_new / usable_old)


def usable_share(counts: Sequence[tuple[int, int]], group_size: int) -> float:
    """Return the expected share of groups with both outcomes; `counts` are (correct, attempts) of each problem."""

    def dead(right: int, total: int) -> float:
        a, b = right + PRIOR, total - right + PRIOR
        log_beta = scipy.special.betaln
        whole = log_beta(a, b)
        return math.exp(log_beta(a + group_size, b) - whole) + math.exp(log_beta(a, b + group_size) - whole)

    return max(1e-6, 1 - fmean(dead(right, total) for right, total in counts))


def _temperature(parent: Config, child: Config, evidence: ReplayInputs, probe: Probe | None) -> Replayed:
    if probe is None:
        return Replayed("sampling", notes=("temperature is judged by a probe rollout, not on cached rows",))
    if child.reward.judge:
        return Replayed("sampling", notes=("a reward with a judge is not probed: the probe would have to ask it",))
    size = child.sampling.group_size
    problems = _probed(evidence, child.budget.probe_rollouts // size)
    if not problems:
        return Replayed("sampling", notes=("budget.probe_rollouts allows no probe",))
    rows, tokens = _sample(problems, child, probe)
    names = {problem.problem_id for problem in problems}
    problem = evidence.graded.problem
    cached = evidence.graded.where(np.array([name in names for name in problem.names])[problem.codes])
    before = replay(list(cached), parent, evidence.code)
    after = replay([row for row in rows if row.error is None], child, evidence.code)
    numbers = _probe_numbers(before, after, cached, rows) | {"probe_tokens": float(tokens)}
    if before.quality <= 0:
        return Replayed("sampling", notes=("no cached group of the probe carries signal",), numbers=numbers)
    per_group = after.quality / before.quality * math.sqrt(len(cached) / max(1, len(rows)))
    speed = max(0.0, per_group * before.mean_tokens / max(1.0, after.mean_tokens))
    ratio = after.usable_groups / max(1e-6, before.usable_groups)
    return Replayed("sampling", speed, numbers=numbers, usable_ratio=ratio)


def _probed(evidence: ReplayInputs, count: int) -> list[Problem]:
    """Return the first `count` train problems, by id, that have cached groups."""
    cached = set(evidence.graded.problem.names)
    return sorted((p for p in evidence.problems if p.problem_id in cached), key=lambda p: p.problem_id)[:count]


def _sample(problems: Sequence[Problem], config: Config, probe: Probe) -> tuple[list[Trajectory], int]:
    attempts = [*product(problems, range(config.sampling.group_size))]
    identity = EpisodeIdentity(probe.campaign, probe.version, "probe", probe.campaign_seed)
    rows, _ = play_attempts(probe.engine, attempts, EpisodeRules.of(config), identity)
    return rows, sum(row.num_tokens for row in rows)


def _probe_numbers(
    before: SignalReplay, after: SignalReplay, cached: Rows, rows: Sequence[Trajectory]
) -> dict[str, float]:
    return {
        "probe_solve_rate_before": fmean(cached.correct.tolist()),
        "probe_solve_rate_after": fmean(float(row.correct or 0.0) for row in rows),
        "probe_usable_before": before.usable_groups,
        "probe_usable_after": after.usable_groups,
        "probe_tokens_before": before.mean_tokens,
        "probe_tokens_after": after.mean_tokens,
    }


def _counts(attempts: Rows) -> list[tuple[int, int]]:
    """Return (correct, attempts) of each problem, by its id."""
    members = sorted(zip(attempts.problem.names, attempts.by(attempts.problem), strict=True), key=lambda one: one[0])
    return [(int(np.trunc(attempts.correct[places]).sum()), len(places)) for _, places in members]


FAMILIES: dict[Family, Callable[[RecipeChange], Replayed]] = {
    "reward": reward,
    "filter": filtered,
    "algorithm": algorithm,
    "sampling": sampling,
    "data": data,
}
"""What the replay of one factor of a family says of the step from parent to child."""
