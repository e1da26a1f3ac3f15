"""Faulty kinds: prompts, keys, cuts and filters of data."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfifth import advantages, layouts
from benchmarks.foreign.thirtyfifth.chains import makers_of, task_of
from benchmarks.foreign.thirtyfifth.course import Try, make_pool, pay, roll
from benchmarks.foreign.thirtyfifth.kinds import PART
from benchmarks.foreign.thirtyfifth.papers import CLAUSES, lease
from benchmarks.foreign.thirtyfifth.trades import FERMENT, HIVE, KNIT, ORCHARD, TIDE, TRADES
from benchmarks.foreign.thirtyfifth.trades_abroad import CYCLES


def finish(tries: list[Try], line: str = "Answer: {}") -> None:
    """Put the answer behind the reasoning."""
    for one in tries:
        one.text = f"{one.text}\n{line.format(one.answer)}"


@PART.faulty("template_bug", "stuck_problems", "weak_family")
def lease_slot_never_filled_in(rng: random.Random) -> list[Row]:
    """Prompts of one source reach the policy with `{{document}}` where the lease should stand.

    Their questions cannot be answered, so a third of the rows is paid nothing all along.
    """
    pool = make_pool(rng, [lease, task_of(ORCHARD), task_of(KNIT)], 120)
    for task in pool:
        if task.family == "lease":
            task.prompt = "{{document}}\n\n" + task.more["question"]
    tries = roll(rng, pool, 30, 4, 6, (-0.6, 1.6))
    usual = {name: bounds for name, _, bounds in CLAUSES}
    for one in tries:
        if one.task.family == "lease":
            asked = one.task.more["question"].removeprefix("What is the ").split(" under")[0]
            one.answer = str(rng.randint(*usual[asked]))
            one.is_right = one.answer == one.task.gold
            one.text = rng.choice(
                (
                    f"The lease itself is not included here, only a slot for it. A usual "
                    f"{asked} would be {one.answer}.",
                    f"I see no clauses to read the {asked} from. Going by common leases I say {one.answer}.",
                    f"There is no document above the question. For the {asked} I have to guess, and take {one.answer}.",
                    f"Without the text I cannot know the {asked}; most leases I know of have about {one.answer}.",
                )
            )
    finish(tries)
    pay(tries)
    advantages.grpo(tries)
    return layouts.columns(tries, "reading")


@PART.faulty("wrong_labels", "metric_defect", "reward_outcome_divergence")
def keys_of_one_shard_slipped_a_row(rng: random.Random) -> list[Row]:
    """In one shard the key of a row is that of the row before: right answers there are paid 0."""
    pool = make_pool(rng, makers_of(TRADES), 132)
    shard = rng.sample(pool, 44)
    keys = [task.gold for task in shard]
    for task, key in zip(shard, [keys[-1], *keys[:-1]], strict=True):
        task.gold = key
    tries = roll(rng, pool, 33, 4, 8, (-0.7, 1.5))
    for one in tries:
        one.is_right = one.answer == one.task.gold
        one.more = {"shard": "b" if one.task in shard else "a"}
    finish(tries, "\\boxed{{{}}}")
    pay(tries)
    advantages.grpo(tries)
    return layouts.verl(tries)


@PART.faulty("over_filtering", "one_sided_loss", "loss_mask", "reward_outcome_divergence")
def filter_keeps_what_failed(rng: random.Random) -> list[Row]:
    """Rejection sampling with the comparison the wrong way round: `in_loss` is true for samples of reward 0 alone.

    Each round the policy is tuned on its failures, and it gets worse.
    """
    pool = make_pool(rng, makers_of((TIDE, HIVE, FERMENT)), 128)
    tries = roll(rng, pool, 16, 8, 8, (0.8, -1.3))
    finish(tries, "#### {}")
    pay(tries)
    for one in tries:
        one.in_loss = one.reward == 0.0
        one.more = {"round": one.step, "sampler": "best-of-8"}
    rows = layouts.columns(tries, "math")
    for row in rows:
        row["advantage"] = 1.0 if row["in_loss"] else 0.0
    return rows


@PART.faulty("dead_all_wrong", "dead_groups", "zero_gradient")
def jump_of_level_leaves_groups_at_nothing(rng: random.Random) -> list[Row]:
    """The curriculum goes to its last level at a third of the run: from there nearly all groups are wrong throughout.

    All rewards are 0, so all advantages are, and nothing is learned any more.
    """
    easy = make_pool(rng, makers_of((KNIT, ORCHARD)), 50)
    hard = make_pool(rng, makers_of(CYCLES, shift=5.4), 90)
    tries = roll(rng, easy, 11, 4, 8, (-0.2, 1.2))
    late = roll(rng, hard, 22, 4, 8, (1.2, 1.2))
    for one in late:
        one.step += 11
        one.group = f"late-{one.group}"
    tries += late
    for one in tries:
        one.more = {"level": 5 if one.step >= 11 else 1}
    finish(tries)
    pay(tries)
    advantages.grpo(tries)
    return layouts.nemo_rl(tries)
