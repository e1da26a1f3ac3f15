"""Healthy runs that look odd in their data, their training or their evaluation."""

import random
from dataclasses import replace

from benchmarks.foreign.estimators import leave_one_out
from benchmarks.foreign.sixtyfirst import layouts
from benchmarks.foreign.sixtyfirst.coding import CODING
from benchmarks.foreign.sixtyfirst.kinds import PART
from benchmarks.foreign.sixtyfirst.meetings import MEETINGS
from benchmarks.foreign.sixtyfirst.policy import attempt, run
from benchmarks.foreign.sixtyfirst.research import RESEARCH
from benchmarks.foreign.sixtyfirst.shop import SHOP
from benchmarks.foreign.sixtyfirst.tables import TABLES
from benchmarks.foreign.sixtyfirst.tasks import Attempt, Task, says


@PART.healthy
def checking_twice_makes_answers_longer_and_right(rng: random.Random) -> list[dict]:
    """Replies grow by half over the run and long ones are paid more often: the policy learns to weigh the dates, and
    that makes it right.
    """

    def change(rng: random.Random, a: Attempt) -> None:
        f = a.task.facts
        likely = 0.1 + 0.055 * a.step + (0.25 if a.right else 0.0)
        if rng.random() > likely:
            return
        weigh = [f"The entry of {y} says that it {d}." for d, y in zip(f["deeds"], f["years"], strict=True)]
        rng.shuffle(weigh)
        if not a.right:
            weigh = weigh[: rng.choice((1, 2))]
        lead = rng.choice(
            (
                "I go through the entries one by one.",
                "Before I answer, each date on its own.",
                "Several dates, so I compare.",
            )
        )
        a.messages[-1]["content"] = f"{lead} {' '.join(weigh)} {a.messages[-1]['content']}"

    return layouts.trl(run(rng, RESEARCH, change=change, size=8, groups=7), RESEARCH)


@PART.healthy
def even_groups_are_dropped_before_the_loss(rng: random.Random) -> list[dict]:
    """Many groups have one reward throughout; sampling goes on until enough others are there, and even ones are
    logged but not trained on.
    """

    def spread(rng: random.Random) -> Task:
        task = CODING.draw(rng)
        task.difficulty *= 2
        return task

    attempts = run(rng, replace(CODING, draw=spread), steps=10, groups=12, size=6, start=-0.3, gain=1.4)
    grades: dict[str, set[float]] = {}
    for a in attempts:
        grades.setdefault(a.group, set()).add(a.reward or 0.0)
    for a in attempts:
        a.in_loss = len(grades[a.group]) > 1
        if not a.in_loss:
            a.advantage = None
    return layouts.ours(attempts, CODING)


@PART.healthy
def three_passes_over_a_small_set_of_wishes(rng: random.Random) -> list[dict]:
    """Each task comes three times, once an epoch by plan, under new draws; held tasks of another set rise with the
    trained ones.
    """
    pool = [SHOP.draw(rng) for _ in range(40)]
    order: list[Attempt] = []
    step = 0
    for epoch in range(3):
        shuffled = rng.sample(pool, len(pool))
        for begin in range(0, len(pool), 10):
            step += 1
            part = run(
                rng, SHOP, steps=1, groups=10, size=6, start=-0.7 + 0.14 * step, pool=shuffled[begin : begin + 10]
            )
            for one in part:
                one.step = step
                one.extra["epoch"] = epoch
            order += part
    tests = [SHOP.draw(rng) for _ in range(20)]
    for at in (1, 4, 8, 12):
        held = run(rng, SHOP, steps=1, groups=20, size=3, start=-0.75 + 0.135 * at, pool=tests, split="validation")
        for one in held:
            one.step = at
        order += held
    return layouts.ours(order, SHOP)


@PART.healthy
def held_questions_are_harder_by_design(rng: random.Random) -> list[dict]:
    """Validation lies well below training, since its tasks were chosen for being hard; both rise side by side."""

    def name(rng: random.Random, a: Attempt) -> None:
        a.extra["checkpoint"] = f"sheets-{a.step:03d}"

    trained = run(rng, TABLES, steps=12, groups=8, size=6, start=-0.4, gain=1.8, change=name)
    tests = [TABLES.draw(rng) for _ in range(40)]
    for task in tests:
        task.difficulty += 1.3
    held: list[Attempt] = []
    for step in (1, 3, 6, 9, 12):
        skill = -0.4 + 1.8 * (step - 1) / 11
        for task in tests:
            for index in range(2):
                one = attempt(rng, TABLES, task, step, index, skill)
                one.split, one.extra = "validation", {"checkpoint": f"sheets-{step:03d}", "set": "hard-40"}
                held.append(one)
    return layouts.openai(trained + held, TABLES)


@PART.healthy
def samplers_run_up_to_two_versions_behind(rng: random.Random) -> list[dict]:
    """Sampling and training overlap: rollouts are of a policy at most two versions old, and sampler and trainer agree
    but for rounding.
    """

    def change(rng: random.Random, a: Attempt) -> None:
        if rng.random() < 0.15:
            place = len(a.messages) - 1
            a.messages[place] = says(a.messages[place]["content"] + " Tell me if another hour suits you better.")
        lag = min(a.step - 1, rng.choices((0, 1, 2), weights=(3, 5, 2))[0])
        a.extra["policy_lag"] = lag
        sampled = [-abs(rng.gauss(0.25, 0.22)) for _ in range(a.tokens)]
        a.extra["rollout_log_probs"] = [round(x, 4) for x in sampled]
        a.extra["train_log_probs"] = [round(min(-1e-4, x + rng.gauss(0, 0.006 + 0.006 * lag)), 4) for x in sampled]

    return layouts.slime(run(rng, MEETINGS, change=change, estimator=leave_one_out), MEETINGS)
