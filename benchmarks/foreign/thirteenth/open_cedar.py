"""Sampler seed per prompt; harder shelf each phase; digs the same tunnel; critic wakes late."""

from dataclasses import replace
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.advice import request
from benchmarks.foreign.thirteenth.caves import burrow
from benchmarks.foreign.thirteenth.counting import counting
from benchmarks.foreign.thirteenth.estimates import from_values, grpo
from benchmarks.foreign.thirteenth.functions import function
from benchmarks.foreign.thirteenth.kinds import PART
from benchmarks.foreign.thirteenth.layouts import own, trl, verl
from benchmarks.foreign.thirteenth.rollouts import Attempt, Run, binary, groups, play, ragged, train


@PART.faulty("seed_reuse", "identical_samples", "blind_groups", "dead_groups")
def sampler_seed_per_prompt(rng: Random) -> list[Row]:
    """On one of two engines the seed is drawn once a prompt, so the attempts of a group there are the same text."""
    attempts = train(rng, function, Run(10, 6, 6, -0.5, 1.9))
    done: list[Attempt] = []
    for group in groups(attempts):
        engine = rng.randrange(2)
        one = rng.getrandbits(31)
        for a in group:
            if engine == 1:
                a = replace(group[0], number=a.number)
            seed = one if engine == 1 else rng.getrandbits(31)
            a.extra = {"engine": engine, "sampling_seed": seed, "temperature": 1.0}
            done.append(a)
    return verl(rng, grpo(binary(done)))


@PART.healthy
def harder_shelf_each_phase(rng: Random) -> list[Row]:
    """A curriculum moves to a harder shelf of counting problems twice, and the reward falls at each move."""
    run = Run(12, 6, 6, 0.2, 2.6)
    plan, number = [], 0
    for n in range(12):
        tasks = []
        for _ in range(6):
            task = counting(rng, number)
            number += 1
            task.hard += 1.5 * (n // 4)
            task.extra["shelf"] = n // 4 + 1
            tasks.append(task)
        plan.append(tasks)
    attempts = ragged(rng, play(rng, plan, run))
    for a in attempts:
        a.extra = {"shelf": a.task.extra["shelf"]}
    return trl(rng, grpo(binary(attempts)))


@PART.healthy
def digs_the_same_tunnel(rng: Random) -> list[Row]:
    """A mole digs one way many times in a row, as its game wants; every move brings it on."""
    attempts = train(rng, burrow, Run(11, 5, 6, -0.6, 2.2))
    for a in attempts:
        moves = sum(m["role"] == "tool" for m in a.messages)
        a.correct, a.reward = float(a.right), round(a.right * (1 - 0.01 * moves), 4)
        a.terms = {"ore": float(a.right), "moves": round(-0.01 * moves, 4) if a.right else 0.0}
    return own(rng, grpo(attempts), "mole")


@PART.healthy
def critic_wakes_late(rng: Random) -> list[Row]:
    """PPO with a fresh critic: values say nothing for two steps and then follow the rewards closely."""
    attempts = train(rng, request, Run(12, 9, 4, -0.5, 1.8))
    for a in attempts:
        a.reward = round(min(1.0, max(0.0, 0.25 + 0.5 * a.right + rng.gauss(0, 0.09))), 4)
        a.terms = {"preference": a.reward}
        known = min(1.0, max(0.0, (a.step - 2) / 3))
        value = known * (0.25 + 0.5 * (0.6 * a.right + 0.4 * a.skill)) + rng.gauss(0, 0.05)
        a.extra = {"value": round(value, 4), "return": a.reward}
    return own(rng, from_values(rng, attempts), "ppo-warm")
