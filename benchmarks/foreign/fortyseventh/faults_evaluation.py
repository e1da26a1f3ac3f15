"""Faults of evaluation."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.fortyseventh.credit import fill
from benchmarks.foreign.fortyseventh.kinds import PART
from benchmarks.foreign.fortyseventh.layouts import ours
from benchmarks.foreign.fortyseventh.numbers import Numbers
from benchmarks.foreign.fortyseventh.policy import Attempt, Plan, Problem, World, group_of, hash_of, play, pool_of
from benchmarks.foreign.fortyseventh.tables import Rosters


def held(
    rng: random.Random, world: World, problems: list[Problem], step: int, size: int, level: float
) -> list[Attempt]:
    """Attempts at held problems, which no training consumes."""
    attempts = []
    for problem in problems:
        for a in group_of(rng, world, problem, step, size, level, "val"):
            a.split, a.in_loss = "validation", False
            attempts.append(a)
    return attempts


@PART.faulty("contamination", "memorisation")
def held_exercises_stand_in_the_training_set(rng: random.Random) -> list[Row]:
    """Half of the validation problems are training problems word for word under other ids, and solved far better."""
    world = Numbers(("en", "es"), "box")
    problems = pool_of(rng, world, 40, 0.7)
    attempts = fill(play(rng, world, Plan(steps=15, groups=8, size=6, start=-0.8, gain=3.0), problems))
    fresh = pool_of(rng, world, 12, 0.7, first=5000)
    copies = [
        Problem(f"held-{n:03d}", p.prompt, p.gold, p.family, p.system, p.difficulty, p.facts)
        for n, p in enumerate(rng.sample(problems, 12))
    ]
    for step in (4, 9, 14):
        gain = 3.0 * step / 14
        attempts += held(rng, world, copies, step, 4, -0.8 + gain)
        attempts += held(rng, world, fresh, step, 4, -0.9 + 0.25 * gain)
    return ours(attempts, "math")


@PART.faulty("stale_evaluation", "weights_never_arrive", "train_validation_gap")
def validation_server_keeps_the_first_weights(rng: random.Random) -> list[Row]:
    """Validation rows of all steps carry the policy of step 0 and stay at its score, while training climbs."""
    world, steps = Rosters(), 14
    attempts = fill(play(rng, world, Plan(steps=steps, groups=7, size=8, pool=80, start=-0.9, gain=3.2)))
    exam = pool_of(rng, world, 16, 0.8, first=7000)
    for step in range(0, steps, 3):
        attempts += held(rng, world, exam, step, 4, -0.9)
    rows = ours(attempts, "planning")
    salt = rng.random()
    for a, row in zip(attempts, rows, strict=True):
        row["policy_id"] = hash_of("weights", salt, a.step if a.split == "train" else 0)
        row["weight_version"] = a.step if a.split == "train" else 0
    return rows
