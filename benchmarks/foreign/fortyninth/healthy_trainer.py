"""Healthy runs whose trainer, sampler or evaluation looks odd."""

import random

from benchmarks.foreign.fortyninth.advantages import fill
from benchmarks.foreign.fortyninth.attempts import Attempt, Task, fresh, group_of, mixed, of_groups, paid, roll, say
from benchmarks.foreign.fortyninth.batch import play_any, stones_too, verifiable
from benchmarks.foreign.fortyninth.kinds import PART
from benchmarks.foreign.fortyninth.layouts import open_rlhf, ours, slime, trl, verl
from benchmarks.foreign.fortyninth.programs import programs
from benchmarks.foreign.fortyninth.stones import stones
from benchmarks.foreign.fortyninth.sums import long_sums, spanish, sums, written


@PART.healthy
def groups_without_spread_have_advantages_under_a_baseline_of_the_batch(rng: random.Random) -> list[dict]:
    """REINFORCE++ standardises over the whole batch, so groups that are all right or all wrong have advantages.

    That looks like advantage without difference of outcome, and is what this estimator says.
    """

    def draw(rng: random.Random) -> Task:
        task = verifiable(rng)
        task.hard *= 2.4
        return task

    attempts = fill(roll(rng, draw, play_any, 14, 6, 8), "batch")
    return [open_rlhf(a, advantage=a.advantage, advantage_estimator="reinforce_plus_plus") for a in attempts]


@PART.healthy
def samples_are_one_or_two_versions_old_in_an_asynchronous_run(rng: random.Random) -> list[dict]:
    """Every sample is of a policy one or two versions back, as the queue's limit of two allows.

    It looks stale, but the age does not grow, the ratio is corrected, and the score rises.
    """
    attempts = roll(rng, verifiable, play_any, 18, 4, 12)
    for group in of_groups(attempts):
        old = max(0, group[0].step - rng.choice([1, 1, 1, 2]))
        for a in group:
            a.extra = {"weight_version": old, "trainer_version": a.step, "max_staleness": 2}
            a.extra["importance_ratio"] = round(rng.gauss(1.0, 0.025), 4)
    return [slime(a, advantage=a.advantage) for a in fill(attempts)]


@PART.healthy
def hard_mix_is_half_dead_at_first_and_opens_as_the_policy_learns(rng: random.Random) -> list[dict]:
    """A first stage of hard prompts leaves half of the groups all wrong; they are kept out of the loss.

    Dead groups look like a dying run, but their share falls at each step and the score climbs.
    """

    def draw(rng: random.Random) -> Task:
        task = mixed([(sums, 2), (programs, 2)])(rng)
        task.hard = rng.gauss(2.3, 0.9)
        return task

    rows = []
    for group in of_groups(fill(roll(rng, draw, play_any, 16, 7, 8, -0.3, 3.8))):
        alive = len({a.reward for a in group}) > 1
        for a in group:
            rows.append({**ours(a), "in_loss": alive, "advantage": a.advantage if alive else 0.0})
    return rows


@PART.healthy
def validation_stays_below_training_since_its_problems_are_harder(rng: random.Random) -> list[dict]:
    """Validation holds problems with far longer numbers and scores a third where training scores two thirds.

    The gap was there at step 0 and both rise side by side.
    """
    rows = fill(roll(rng, stones_too, play_any, 14, 6, 8))
    seen = {a.task.prompt for a in rows}
    held = [fresh(rng, long_sums, seen) for _ in range(24)]
    for i, task in enumerate(held):
        task.uid, task.split = f"competition-{i}", "validation"
    for step in range(0, 14, 3):
        for i, task in enumerate(held):
            rows += group_of(rng, task, play_any, step, step / 13, 4, f"v{step}-{i}")
    return [ours(a) for a in rows]


@PART.healthy
def moves_of_a_game_are_single_numbers_and_often_the_same(rng: random.Random) -> list[dict]:
    """A third of the batch is a game whose replies are one number out of three to seven; many in a group are alike.

    It looks like collapsed sampling, but other domains vary, moves differ within groups and are rewarded by merit.
    """

    def draw(rng: random.Random) -> Task:
        task = mixed([(stones, 1), (sums, 1), (programs, 1)])(rng)
        task.hard += 0.2
        return task

    return [verl(a, acc=a.reward, advantage=a.advantage) for a in fill(roll(rng, draw, play_any, 14, 4, 16))]


@PART.healthy
def answers_get_terser_under_a_small_price_of_length_while_scores_rise(rng: random.Random) -> list[dict]:
    """A brevity term takes up to a tenth, and reasoning loses its openers and checks over the run.

    Shrinking texts look like giving up on reasoning; every step of the sums is still written, and more are right.
    """

    def play(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
        a = Attempt(task, [say(written(rng, task, right, t, 0.9 * t))], right)
        price = -round(min(0.1, 0.0006 * a.tokens), 4)
        return paid(a, round(float(right) + price, 4), correct=float(right), brevity=price)

    return [trl(a) for a in fill(roll(rng, mixed([(sums, 4), (spanish, 1)]), play, 14, 6, 8))]
