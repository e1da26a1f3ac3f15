"""Kinds about advantages and batches: other baselines than the mean of the group, and groups of other shapes."""

from dataclasses import replace
from random import Random

import numpy as np

from benchmarks.foreign import estimators
from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyseventh import layouts
from benchmarks.foreign.thirtyseventh.attempts import by_group, estimate, group_of, pay, run, skill
from benchmarks.foreign.thirtyseventh.kinds import PART
from benchmarks.foreign.thirtyseventh.sums import boxed, sums


@PART.healthy
def running_mean_is_the_baseline_of_lone_attempts(rng: Random) -> list[Row]:
    """Each problem has one attempt, and advantages are not centred in the step: the baseline is a running mean."""
    tries, mean = run(rng, boxed(sums(rng, 24 * 24)), 24, 24, 1, 0.3, 0.75), 0.5
    for step in range(24):
        rows = [one for one in tries if one.step == step]
        for one in rows:
            one.advantage = round(one.right - mean, 6)
            one.extra = {"baseline": round(mean, 6), "baseline_decay": 0.9}
        mean = 0.9 * mean + 0.1 * sum(one.right for one in rows) / len(rows)
    return layouts.own(tries, "math", "reinforce")


@PART.healthy
def greedy_sibling_is_the_baseline(rng: Random) -> list[Row]:
    """ReMax: advantages of a group do not sum to zero, as what is taken off is the reward of a greedy reply beside."""
    items, tries = sums(rng, 26 * 8), []
    for place, item in enumerate(items):
        step = place // 8
        chance = skill(step, 26, 0.3, 0.7, item.level)
        group = group_of(rng, item, step, place, 4, chance, extra={"decoding": "sampled"})
        greedy = group_of(rng, item, step, place, 1, min(0.97, chance + 0.05), extra={"decoding": "greedy"})[0]
        greedy.attempt, greedy.in_loss = 4, False
        for one in group:
            one.advantage = one.right - greedy.right
        tries += [*group, greedy]
    return layouts.own(tries, "math", "remax")


@PART.healthy
def quantile_gives_only_the_unusual_an_advantage(rng: Random) -> list[Row]:
    """The baseline is a quantile: hard groups gain by wins, easy ones lose by failures."""
    tries = run(rng, sums(rng, 22 * 7), 22, 7, 6, 0.35, 0.75)
    for group in by_group(tries):
        rewards = np.array([one.right for one in group])
        base = float(np.quantile(rewards, 0.4, method="lower"))
        for one in group:
            one.advantage = round(one.right - base, 6)
            one.extra = {"baseline_quantile": 0.4}
    return layouts.trl(tries)


@PART.healthy
def wins_weigh_a_tenth_of_losses(rng: Random) -> list[Row]:
    """Advantages are 0.1 for right and -1 for wrong ones, whatever the group: it learns from losses."""
    tries = pay(run(rng, boxed(sums(rng, 25 * 8)), 25, 8, 4, 0.35, 0.78), outcome=lambda one: 2 * one.right - 1)
    for one in tries:
        one.advantage = 0.1 if one.right else -1.0
        one.extra = {"positive_weight": 0.1, "negative_weight": 1.0}
    return layouts.own(tries, "math", "weighted-reinforce")


@PART.healthy
def surplus_groups_of_the_last_round_are_dropped(rng: Random) -> list[Row]:
    """Groups with spread miss the loss: six are wanted."""
    fresh, tries = iter(sums(rng, 700)), []
    for step in range(22):
        kept = place = 0
        while kept < 6:
            for _ in range(4):
                item = next(fresh)
                chance = skill(step, 22, 0.35, 0.7, item.level)
                group = group_of(rng, item, step, place, 4, chance)
                mixed = 0 < sum(one.right for one in group) < 4
                for one in group:
                    one.in_loss = mixed and kept < 6
                    fate = "uniform" if not mixed else "trained" if one.in_loss else "surplus"
                    one.extra = {"sampling_round": place // 4, "fate": fate, "train_groups": 6}
                kept += mixed
                place += 1
                tries += group
    return layouts.own(estimate(tries), "math", "dapo")


@PART.healthy
def divergence_is_taken_off_the_mark_before_the_baseline(rng: Random) -> list[Row]:
    """Equally right replies have other advantages: the reward holds each reply's KL."""
    tries = run(rng, sums(rng, 24 * 8), 24, 8, 4, 0.3, 0.72)
    for one in tries:
        kl = max(0.0, rng.gauss(0.02 + 0.0016 * one.step, 0.012))
        one.extra = {"kl": round(kl, 4), "kl_sum": round(kl * one.tokens, 4), "kl_coefficient": 0.03}
    pay(tries, accuracy=lambda one: one.right, kl_penalty=lambda one: -0.03 * one.extra["kl_sum"])
    return layouts.own(estimate(tries, estimators.leave_one_out), "math", "rloo-kl")


@PART.healthy
def groups_shrink_from_sixteen_to_four_by_schedule(rng: Random) -> list[Row]:
    """Attempts a problem fall from 16 to 4: the schedule explores at first, and takes more problems later instead."""
    fresh, tries = iter(sums(rng, 400)), []
    for step in range(24):
        size = 16 if step < 8 else 8 if step < 16 else 4
        for place in range(48 // size):
            item = next(fresh)
            tries += group_of(rng, item, step, place, size, skill(step, 24, 0.3, 0.72, item.level))
    return layouts.trl(estimate(tries))


@PART.healthy
def branches_share_their_first_half(rng: Random) -> list[Row]:
    """Replies of a group are the same word by word up to the middle: a tree is sampled, and its branches compared."""
    tries = []
    for place, item in enumerate(sums(rng, 24 * 8, kinds=("ferry", "orchard", "archive"))):
        step, one = place // 8, item.data["sum"]
        trunk = rng.choice(("We take the quantities in the order of the story.", "Let me set up the count."))
        first, _ = one.chain(rng, True)
        trunk += " " + first[0]

        def reply(rng: Random, right: bool, one=one, trunk: str = trunk) -> tuple[str, str]:  # noqa: ANN001
            while True:
                lines, value = one.chain(rng, right)
                if right or (value != one.gold and _first_value(one) in lines[0].replace(".", " ").split()):
                    break
            return f"{trunk} {' '.join(lines[1:])} The answer is {value}.", str(value)

        branching = replace(item, reply=reply)
        chance = skill(step, 24, 0.35, 0.75, item.level)
        tries += group_of(rng, branching, step, place, 5, chance, extra={"branch_at": len(trunk) // 4, "tree": place})
    return layouts.own(estimate(tries, estimators.centred), "math", "tree")


def _first_value(one) -> str:  # noqa: ANN001
    sign, name, _ = one.moves[0]
    return str(one.values["x"] + one.values[name] if sign == "+" else one.values["x"] * one.values[name])
