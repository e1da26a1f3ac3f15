"""A harder tier, a critic that runs away, labels cut at the comma, one seed for all."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentieth.episodes import Plan, Reply, draw, play, said, train
from benchmarks.foreign.twentieth.estimates import batch_whitened, centred, credit, grouped, grpo
from benchmarks.foreign.twentieth.formats import openrlhf, own, verl
from benchmarks.foreign.twentieth.kinds import PART
from benchmarks.foreign.twentieth.riddles import CIPHER, ORDER, TARGET
from benchmarks.foreign.twentieth.worded import GERMAN_SUMS


@PART.healthy
def harder_tier_enters_midway(rng: Random) -> list[Row]:
    """A curriculum: one and two words at first, three from the seventh step on; the mean drops there and recovers."""
    plan = Plan(13, 7, 6, start=-0.4, gain=2.3)
    tasks = draw(rng, CIPHER, 230)
    hard = [t for t in tasks if t.family == "caesar_3"]
    easy = [t for t in tasks if t.family != "caesar_3"]
    schedule = []
    for step in range(plan.steps):
        pools = (easy, hard) if step >= 6 else (easy, easy)
        schedule.append([pools[n % 2 if step < 10 else min(1, n % 3)].pop() for n in range(plan.problems)])
    episodes = play(rng, CIPHER, schedule, plan)
    for e in episodes:
        e.extra = {"tier": 2 if e.task.family == "caesar_3" else 1}
    return own(rng, credit(episodes, centred), "caesar-tiers")


@PART.faulty("critic_divergence")
def value_head_unclipped_runaway(rng: Random) -> list[Row]:
    """PPO on returns between 0 and 1: from the fifth step the values leave that range, grow to tens with either sign,
    and the advantages follow them instead of the reward, so that training falls apart.
    """
    episodes = train(rng, TARGET, Plan(12, 7, 5, start=0.3, gain=-1.4))
    for e in episodes:
        grown = 0.12 * 2.05 ** max(0, e.step - 4)
        sign = 1 if hash_sign(e.task.prompt) else -1
        value = 0.45 + 0.1 * (e.reward or 0.0) + rng.gauss(0, grown) + (sign * grown if e.step > 4 else 0.0)
        e.extra = {"value": round(value, 4), "return": e.reward, "value_loss": round((value - (e.reward or 0)) ** 2, 4)}
    batch_whitened(episodes, lambda e: e.extra["value"])
    return own(rng, episodes, "target-ppo")


def hash_sign(text: str) -> bool:
    """Give one of two values that depends on the text alone."""
    return sum(map(ord, text)) % 2 == 0


@PART.faulty("wrong_labels", "metric_defect", "dead_all_wrong", "stuck_problems", "weak_verifier")
def labels_lost_after_comma(rng: Random) -> list[Row]:
    """In one of two sources of German tasks the reference was cut at the decimal comma, so 12,5 became 12 and right
    replies are marked wrong wherever the result is no whole number.
    """
    plan = Plan(10, 8, 6, start=0.0, gain=1.7)
    tasks = draw(rng, GERMAN_SUMS, 80)
    episodes = play(rng, GERMAN_SUMS, [tasks[n * 8 : n * 8 + 8] for n in range(10)], plan)
    for task in tasks:
        task.family = rng.choice(("sachaufgaben_csv", "lehrbuch_jsonl"))
        if task.family == "sachaufgaben_csv":
            task.gold = task.gold.split(",")[0]
    for e in episodes:
        e.right = e.right and e.reply.answer == e.task.gold
        e.score(correct=float(e.right))
    return verl(credit(episodes, grpo))


@PART.faulty("seed_reuse", "identical_samples", "dead_groups")
def restart_pinned_sampler_seed(rng: Random) -> list[Row]:
    """After a restart at the sixth step all attempts of a group are sampled with the same seed and come out word for
    word alike, so that these groups teach nothing.
    """
    episodes = train(rng, ORDER, Plan(11, 7, 6, start=-0.5, gain=1.5))
    for group in grouped(episodes):
        pinned = rng.randrange(2**31)
        shared = group[0].step >= 5 and rng.random() < 0.85
        for e in group:
            e.extra = {"sampling_seed": pinned if shared else rng.randrange(2**31), "prompt_id": e.task.pid}
            if shared:
                first = group[0]
                e.reply = Reply([said(first.reply.text)], first.reply.answer)
                e.right, e.stop, e.reward = first.right, first.stop, first.reward
    for e in episodes:
        e.extra["acc"] = float(e.right)
    return openrlhf(credit(episodes, grpo))
