"""Healthy runs in which the optimiser, the schedule or the bookkeeping does what looks odd."""

import math
import random

import numpy as np

from benchmarks.foreign import estimators
from benchmarks.foreign.thirtyeighth import layouts
from benchmarks.foreign.thirtyeighth.advantages import weigh, weighed
from benchmarks.foreign.thirtyeighth.core import Attempt, Plan, Task, pool, run, sample_group
from benchmarks.foreign.thirtyeighth.kinds import PART
from benchmarks.foreign.thirtyeighth.layouts import Row
from benchmarks.foreign.thirtyeighth.world_data import (
    search_play,
    search_task,
    sheet_play,
    sheet_task,
    sql_play,
    sql_task,
)
from benchmarks.foreign.thirtyeighth.world_games import simulator_play, simulator_task
from benchmarks.foreign.thirtyeighth.world_repository import repository_play, repository_task
from benchmarks.foreign.thirtyeighth.world_service import (
    browser_play,
    browser_task,
    calendar_play,
    calendar_task,
    desk_play,
    desk_task,
)


@PART.healthy
def learning_rate_is_zero_at_both_ends(rng: random.Random) -> list[Row]:
    """A warm-up from zero and a cosine back to it: the first and the last step hardly move the weights, by design."""
    plan = Plan(steps=24, size=6)
    rows = []
    for a in weighed(rng, run(rng, pool(rng, sheet_task, 60), sheet_play, plan), estimators.grpo):
        k = a.step - 1
        rate = 1e-6 * k / 4 if k < 4 else 1e-6 * 0.5 * (1 + math.cos(math.pi * (k - 4) / 19))
        rows.append(layouts.evidence(a, "spreadsheet", learning_rate=round(rate, 12)))
    return rows


@PART.healthy
def uniform_groups_are_dropped_and_others_drawn(rng: random.Random) -> list[Row]:
    """Dynamic sampling: groups of one outcome are written with `in_loss` false; more are drawn until five remain."""
    tasks, plan = pool(rng, sql_task, 120), Plan(steps=16, end=1.5)
    rows, waiting = [], []
    for step in range(1, 17):
        kept, batch = 0, []
        if len(waiting) < 30:
            waiting = rng.sample(tasks, len(tasks))
        while kept < 5 and waiting:
            group = sample_group(rng, waiting.pop(), sql_play, 8, plan.skill(step))
            mixed = len({a.reward for a in group}) > 1
            kept += mixed
            for a in group:
                a.step, a.group, a.in_loss = step, f"s{step}-{a.task.id}", mixed
            batch += group
        rows += [layouts.evidence(a, "database") for a in weigh(rng, batch, estimators.grpo)]
    return rows


@PART.healthy
def critic_judges_single_attempts(rng: random.Random) -> list[Row]:
    """PPO with one attempt a prompt: no groups, and advantages follow a critic that becomes better at its guesses."""
    rows = []
    for batch in run(rng, pool(rng, browser_task, 400), browser_play, Plan(steps=20, per_step=32, size=1, end=1.4)):
        trust = min(0.8, 0.1 + 0.04 * batch[0].step)
        rewards = [a.reward for a in batch if a.reward is not None]
        mean = float(np.mean(rewards))
        values = [round(mean + trust * (0.5 - a.task.hardness * 0.2 - mean) + rng.gauss(0, 0.12), 4) for a in batch]
        raw = np.array(rewards) - np.array(values)
        white = (raw - raw.mean()) / (raw.std() + 1e-8)
        for a, value, advantage in zip(batch, values, white, strict=True):
            a.advantage = round(float(advantage), 6)
            rows.append(layouts.openrlhf(a, step=a.step, value=value, advantage=a.advantage))
    return rows


@PART.healthy
def weights_one_or_two_versions_behind(rng: random.Random) -> list[Row]:
    """Asynchronous sampling: rows lag by one or two updates, come in no order, and their ratios are corrected."""
    steps = run(rng, pool(rng, calendar_task, 60), calendar_play, Plan())
    rows = []
    for a in weighed(rng, steps, estimators.centred):
        lag = min(a.step - 1, rng.choice((1, 1, 1, 2)))
        rows.append(
            layouts.prime_rl(a, "calendar", policy_lag=lag, is_ratio=round(rng.gauss(1, 0.01 + 0.008 * lag), 4))
        )
    per_step = 40
    return [row for i in range(0, len(rows), per_step) for row in layouts.shuffled(rng, rows[i : i + per_step])]


@PART.healthy
def soft_penalty_for_overlong_answers(rng: random.Random) -> list[Row]:
    """Beyond a soft limit each token costs: right answers earn between a half and one, and shorter ones more."""

    def graded(rng: random.Random, a: Attempt) -> None:
        over = max(0, a.tokens - 88)
        a.terms = {"accuracy": float(a.right), "overlong": round(-min(0.5, over / 45), 4)}
        a.reward = round(sum(a.terms.values()), 6)

    steps = run(rng, pool(rng, search_task, 60), search_play, Plan(end=1.3), graded)
    return [layouts.trl(a) for a in weighed(rng, steps, estimators.grpo)]


def _cut(a: Attempt, limit: int) -> None:
    """End an attempt at its limit of turns; unfinished work earns nothing."""
    if a.turns <= limit:
        return
    talk, turns = [], 0
    for m in a.talk:
        turns += m["role"] == "assistant"
        if turns > limit:
            break
        talk.append(m)
    a.talk, a.right, a.reward, a.stop, a.answer = talk, 0.0, 0.0, "max_turns", ""
    a.terms = {"outcome": 0.0}
    a.seconds = round(a.seconds * limit / (limit + 3), 2)


@PART.healthy
def more_turns_allowed_from_the_middle_on(rng: random.Random) -> list[Row]:
    """The limit of turns goes from 14 to 20 at step 10, as planned: cuts vanish, attempts and scores jump up."""
    plan = Plan(steps=20, start=0.0, end=1.4)
    steps = run(rng, pool(rng, simulator_task, 60), simulator_play, plan)
    for batch in steps:
        for a in batch:
            limit = 14 if a.step < 10 else 20
            _cut(a, limit)
            a.extra = {"turn_limit": limit}
    return [layouts.evidence(a, "simulator") for a in weighed(rng, steps, estimators.grpo)]


@PART.healthy
def divergence_settles_under_an_adaptive_coefficient(rng: random.Random) -> list[Row]:
    """KL to the reference rises from nought to its target; the coefficient gives way meanwhile, until both stay."""
    rows, coefficient = [], 0.01
    for batch in run(rng, pool(rng, desk_task, 60), desk_play, Plan(steps=24, start=0.0, end=1.8)):
        kl = 0.051 * (1 - math.exp(-batch[0].step / 6)) * rng.uniform(0.93, 1.07)
        coefficient *= 1 + 0.1 * max(-1.0, min(1.0, kl / 0.05 - 1)) / 2
        more = {"kl": round(kl, 5), "kl_coefficient": round(coefficient, 5)}
        rows += [layouts.evidence(a, "customer service", **more) for a in weigh(rng, batch, estimators.leave_one_out)]
    return rows


@PART.healthy
def resumed_two_steps_back(rng: random.Random) -> list[Row]:
    """The machine was lost at step 11; the run went on from the checkpoint after 8, so 9 and 10 are logged twice."""
    tasks = pool(rng, repository_task, 60)
    plan = Plan(steps=16, per_step=5, size=6)
    steps = run(rng, tasks, repository_play, plan)
    used = {a.task.id for batch in steps[8:10] for a in batch}
    again = run(
        rng, [t for t in tasks if t.id not in used], repository_play, Plan(2, 5, 6, plan.skill(9), plan.skill(10), 9)
    )
    for a in (a for batch in again for a in batch):
        a.group = f"resumed-{a.group}"
    order = steps[:10] + again + steps[10:]
    rows = []
    for n, batch in enumerate(order):
        job = "job-a" if n < 10 else "job-b"
        rows += [layouts.evidence(a, "swe", version=job) for a in weigh(rng, batch, estimators.grpo)]
    return rows


def _kindly(rng: random.Random, task: Task, right: bool) -> Attempt:
    """At first the policy gives everybody the money back; only rules teach it to decline."""
    if task.data["accepted"]:
        return desk_play(rng, task, rng.random() < 0.93)
    return desk_play(rng, task, right)


@PART.healthy
def declines_become_more_as_rules_are_learnt(rng: random.Random) -> list[Row]:
    """The shop's rules forbid half of the returns; the policy learns to say no, and the score rises with the noes."""
    steps = run(rng, pool(rng, desk_task, 70), _kindly, Plan(steps=20, start=-1.8, end=1.6))
    return [layouts.verl(a, decision=a.answer) for a in weighed(rng, steps, estimators.grpo)]
