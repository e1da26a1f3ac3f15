"""Evaluations that mislead."""

import random
from dataclasses import replace

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo, leave_one_out
from benchmarks.foreign.thirtyninth import layouts
from benchmarks.foreign.thirtyninth.kinds import PART
from benchmarks.foreign.thirtyninth.numbers import PLACES, choices, numerics
from benchmarks.foreign.thirtyninth.policy import Problem, Try, by_group, chance, level_at, roll, settle, write
from benchmarks.foreign.thirtyninth.programs import codings


def _validate(rng: random.Random, problems: list[Problem], step: int, level: float, groups: int) -> list[Try]:
    """One attempt at each held problem."""
    return [
        Try(step, groups + n, 0, one, rng.random() < chance(level, one), split="validation")
        for n, one in enumerate(problems)
    ]


@PART.faulty("contamination", "memorisation", "duplicate_problems")
def held_problems_are_training_ones_in_another_town(rng: random.Random) -> list[Row]:
    """The held set was split off after augmentation: its problems are training problems, in another town or equal."""
    problems = numerics(rng, 80)
    held = []
    for n, one in enumerate(problems[:40]):
        text = one.prompt
        old = next(place for place in PLACES if place in text)
        if n % 3:
            text = text.replace(old, rng.choice([place for place in PLACES if place != old]))
        held.append(replace(one, pid=f"held-{n}", prompt=text))
    tries = roll(rng, problems, 15, 8, 6, -0.6, 2.4)
    for step in range(0, 15, 2):
        tries += _validate(rng, held, step, level_at(step, 15, -0.6, 2.3), 1000 + step * 50)
    write(rng, tries)
    settle(rng, tries, grpo)
    return layouts.own(tries, "math")


@PART.faulty("stale_evaluation", "train_validation_gap", "staleness", "metric_defect")
def evaluation_server_still_holds_the_base_model(rng: random.Random) -> list[Row]:
    """Validation asks a server that was never told of new weights: its score stands still while training rises."""
    tries = roll(rng, choices(rng, 90), 16, 6, 8, -0.8, 2.2)
    held = choices(rng, 40)
    for n, one in enumerate(held):
        one.pid = f"val-{one.family}-{n}"
    for step in range(0, 16, 2):
        tries += _validate(rng, held, step, -0.8, 1000 + step * 50)
    write(rng, tries)
    settle(rng, tries, leave_one_out)
    base = f"{rng.getrandbits(48):012x}"
    names = [base] + [f"{rng.getrandbits(48):012x}" for _ in range(15)]
    for one in tries:
        one.columns = {"policy_id": base if one.split == "validation" else names[one.step]}
    return layouts.own(tries, "science")


@PART.faulty("metric_defect", "reward_outcome_divergence")
def best_of_each_group_is_logged_as_accuracy(rng: random.Random) -> list[Row]:
    """`acc` is the best score of the group for every attempt: the curve shows pass@8 and calls it accuracy."""
    tries = roll(rng, codings(rng, 90, "go", "python"), 15, 8, 8, -1.4, -0.2)
    write(rng, tries)
    passes = {one.problem.pid: rng.randint(0, 4) for one in tries}
    for group in by_group(tries):
        best = max(one.reward for one in group if one.reward is not None)
        for one in group:
            one.correct = best
            one.columns = {"tests_passed": 6 if one.reward else passes[one.problem.pid], "tests_total": 6}
    return layouts.verl(tries)
