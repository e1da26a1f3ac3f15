"""Healthy runs whose rewards, advantages or weights look odd."""

from dataclasses import replace
from random import Random

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.sixtysecond import layouts
from benchmarks.foreign.sixtysecond.kinds import PART
from benchmarks.foreign.sixtysecond.policy import Try, assess, attempts, schedule
from benchmarks.foreign.sixtysecond.tasks import claim, freight, make, mixed, pipeline, post, shift


@PART.healthy
def exam_is_harder_than_practice(rng: Random) -> list[Row]:
    """Validation stays some 25 points below training: it was chosen harder, and rises along with training."""
    train = assess(rng, attempts(rng, schedule(rng, mixed(rng, 60), 16, 7), 6), grpo)
    rows = layouts.ours(train, "office")
    held = [replace(t, hard=t.hard + 1.2) for t in mixed(rng, 48, held=True)]
    for step in (1, 6, 11, 16):
        tries = attempts(rng, [(step, t) for t in held], 2, -0.7 + 1.8 * step / 16, 0)
        rows += layouts.ours(tries, "office", "validation")
    return rows


@PART.healthy
def batch_baseline_moves_equal_groups(rng: Random) -> list[Row]:
    """REINFORCE++ standardises over the batch: groups that are all right have advantages, as they should under it."""
    tries = attempts(rng, schedule(rng, mixed(rng, 70, (claim, pipeline)), 16, 14), 4)
    assess(rng, tries, whole_batch)
    for t in tries:
        t.extra = {
            "advantage": t.advantage,
            "kl": round(0.001 + 0.0012 * t.step * rng.uniform(0.7, 1.3), 5),
            "kl_coef": 0.001,
        }
    return layouts.openrlhf(tries)


@PART.healthy
def critic_starts_far_off_and_settles(rng: Random) -> list[Row]:
    """PPO with a fresh value head: values are off by more than one at first and follow rewards from step 6 on."""
    tries = attempts(rng, schedule(rng, mixed(rng, 80, (freight, shift)), 18, 14), 4)
    mean = {s: float(np.mean([t.reward for t in tries if t.step == s])) for s in range(1, 19)}
    for t in tries:
        off = 1.6 * 0.6 ** (t.step - 1)
        value = mean[t.step] - 0.1 * t.task.hard + off * rng.gauss(-0.8, 0.4) + rng.gauss(0, 0.08)
        t.extra = {"values": round(value, 4), "returns": t.reward, "value_loss": round((value - t.reward) ** 2 / 2, 4)}
    for step in mean:
        rows = [t for t in tries if t.step == step]
        raw = np.array([t.reward - t.extra["values"] for t in rows])
        for t, a in zip(rows, (raw - raw.mean()) / (raw.std() + 1e-8), strict=True):
            t.extra["advantage"] = round(float(a), 5)
    return layouts.openrlhf(tries)


@PART.healthy
def sampler_rounds_logprobs_a_little(rng: Random) -> list[Row]:
    """Logprobs of a bf16 sampler and the trainer differ by a hundredth, no more at the end than at first; weights near
    1 correct it.
    """
    tries = attempts(rng, schedule(rng, mixed(rng, 60), 16, 8), 8)
    for t in tries:
        sampled, apart = -rng.uniform(0.22, 0.45) + 0.004 * t.step, rng.gauss(0.0, 0.008)
        t.extra = {
            "rollout_log_prob_mean": round(sampled, 4),
            "old_log_prob_mean": round(sampled - apart, 4),
            "tis_weight": round(float(np.exp(-apart)), 4),
        }
    return layouts.verl(assess(rng, tries, grpo))


@PART.healthy
def harder_lessons_begin_at_half(rng: Random) -> list[Row]:
    """Reward falls by a third at step 9, where the curriculum goes to its second stage, and rises again from there."""
    easy = [replace(t, hard=t.hard - 0.6) for t in mixed(rng, 40, (freight, claim))]
    hard = [replace(t, hard=t.hard + 1.0) for t in mixed(rng, 40, (shift, pipeline))]
    plan = [*schedule(rng, easy, 8, 8), *((s + 8, t) for s, t in schedule(rng, hard, 10, 8))]
    tries = attempts(rng, plan, 6, -0.6, 2.4)
    for t in tries:
        t.extra = {"curriculum_stage": 1 if t.step <= 8 else 2}
    return layouts.nemo(assess(rng, tries, leave_one_out))


@PART.healthy
def forty_prompts_for_five_epochs(rng: Random) -> list[Row]:
    """A small set of prompts returns once an epoch, five times in all; texts stay new and held tasks gain as much."""
    tasks = mixed(rng, 40, (claim, shift))
    tries = attempts(rng, schedule(rng, tasks, 20, 10), 5)
    for t in tries:
        t.extra = {"epoch": (t.step - 1) // 4, "split": "train"}
    rows = layouts.prime(assess(rng, tries, centred), "shift-and-claims")
    held = mixed(rng, 30, (claim, shift), held=True)
    for step in (1, 10, 20):
        seen = attempts(rng, [(step, t) for t in held], 2, -0.7 + 1.8 * step / 20, 0)
        for t in seen:
            t.extra = {"epoch": (step - 1) // 4, "split": "validation"}
        rows += [{**row, "advantage": None} for row in layouts.prime(seen, "shift-and-claims")]
    return rows


@PART.healthy
def rollouts_one_or_two_versions_old(rng: Random) -> list[Row]:
    """Asynchronous training with a bound of two: rollouts lag one or two updates, never more, and the policy learns."""
    tries: list[Try] = attempts(rng, schedule(rng, make(rng, post, 60), 16, 8), 8)
    lag = {t.group: rng.choice([0, 1, 1, 2]) for t in tries}
    for t in tries:
        version = max(0, t.step - 1 - lag[t.group])
        t.extra = {
            "weight_versions": [version],
            "policy_version": version,
            "trainer_version": t.step - 1,
            "max_off_policy": 2,
        }
    return layouts.slime(assess(rng, tries, grpo))
