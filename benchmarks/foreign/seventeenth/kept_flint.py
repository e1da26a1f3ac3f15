"""Credit in another order, a cart that is not empty, values without bounds."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventeenth.credit import by_group, dr_grpo, grpo
from benchmarks.foreign.seventeenth.critics import by_critic, lagging_values, pay_the_way
from benchmarks.foreign.seventeenth.english_sums import story_task
from benchmarks.foreign.seventeenth.kinds import PART
from benchmarks.foreign.seventeenth.lakes import lake_task
from benchmarks.foreign.seventeenth.layouts import own, trl
from benchmarks.foreign.seventeenth.rollouts import Course, train
from benchmarks.foreign.seventeenth.shopping import COLOURS, THINGS, order, shop_task


@PART.faulty("advantage_mismatch", "phantom_advantage")
def credit_follows_length_sort(rng: Random) -> list[Row]:
    """From step 3 on the batch is sorted by length for packing, but not its advantages, so that attempts carry the
    credit of others.
    """
    samples = by_group(train(rng, story_task, Course(11, 7, 6, -0.6, 1.3)), grpo)
    for step in range(3, 11):
        batch = [s for s in samples if s.step == step]
        by_length = sorted(batch, key=lambda s: s.tokens)
        for s, credit in zip(by_length, [s.advantage for s in batch], strict=True):
            s.advantage = credit
    for s in samples:
        s.extra["completion_length"] = s.tokens
    return trl(samples)


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug")
def strangers_cart_at_start(rng: Random) -> list[Row]:
    """From step 3 on the shop is not reset in four attempts of ten: the cart already holds another customer's
    things, and the order that was right otherwise is judged wrong.
    """
    samples = train(rng, shop_task, Course(11, 7, 6, -0.2, 1.9))
    for s in samples:
        left = s.step >= 3 and rng.random() < 0.42
        s.extra["shop_session"] = f"w{rng.randint(0, 11)}"
        if left:
            wanted = [(name, qty) for name, qty in s.task.extra["wanted"]]
            names = [f"{rng.choice(COLOURS)} {t}" for t in rng.sample(THINGS, rng.randint(1, 2))]
            already = [(n, rng.randint(1, 5)) for n in names]
            s.reply = order(rng, wanted, s.right, already, rng.random() < 0.85)
            s.grade(False)
    return own(rng, by_group(samples, dr_grpo), "shop-sessions", "tools")


@PART.faulty("critic_divergence")
def lake_values_run_away(rng: Random) -> list[Row]:
    """PPO on frozen lakes with returns of zero to one: from step 4 on the critic's values run off to plus and minus
    twenty, and the advantages are those of the critic alone.
    """
    samples = train(rng, lake_task, Course(12, 10, 4, -0.9, 1.2))
    pay_the_way(samples)
    values = lagging_values(rng, samples)
    for place, s in enumerate(samples):
        wild = max(0, s.step - 3)
        values[place] += wild**1.5 * (0.4 + rng.gauss(0, 0.55)) if wild else 0.0
    return own(rng, by_critic(samples, values), "lakes-ppo-b", "games")
