"""Faults of the trainer's arithmetic."""

import random

from benchmarks.foreign.fiftyfifth import advantages, game, layouts, learner, ops, shop, tables, words
from benchmarks.foreign.fiftyfifth.kinds import PART
from benchmarks.foreign.fiftyfifth.learner import Plan
from benchmarks.foreign.fiftyfifth.talk import num_tokens

Row = dict


@PART.faulty("advantage_mismatch")
def advantages_are_gathered_one_shard_further(rng: random.Random) -> list[Row]:
    """After the batch is sorted by length for packing, advantages are put back two rows further on: within a step each
    row has another row's number."""
    attempts = advantages.grpo(learner.run(rng, shop, Plan(steps=18)))
    for step in range(18):
        batch = [one for one in attempts if one.step == step]
        values = [one.advantage for one in batch]
        for place, one in enumerate(batch):
            one.advantage = values[(place - 2) % len(values)]
    return layouts.own(attempts)


@PART.faulty("phantom_advantage", "advantage_mismatch")
def equal_rewards_are_divided_by_rounding_noise(rng: random.Random) -> list[Row]:
    """Rewards are averaged in half precision and the standard deviation has no epsilon: groups of equal rewards get
    advantages of about one, up or down."""
    attempts = advantages.grpo(learner.run(rng, tables, Plan(steps=20, start=-0.8, gain=2.2)))
    for group in advantages.by_group(attempts):
        if len({one.reward for one in group}) == 1:
            noise = [rng.choice((-1.0, 1.0)) * rng.uniform(0.6, 1.3) for _ in group]
            mean = sum(noise) / len(noise)
            for one, value in zip(group, noise, strict=True):
                one.advantage = round(value - mean, 6)
    return layouts.prime_rl(attempts, "sql-desk")


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def shell_output_is_trained_on_as_if_written(rng: random.Random) -> list[Row]:
    """The mask of the loss is 1 on the messages of the shell too, so the policy learns to say what servers say."""
    attempts = learner.run(rng, ops, Plan(steps=18))
    for one in attempts:
        for message in one.messages:
            message["loss_mask"] = 1
        rows_in = [num_tokens(m) for m in one.messages]
        one.extra = {"loss_tokens": sum(rows_in), "response_tokens": one.tokens}
    rows = layouts.openai(attempts)
    for row in rows:
        for message in row["messages"][:2]:
            message["loss_mask"] = 0
    return rows


@PART.faulty("kl_drift", "score_decline")
def kl_to_the_reference_runs_away_after_a_rate_change(rng: random.Random) -> list[Row]:
    """From some step KL to the reference rises from hundredths to several nats, words get odd, and the score falls."""
    plan = Plan(steps=24, per_step=4, start=0.0, gain=1.2)
    turn = rng.randint(11, 14)
    order = learner.epochs(rng, learner.make_pool(rng, words, plan.pool), plan)
    attempts = []
    for step, problems in enumerate(order):
        beyond = max(0, step - turn)
        for problem in problems:
            odds = learner.chance(rng, plan, problem, step) * 0.8**beyond
            for index in range(plan.size):
                one = learner.attempt(rng, words, problem, step, index, rng.random() < odds)
                parts = one.messages[0]["content"].split(" ")
                for _ in range(min(12, beyond)):
                    parts.insert(
                        rng.randrange(len(parts) - 2), rng.choice(("therefore", "yes yes", "ok now", "hence so", "=>"))
                    )
                one.messages[0]["content"] = " ".join(parts)
                kl = (
                    0.004
                    + 0.002 * step
                    + rng.uniform(0, 0.006)
                    + (0.09 * 1.45**beyond if beyond else 0.0) * rng.uniform(0.7, 1.3)
                )
                lr = 1e-6 if step < turn else 2e-5
                one.extra = {"kl": round(kl, 5), "learning_rate": lr, "kl_coef": 0.001}
                attempts.append(one)
    return layouts.own(advantages.grpo(attempts))


@PART.faulty("train_inference_mismatch")
def engine_in_eight_bit_and_trainer_disagree_more_each_step(rng: random.Random) -> list[Row]:
    """The mean log probability that the sampler logged and the one the trainer computes for the same tokens part, from
    hundredths to half a nat; ratios are far from one before any update."""
    plan = Plan(steps=20, per_step=4, size=8, start=-0.6, gain=0.9)
    attempts = learner.run(rng, game, plan)
    for one in attempts:
        sampler = -0.42 + 0.1 * one.step / plan.steps + rng.gauss(0, 0.05)
        gap = 0.02 + 0.028 * one.step + abs(rng.gauss(0, 0.04 + 0.01 * one.step))
        one.extra = {
            "rollout_logprob_mean": round(sampler, 4),
            "actor_logprob_mean": round(sampler - gap, 4),
            "weight_version": one.step,
        }
    return layouts.slime(attempts)
