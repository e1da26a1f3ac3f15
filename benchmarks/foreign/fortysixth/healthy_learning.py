"""Healthy runs whose curves and columns look odd: lengths, levels, epochs, constant terms, KL, lags, held scores."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.fortysixth import choices, layouts, programs, sums
from benchmarks.foreign.fortysixth.kinds import PART
from benchmarks.foreign.fortysixth.policy import Problem, advise, group, roll, say


@PART.healthy
def solutions_lengthen_with_the_problems(rng: random.Random) -> list[Row]:
    """Replies double in length over the run, as in length gaming: the curriculum's problems take more steps.

    Within a group length and reward have nothing to do with one another.
    """
    pools = {n: sums.problems(rng, 24, (n, n), f"chain{n}") for n in range(2, 8)}

    def choose(step: int) -> list[Problem]:
        return rng.sample(pools[min(7, 2 + (step - 1) // 2)], 6)

    attempts = roll(rng, [], sums.solver(), steps=12, size=8, skills=(-0.9, 2.6), choose=choose)
    for a in attempts:
        a.terms = {"accuracy_reward": a.reward}
        a.extra = {"num_events": len(a.problem.data["chain"]), "completion_length": a.tokens}
    return layouts.rows(advise(rng, attempts, grpo), layouts.trl)


@PART.healthy
def score_falls_as_levels_are_unlocked(rng: random.Random) -> list[Row]:
    """The mean reward falls, as in a decline: harder levels are let in one by one, and each of them improves."""
    pools = [sums.problems(rng, 30, (n, n), f"level{i}") for i, n in enumerate((2, 4, 6, 7))]

    def choose(step: int) -> list[Problem]:
        top = min(3, (step - 1) // 4)
        return [p for i in range(8) for p in rng.sample(pools[top if i < 6 else rng.randint(0, top)], 1)]

    attempts = roll(rng, [], sums.solver(), steps=16, size=8, skills=(-0.3, 0.9), choose=choose)
    for a in attempts:
        a.extra = {"level": int(a.problem.id[5]), "unlocked": min(3, (a.step - 1) // 4)}
    return layouts.rows(attempts, layouts.verl)


@PART.healthy
def set_is_gone_through_three_times(rng: random.Random) -> list[Row]:
    """Every problem comes three times, as in repeated data: there are three declared epochs, each in a new order.

    Held problems improve along with the trained ones.
    """
    problems, held = sums.problems(rng, 36, (2, 5)), sums.problems(rng, 40, (2, 5), "held")
    attempts = roll(
        rng, problems, sums.solver("<answer>{m}</answer>"), steps=18, per_step=6, size=6, skills=(-0.8, 1.1)
    )
    advise(rng, attempts, centred)
    for epoch, skill in enumerate((-0.9, -0.1, 0.5, 0.9)):
        for p in held:
            attempts += group(rng, p, sums.solver("<answer>{m}</answer>"), 2, skill, max(1, 6 * epoch), "validation")
    for a in attempts:
        a.extra = {"epoch": (a.step - 1) // 6}
    return layouts.rows(attempts, layouts.own("math"))


@PART.healthy
def choices_are_answered_by_a_letter(rng: random.Random) -> list[Row]:
    """Samples of a group are mostly one and the same text: questions ask for a letter alone, and there are four."""
    attempts = []
    for p in choices.problems(rng, 90):
        attempts += group(rng, p, choices.pick, 5, 0.9, 0)
    return layouts.rows(attempts, layouts.inspect)


@PART.healthy
def format_is_learned_before_the_sums(rng: random.Random) -> list[Row]:
    """The format term is 1 in all rows from the sixth step on, as a dead term would be: it was learned first.

    Accuracy is read leniently from the last number, and goes on rising.
    """
    attempts = roll(rng, sums.problems(rng, 80, (2, 5)), sums.solver(), steps=14, per_step=6, size=8)
    for a in attempts:
        formatted = rng.random() < 0.5 + 0.11 * a.step
        if not formatted:
            a.turns = [say(a.reply.replace(f"\\boxed{{{a.answer}}}", a.answer))]
        a.terms = {"accuracy_reward": a.correct, "boxed_format_reward": float(formatted)}
        a.reward = sum(a.terms.values())
    return layouts.rows(advise(rng, attempts, grpo), layouts.trl)


@PART.healthy
def kl_climbs_to_a_low_plateau(rng: random.Random) -> list[Row]:
    """KL grows thirtyfold within eight steps, as in a drift: it begins at nothing and rests at five hundredths."""
    attempts = roll(rng, sums.problems(rng, 80, (2, 5)), sums.solver("#### {m}"), steps=15, per_step=6, size=8)
    for a in attempts:
        kl = 0.05 * (1 - 0.72 ** (a.step - 0.9)) * rng.uniform(0.75, 1.3)
        a.extra = {"kl": round(kl, 5), "kl_coef": 0.001, "response_length": a.tokens}
    return layouts.rows(attempts, layouts.verl)


@PART.healthy
def held_bench_is_harder_from_the_start(rng: random.Random) -> list[Row]:
    """Held scores are a third below those of training, as when a run overfits: the bench has longer problems.

    The gap stands at the first step already, and both rise.
    """
    attempts = roll(
        rng, sums.problems(rng, 100, (2, 4)), sums.solver(), steps=12, per_step=6, size=8, skills=(-0.6, 1.4)
    )
    advise(rng, attempts, leave_one_out)
    held = sums.problems(rng, 40, (5, 7), "bench")
    for step in (1, 4, 8, 12):
        for p in held:
            attempts += group(rng, p, sums.solver(), 2, -0.5 + 1.5 * (step - 1) / 11, step, "validation")
    for a in attempts:
        a.extra = {"num_events": len(a.problem.data["chain"])}
    return layouts.rows(attempts, layouts.own("math"))


@PART.healthy
def samples_lag_up_to_two_updates(rng: random.Random) -> list[Row]:
    """Samples are up to two versions old, as with weights that arrive late: sampling is asynchronous by design.

    The lag is bounded, every version arrives, and the score rises.
    """
    attempts = roll(rng, sums.problems(rng, 90, (2, 5)), sums.solver(), steps=14, per_step=6, size=8)
    for a in attempts:
        lag = min(a.step - 1, rng.choices((0, 1, 2), (2, 5, 3))[0])
        a.extra = {"weight_version": a.step - 1 - lag, "trainer_version": a.step - 1, "policy_lag": lag}
    return layouts.rows(advise(rng, attempts, grpo), layouts.slime)


@PART.healthy
def advantages_are_standardised_over_the_batch(rng: random.Random) -> list[Row]:
    """Groups that are right throughout have positive advantages: REINFORCE++ takes the whole batch as its baseline."""
    attempts = roll(rng, programs.problems(rng, 49), programs.submit, steps=12, per_step=12, size=4)
    advise(rng, attempts, whole_batch)
    for a in attempts:
        a.extra = {"advantage": a.advantage, "estimator": "reinforce++", "tests_passed": a.extra["tests_passed"]}
    return layouts.rows(attempts, layouts.openrlhf)


@PART.healthy
def even_groups_are_filtered_from_the_loss(rng: random.Random) -> list[Row]:
    """A quarter of the rows is not in the loss: dynamic sampling leaves out groups of one reward, and only these."""
    attempts = roll(rng, programs.problems(rng, 56), programs.submit, steps=12, per_step=12, size=5, skills=(-0.7, 1.5))
    advise(rng, attempts, grpo)
    rewards: dict[str, set[float]] = {}
    for a in attempts:
        rewards.setdefault(a.group, set()).add(a.reward)
    for a in attempts:
        a.in_loss = len(rewards[a.group]) > 1
    return layouts.rows(attempts, layouts.own("code"))


@PART.healthy
def overlong_solutions_lose_a_little(rng: random.Random) -> list[Row]:
    """Equally right rows differ in advantage: a declared term takes up to a half off replies over a soft limit."""
    limit, span = 95, 60
    attempts = roll(rng, sums.problems(rng, 80, (3, 6)), sums.solver(checks=5), steps=12, per_step=6, size=8)
    for a in attempts:
        over = -0.5 * min(1.0, max(0, a.tokens - limit) / span)
        a.terms = {"accuracy_reward": a.correct, "soft_overlong_reward": round(over, 4) + 0.0}
        a.reward = sum(a.terms.values())
        a.extra = {"completion_length": a.tokens}
    return layouts.rows(advise(rng, attempts, grpo), layouts.trl)
