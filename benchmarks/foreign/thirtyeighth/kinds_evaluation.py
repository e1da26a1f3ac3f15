"""Healthy evaluations, alone and beside training."""

import random
from functools import partial

from benchmarks.foreign import estimators
from benchmarks.foreign.thirtyeighth import layouts
from benchmarks.foreign.thirtyeighth.advantages import weighed
from benchmarks.foreign.thirtyeighth.core import Attempt, Plan, Task, evaluate, pool, run
from benchmarks.foreign.thirtyeighth.kinds import PART
from benchmarks.foreign.thirtyeighth.layouts import Row
from benchmarks.foreign.thirtyeighth.world_data import sql_play, sql_task
from benchmarks.foreign.thirtyeighth.world_games import blocks_play, blocks_task, simulator_play, simulator_task
from benchmarks.foreign.thirtyeighth.world_proof import contest_play, contest_task
from benchmarks.foreign.thirtyeighth.world_service import calendar_play, calendar_task
from benchmarks.foreign.thirtyeighth.world_text import flag_play, flag_task


@PART.healthy
def leaderboard_of_one_epoch(rng: random.Random) -> list[Row]:
    """A log of one sample a problem and no training: no groups, no steps, a third solved, and nothing to learn from."""
    rows = evaluate(rng, pool(rng, flag_task, 320), flag_play, rng.uniform(-0.9, -0.4), 1)
    return [layouts.inspect(a, "includes") for a in rows]


@PART.healthy
def sixteen_attempts_of_a_fixed_model(rng: random.Random) -> list[Row]:
    """Pass at 16 of a released model: many problems are always solved, some never, and no step follows another."""
    tasks = pool(rng, contest_task, 50)
    for task in tasks:
        task.hardness *= 1.8
    rows = evaluate(rng, tasks, contest_play, 0.6, 16)
    return [layouts.verifiers(a, "contest-judge", rollout=a.place) for a in rows]


def _with_held(
    rng: random.Random, train: list[list[Attempt]], held: list[Task], play, plan: Plan, lead: float, every: int
) -> list[Attempt]:
    """Put an evaluation of some held problems after every few steps of a weighed run."""
    out = weighed(rng, train, estimators.grpo)
    for step in range(plan.first, plan.first + plan.steps, every):
        out += evaluate(rng, held, play, plan.skill(step) + lead, 1, step)
    return sorted(out, key=lambda a: a.step)


@PART.healthy
def held_out_days_are_easier_than_the_trained(rng: random.Random) -> list[Row]:
    """Training keeps the hard days only, by a filter; the held ones were drawn from all: scores are higher there."""
    plan = Plan(steps=20, per_step=4, start=-1.1, end=0.5)
    tasks = pool(rng, calendar_task, 90)
    train, held = tasks[:50], tasks[50:]
    rows = _with_held(rng, run(rng, train, calendar_play, plan), held, calendar_play, plan, 1.3, 3)
    return [layouts.evidence(a, "calendar") for a in rows]


def _greedy(play):
    def said_again(rng: random.Random, task: Task, right: bool) -> Attempt:
        return play(random.Random(f"{task.id} {right} {task.data['id']}"), task, right)

    return said_again


@PART.healthy
def greedy_evaluation_says_the_same_again(rng: random.Random) -> list[Row]:
    """Evaluations are decoded greedily: where the policy did not change its mind, texts repeat word by word."""
    plan = Plan(steps=18, per_step=5, size=6)
    tasks = pool(rng, sql_task, 85)
    rows = _with_held(rng, run(rng, tasks[:55], sql_play, plan), tasks[55:], _greedy(sql_play), plan, 0.0, 3)
    for a in rows:
        a.extra = {"decoding": "greedy" if a.split == "validation" else "sampled"}
    return [layouts.evidence(a, "database") for a in rows]


@PART.healthy
def held_out_prompts_share_the_template(rng: random.Random) -> list[Row]:
    """Tables of blocks come from one generator: held prompts look like trained ones, with other towers to build."""
    plan = Plan(steps=20, per_step=4)
    tasks = pool(rng, blocks_task, 110)
    rows = _with_held(rng, run(rng, tasks[:70], blocks_play, plan), tasks[70:], blocks_play, plan, -0.15, 4)
    return [layouts.evidence(a, "planning") for a in rows]


@PART.healthy
def dozen_held_problems_jump_about(rng: random.Random) -> list[Row]:
    """An evaluation of twelve problems a step moves by a quarter between steps, by chance; its trend is upwards."""
    plan = Plan(steps=18, per_step=3, size=8)
    tasks = pool(rng, simulator_task, 62)
    rows = _with_held(rng, run(rng, tasks[:50], simulator_play, plan), tasks[50:], simulator_play, plan, 0.0, 1)
    return [layouts.openai(a, split=a.split) for a in rows]


@PART.healthy
def unseen_rounds_are_harder_from_the_start(rng: random.Random) -> list[Row]:
    """Held problems are of the next division: well below training from the first step, and growing beside it."""
    plan = Plan(steps=20, per_step=5, size=6, start=-0.4, end=1.3)
    tasks = pool(rng, contest_task, 95)
    play = partial(contest_play, slow=0.6)
    rows = _with_held(rng, run(rng, tasks[:60], play, plan), tasks[60:], play, plan, -1.1, 4)
    for a in rows:
        a.extra = {**a.extra, "family": "division-1" if a.split == "validation" else "division-2"}
    return [layouts.evidence(a, "code") for a in rows]
