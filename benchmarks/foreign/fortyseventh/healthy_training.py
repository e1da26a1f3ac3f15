"""Healthy runs whose rewards, advantages, lengths or columns of training look odd."""

import math
import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fortyseventh.credit import by_group, fill, terms, whole_batch
from benchmarks.foreign.fortyseventh.documents import Invoices
from benchmarks.foreign.fortyseventh.kinds import PART
from benchmarks.foreign.fortyseventh.layouts import ours, slime, verl
from benchmarks.foreign.fortyseventh.numbers import Numbers, checks
from benchmarks.foreign.fortyseventh.policy import Attempt, Plan, play, pool_of, ramp
from benchmarks.foreign.fortyseventh.repos import Repo
from benchmarks.foreign.fortyseventh.tables import Queries, Rosters

SOFT, HARD = 80, 160
"""Tokens from which the declared penalty of long replies begins, and at which it is one half."""


@PART.healthy
def hard_exercises_are_thought_about_longer(rng: random.Random) -> list[Row]:
    """Replies double in length along the run as the score rises; within a problem, long ones earn no more."""
    steps = 13
    problems = pool_of(rng, Numbers(("en",)), 70, 1.0)
    attempts = play(rng, Numbers(("en",)), Plan(steps=steps, groups=8, size=8, start=-0.6, gain=2.0), problems)
    for a in attempts:
        more = round(ramp(a.step, steps, 0.2, 3.0) + 0.8 * a.problem.difficulty + rng.gauss(0, 0.8))
        if more > 0:
            reason, answer = a.text.rsplit("\n", 1)
            a.text = f"{reason} {checks(rng, a.problem, min(more, 6))}\n{answer}"
    return slime(fill(attempts))


@PART.healthy
def even_groups_are_left_out_by_dynamic_sampling(rng: random.Random) -> list[Row]:
    """A growing share of rows has `in_loss` false: DAPO drops groups with one reward throughout, and nothing else."""
    attempts = fill(play(rng, Rosters(), Plan(steps=13, groups=10, size=8, pool=90, start=-0.8, gain=2.6, spread=1.5)))
    for members in by_group(attempts).values():
        for a in members:
            a.in_loss = len({m.reward for m in members}) > 1
    return ours(attempts, "planning")


@PART.healthy
def declared_penalty_shaves_long_right_answers(rng: random.Random) -> list[Row]:
    """Right answers get less than 1 where they are long: DAPO's soft penalty, which the rows declare as `overlong`."""
    attempts = play(rng, Numbers(("en",), "box"), Plan(steps=12, groups=8, size=8, pool=80, start=-0.5, gain=2.0))
    for a in attempts:
        more = max(0, round(rng.gauss(2.2 - 0.08 * a.step, 1.3)))
        if more:
            reason, answer = a.text.rsplit("\n", 1)
            a.text = f"{reason} {checks(rng, a.problem, more)}\n{answer}"

    def graded(a: Attempt) -> dict[str, float]:
        over = min(1.0, max(0.0, (a.tokens - SOFT) / (HARD - SOFT)))
        return {"acc": float(a.right), "overlong": -0.5 * over}

    terms(attempts, graded)
    for a in attempts:
        a.extra = {"uid": a.group, "response_tokens": a.tokens}
    return verl(attempts, overlong_from=SOFT, overlong_to=HARD)


@PART.healthy
def sampler_is_one_version_behind_by_design(rng: random.Random) -> list[Row]:
    """Every row is of the weights before the present ones: the pipeline overlaps one step, and the lag never grows."""
    attempts = play(rng, Queries(), Plan(steps=13, groups=8, size=8, pool=90, start=-0.7, gain=2.1))
    for a in attempts:
        behind = max(0, a.step - 1)
        a.extra = {"weight_version": behind, "trainer_version": a.step, "policy_lag": a.step - behind}
    return slime(fill(attempts))


@PART.healthy
def batch_baseline_moves_even_groups_too(rng: random.Random) -> list[Row]:
    """Groups with one reward throughout have advantages: REINFORCE++ centres and scales over the batch."""
    attempts = play(rng, Invoices(), Plan(steps=12, groups=10, size=6, pool=90, start=-0.6, gain=2.0, spread=1.3))
    for a in attempts:
        a.extra = {"advantage_estimator": "reinforce_plus_plus"}
    return ours(fill(attempts, whole_batch), "documents")


@PART.healthy
def warmup_and_cosine_leave_the_ends_flat(rng: random.Random) -> list[Row]:
    """The score hardly moves at first and at last: the learning rate is warmed up, and ends near nought."""
    steps, warm, top = 18, 4, 2e-6
    rates = [
        top * step / warm
        if step < warm
        else top * (0.02 + 0.49 * (1 + math.cos(math.pi * (step - warm) / (steps - warm))))
        for step in range(steps)
    ]
    gained = [sum(rates[:step]) / sum(rates) for step in range(steps)]
    world = Numbers(("de",))
    problems = pool_of(rng, world, 80, 0.9)
    attempts = play(rng, world, Plan(steps=steps, groups=7, size=8), problems, lambda step: -0.9 + 2.3 * gained[step])
    norms = [round(0.3 + rng.random() * 0.2, 3) for _ in range(steps)]
    for a in attempts:
        a.extra = {"learning_rate": rates[a.step], "grad_norm": norms[a.step]}
    return ours(fill(attempts), "math")


@PART.healthy
def maintenance_hour_is_left_out_of_the_loss(rng: random.Random) -> list[Row]:
    """In two steps a third of the attempts ended in a sandbox error: they have no reward, no advantage, and no loss."""
    attempts = play(rng, Repo(), Plan(steps=12, groups=6, size=8, pool=36, start=-0.5, gain=2.0))
    for a in attempts:
        if a.step in (5, 6) and rng.random() < 0.33:
            kept = rng.randint(1, 2)
            a.messages = a.messages[: 2 * kept]
            a.error, a.stop, a.reward, a.right, a.in_loss = "SandboxUnavailable", "error", None, False, False
    return ours(fill(attempts), "swe")
