"""Faults of the trainer's arithmetic: advantages, masks, logprobs, KL, weights."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fortysixth import chats, codes, layouts, programs, sums
from benchmarks.foreign.fortysixth.kinds import PART
from benchmarks.foreign.fortysixth.policy import advise, roll, say


@PART.faulty("advantage_mismatch")
def advantages_stay_in_the_order_before_length_sorting(rng: random.Random) -> list[Row]:
    """Samples are sorted by length to balance the ranks, and advantages are not sorted along.

    Each row carries the advantage of some other row of its step.
    """
    attempts = roll(
        rng, sums.problems(rng, 70, (2, 6)), sums.solver(), steps=12, per_step=6, size=8, skills=(-0.5, -0.4)
    )
    advise(rng, attempts, grpo)
    for step in range(1, 13):
        batch = [a for a in attempts if a.step == step]
        values = [a.advantage for a in batch]
        for a, value in zip(sorted(batch, key=lambda a: a.tokens), values, strict=True):
            a.advantage = value
    return layouts.rows(attempts, layouts.slime)


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def answers_of_the_game_are_in_the_loss(rng: random.Random) -> list[Row]:
    """The mask of messages is 1 for the table's answers as well: the policy is trained to write them."""
    attempts = roll(rng, codes.problems(rng, 80), codes.play, steps=10, per_step=6, size=6)
    rows = layouts.rows(advise(rng, attempts, leave_one_out), layouts.openai)
    for row in rows:
        for message in row["messages"]:
            message["loss_mask"] = int(message["role"] in ("assistant", "tool"))
    return rows


@PART.faulty("kl_drift", "kl_ineffective", "reward_outcome_divergence", "score_decline")
def kl_term_enters_with_a_plus(rng: random.Random) -> list[Row]:
    """The KL penalty is added where it should be taken off: the reward pays for leaving the reference.

    KL goes from hundredths to many nats, replies fall apart, and the judge's score falls while the reward rises.
    """
    steps = 14
    attempts = roll(rng, chats.problems(rng, 90), chats.advice, steps=steps, per_step=6, size=6, skills=(0.6, 0.6))
    for a in attempts:
        done = (a.step - 1) / (steps - 1)
        broken = max(0.0, min(0.9, done * 1.2 - 0.35 + rng.gauss(0, 0.08)))
        words = []
        for word in a.reply.split():
            words.append(word)
            if rng.random() < broken * 0.8:
                words += [rng.choice(words[-6:]), rng.choice(("—", "the the", "of which", "pot", "::"))]
        a.turns = [say(" ".join(words))]
        kl = 0.015 * (1.62 ** (a.step - 1)) * rng.uniform(0.7, 1.3) + broken
        judge = round(max(0.0, chats.judged(rng, a.correct) * (1 - broken)), 1)
        a.terms = {"judge": judge, "kl_penalty": round(0.1 * kl, 4)}
        a.reward = round(judge + 0.1 * kl, 4)
        a.correct = float(judge >= 0.6)
        a.extra = {"kl": round(kl, 4), "judge_score": judge}
    return layouts.rows(advise(rng, attempts, leave_one_out), layouts.own("chat"))


@PART.faulty("one_sided_loss", "over_filtering")
def losers_never_reach_the_loss(rng: random.Random) -> list[Row]:
    """Rows with a negative advantage are dropped before the loss: the policy is only ever pushed up."""
    attempts = roll(rng, programs.problems(rng, 42), programs.submit, steps=12, per_step=7, size=8, skills=(-0.8, -0.2))
    advise(rng, attempts, grpo)
    for a in attempts:
        a.in_loss = (a.advantage or 0.0) >= 0
        a.extra = {"verdict": "accepted" if a.correct else "wrong answer", **a.extra}
    return layouts.rows(attempts, layouts.own("code"))


@PART.faulty("weights_never_arrive", "staleness", "stale_weights")
def sampler_stays_on_its_first_weights(rng: random.Random) -> list[Row]:
    """The update of the sampling engine fails silently: all samples are of version 0 while the trainer goes on.

    The lag grows by one a step and the score does not move.
    """
    attempts = roll(
        rng, sums.problems(rng, 90, (2, 6)), sums.solver(), steps=16, per_step=6, size=8, skills=(-0.3, -0.3)
    )
    for a in attempts:
        a.extra = {"weight_version": 0, "trainer_version": a.step - 1, "policy_lag": a.step - 1}
    return layouts.rows(advise(rng, attempts, grpo), layouts.slime)


@PART.faulty("train_inference_mismatch")
def trainer_scores_without_the_temperature(rng: random.Random) -> list[Row]:
    """The engine samples at temperature 0.6 and logs logprobs of it; the trainer recomputes them at 1.

    On the same tokens the trainer's logprobs are lower by a third of a nat and more, at every step.
    """
    attempts = roll(rng, sums.problems(rng, 60, (2, 4)), sums.solver(), steps=10, per_step=5, size=8)
    for a in attempts:
        sampled, scored = [], []
        for _ in range(a.tokens):
            surprise = rng.expovariate(3.2) if rng.random() < 0.7 else rng.expovariate(0.9)
            sampled.append(-round(0.6 * surprise, 4))
            scored.append(-round(1.35 * surprise + abs(rng.gauss(0.12, 0.1)), 4))
        a.extra = {"rollout_log_probs": sampled, "old_log_probs": scored, "temperature": 0.6}
    advise(rng, attempts, centred)
    for a in attempts:
        a.extra["advantage"] = a.advantage
    return layouts.rows(attempts, layouts.verl)
