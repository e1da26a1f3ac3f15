"""Kinds whose trainer computes or steps wrongly: advantages, KL, masks, logprobs, learning rate, weights."""

import math
import random

from benchmarks.foreign.fiftyfirst import depots, layouts, programs, sums
from benchmarks.foreign.fiftyfirst.advantages import fill, grpo, leave_one_out
from benchmarks.foreign.fiftyfirst.kinds import PART
from benchmarks.foreign.fiftyfirst.policy import Problem, distinct, train


@PART.faulty("advantage_mismatch")
def advantages_stayed_in_the_order_of_lengths(rng: random.Random) -> list[dict]:
    """The batch was sorted by length for packing and the advantages were never put back: each row has the advantage of
    another row of its step."""
    attempts = fill(train(rng, distinct(rng, sums.problem, 120), sums.hashed, 20, 8, 0.35, 0.5), grpo)
    for step in sorted({a.step for a in attempts}):
        batch = [a for a in attempts if a.step == step]
        packed = [a.advantage for a in sorted(batch, key=lambda a: a.tokens)]
        for a, value in zip(batch, packed, strict=True):
            a.advantage = value
    return [layouts.trl(a) for a in attempts]


HAZE = (
    "which then total which",
    "the the sum of of the",
    "so so therefore and so",
    "plus again plus minus again",
    "amount amount is is",
)


@PART.faulty("kl_drift", "kl_ineffective", "score_decline")
def kl_runs_away_after_the_middle(rng: random.Random) -> list[dict]:
    """The KL to the reference, logged with each row, climbs from hundredths to several nats after the middle of the
    run; sentences turn to rubble and the reward falls."""

    def write(rng: random.Random, problem: Problem, right: bool, progress: float) -> tuple[str, str]:
        rot = max(0.0, (progress - 0.45) / 0.55)
        text, answer = sums.reasoning(rng, problem, right and rng.random() > 0.75 * rot, progress)
        words = [rng.choice(HAZE) if rng.random() < 0.8 * rot * rot else sentence for sentence in text.split(". ")]
        return f"{'. '.join(words)}\n\n\\boxed{{{answer}}}", answer

    attempts = train(rng, distinct(rng, sums.problem, 120), write, 24, 6, 0.4, 0.75)
    for a in attempts:
        a.reward = a.correct = float(a.answer == a.problem.gold)
        level = 0.004 + 0.03 * a.progress + 5.5 * max(0.0, (a.progress - 0.45) / 0.55) ** 2.2
        a.columns = {"kl": round(level * math.exp(rng.gauss(0, 0.25)), 5), "kl_coef": 0.001}
    return [layouts.plain(a) for a in fill(attempts, grpo)]


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def records_of_the_warehouse_are_trained_on(rng: random.Random) -> list[dict]:
    """The mask of each message is 1 for the answers of tools as for the words of the policy: records of the warehouse
    are in the loss."""
    attempts = fill(train(rng, distinct(rng, depots.problem, 100), depots.write, 20, 6, 0.4, 0.7), leave_one_out)
    rows = [layouts.openai(a) for a in attempts]
    for row in rows:
        for message in row["messages"]:
            message["loss_mask"] = int(message["role"] in ("assistant", "tool"))
    return rows


@PART.faulty("train_inference_mismatch")
def the_eight_bit_sampler_drifts_from_the_trainer(rng: random.Random) -> list[dict]:
    """Logprobs of the same tokens under the sampler in 8 bits and under the trainer part by a few hundredths of a
    nat at first and by almost half a nat at the end; the score turns down."""
    attempts = train(rng, distinct(rng, programs.problem, 100), programs.write, 20, 8, 0.35, 0.6)
    for a in attempts:
        base = -0.42 + 0.12 * a.progress + rng.gauss(0, 0.04)
        gap = 0.03 + 0.42 * a.progress**1.5
        if a.progress > 0.6 and rng.random() < 0.5 * (a.progress - 0.6) / 0.4 and a.right:
            a.text, a.answer = programs.write(rng, a.problem, False, a.progress)
            a.right, a.reward, a.correct = False, 0.0, 0.0
        a.columns = {
            "acc": a.correct,
            "rollout_log_probs": round(base, 4),
            "old_log_probs": round(base - gap * math.exp(rng.gauss(0, 0.2)), 4),
            "response_length": a.tokens,
        }
    return [layouts.verl(a) for a in attempts]


@PART.faulty("learning_rate_schedule", "zero_gradient")
def the_cosine_was_over_after_a_sixth(rng: random.Random) -> list[dict]:
    """The schedule counted micro-batches, so the learning rate is at zero from a sixth of the run on; the score, which
    had begun to rise, stays where it was."""
    steps, end = 30, 5
    attempts = train(rng, distinct(rng, sums.problem, 120), sums.hashed, steps, 8, 0.32, 0.36)
    for a in attempts:
        rate = 1e-6 * 0.5 * (1 + math.cos(math.pi * (a.step - 1) / end)) if a.step <= end else 0.0
        a.terms = {"accuracy_reward": a.correct}
        a.columns = {"learning_rate": round(rate, 10)}
    return [layouts.trl(a) for a in fill(attempts, grpo)]


@PART.faulty("weights_never_arrive", "staleness", "stale_weights")
def the_sampler_is_still_at_version_four(rng: random.Random) -> list[dict]:
    """The sampler's weights stop at version 4 while the trainer goes on to 24: the lag of the policy grows by one a
    step and the score of the rollouts stands still."""
    attempts = train(rng, distinct(rng, programs.problem, 96), programs.write, 24, 8, 0.3, 0.33)
    for a in attempts:
        version = min(a.step - 1, 4)
        a.columns = {"weight_version": version, "trainer_version": a.step - 1, "policy_lag": a.step - 1 - version}
    return [layouts.slime(a) for a in attempts]
