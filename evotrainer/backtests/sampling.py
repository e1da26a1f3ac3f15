"""Sampling factors: budgets are replayed on cached lengths, group sizes on cached pass rates, temperature is probed.

response_budget   cut the cached attempts; shorter attempts buy more steps. A larger budget can help only attempts that
                  were cut: they are taken to succeed as often as the others, at full length.
group_size        usable groups by 1 - E[p^G + (1-p)^G], p of each problem under a Beta posterior of its attempts;
                  signal a step grows with the root of usable trajectories.
batch_size        half the problems a step are twice the steps at signal / sqrt(2): speed sqrt(2), as far as damping
                  believes it.
temperature       cached rows cannot tell (their logprobs give no sequence probability under another temperature):
                  a probe rollout on cached problems, paired with their cached groups, charged to the budget.
"""

import math
from collections.abc import Sequence
from statistics import fmean

import numpy as np
import scipy

from evotrainer.backtests.base import CachedEvidence, Probe, RecipeChange, Replayed
from evotrainer.backtests.replay import SignalReplay, replay
from evotrainer.config import Config
from evotrainer.engines.base import SamplingParams
from evotrainer.evidence.rows import Rows
from evotrainer.records import Problem, Trajectory
from evotrainer.rollouts.episodes import EpisodeIdentity, EpisodeRules, run_episodes

PRIOR = 0.5
"""Beta(.5, .5), Jeffreys' prior of a pass rate."""


def replayed(change: RecipeChange) -> Replayed:
    """Return what cached lengths and pass rates, or a probe, say of the new sampling."""
    if change.factor.name == "response_budget":
        return _budget(change.parent, change.child, change.evidence)
    if change.factor.name == "temperature":
        return _temperature(change.parent, change.child, change.evidence, change.probe)
    return _groups(change.parent, change.child, change.evidence)


def _budget(parent: Config, child: Config, evidence: CachedEvidence) -> Replayed:
    before, after = (replay(evidence.cached, recipe, evidence.code) for recipe in (parent, child))
    if before.quality <= 0:
        return Replayed("sampling", notes=("no cached group carries signal now: nothing to compare with",))
    speed = after.quality / before.quality * before.mean_tokens / max(1.0, after.mean_tokens)
    old, new = (config.sampling.max_response_tokens * config.sampling.max_turns for config in (parent, child))
    cut = float(evidence.graded.is_truncated.mean())
    numbers = {"truncated_now": cut}
    if new > old:
        speed = (1 + cut) / (1 + cut * (new - old) / max(1.0, before.mean_tokens))
    if new > old and cut == 0:
        return Replayed("sampling", objections=("no cached attempt was cut: a larger budget changes nothing",))
    return Replayed("sampling", {"": max(0.0, speed)}, numbers=numbers | {"sampling_speed": speed})


def _groups(parent: Config, child: Config, evidence: CachedEvidence) -> Replayed:
    counts = _counts(evidence.graded)
    if not counts:
        return Replayed("sampling", notes=("no cached pass rates",))
    old, new = parent.sampling, child.sampling
    usable_old, usable_new = usable_share(counts, old.group_size), usable_share(counts, new.group_size)
    size_ratio = new.group_size * new.problems_per_step / (old.group_size * old.problems_per_step)
    speed = math.sqrt(usable_new / usable_old) / math.sqrt(size_ratio)
    numbers = {"sampling_speed": speed, "expected_usable_before": usable_old, "expected_usable_after": usable_new}
    return Replayed("sampling", {"": speed}, numbers=numbers, usable_ratio=usable_new / usable_old)


def usable_share(counts: Sequence[tuple[int, int]], group_size: int) -> float:
    """Return the expected share of groups with both outcomes; `counts` are (correct, attempts) of each problem."""

    def dead(right: int, total: int) -> float:
        a, b = right + PRIOR, total - right + PRIOR
        log_beta = scipy.special.betaln
        whole = log_beta(a, b)
        return math.exp(log_beta(a + group_size, b) - whole) + math.exp(log_beta(a, b + group_size) - whole)

    return max(1e-6, 1 - fmean(dead(right, total) for right, total in counts))


def _temperature(parent: Config, child: Config, evidence: CachedEvidence, probe: Probe | None) -> Replayed:
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
    before = replay(cached, parent, evidence.code)
    after = replay([row for row in rows if row.error is None], child, evidence.code)
    numbers = _probe_numbers(before, after, cached, rows) | {"probe_tokens": float(tokens)}
    if before.quality <= 0:
        return Replayed("sampling", notes=("no cached group of the probe carries signal",), numbers=numbers)
    per_group = after.quality / before.quality * math.sqrt(len(cached) / max(1, len(rows)))
    speed = max(0.0, per_group * before.mean_tokens / max(1.0, after.mean_tokens))
    ratio = after.usable_groups / max(1e-6, before.usable_groups)
    return Replayed("sampling", {"": speed}, numbers=numbers, usable_ratio=ratio)


def _probed(evidence: CachedEvidence, count: int) -> list[Problem]:
    """Return the first `count` train problems, by id, that have cached groups."""
    cached = set(evidence.graded.problem.names)
    return sorted((p for p in evidence.problems if p.problem_id in cached), key=lambda p: p.problem_id)[:count]


def _sample(problems: Sequence[Problem], config: Config, probe: Probe) -> tuple[list[Trajectory], int]:
    sampling = config.sampling
    rules = EpisodeRules(
        config.domain,
        SamplingParams(sampling.max_response_tokens, sampling.temperature, sampling.top_p),
        sampling.max_turns,
        config.reward,
    )
    identity = EpisodeIdentity(probe.campaign, probe.version, "probe", probe.campaign_seed)
    rows, _ = run_episodes(probe.engine, problems, sampling.group_size, rules, identity)
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
    problem = attempts.problem
    right = np.bincount(problem.codes, weights=np.trunc(attempts.correct), minlength=len(problem.names))
    total = np.bincount(problem.codes, minlength=len(problem.names))
    order = sorted(range(len(problem.names)), key=problem.names.__getitem__)
    return [(int(right[place]), int(total[place])) for place in order]
