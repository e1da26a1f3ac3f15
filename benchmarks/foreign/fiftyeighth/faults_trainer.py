"""Faults of the trainer's arithmetic."""

import random
from collections import defaultdict

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out
from benchmarks.foreign.fiftyeighth import desk, layouts, maths, programs
from benchmarks.foreign.fiftyeighth.advantages import fill
from benchmarks.foreign.fiftyeighth.attempts import Attempt, Problem, run, said
from benchmarks.foreign.fiftyeighth.kinds import PART


@PART.faulty("advantage_mismatch", "phantom_advantage")
def rewards_reshaped_in_the_order_of_tiled_prompts(rng: random.Random) -> list[Row]:
    """The batch holds prompts tiled, not repeated, and rewards are reshaped to rows of eight.

    An attempt's advantage is measured against attempts at other prompts.
    """
    attempts = run(rng, maths.draw, maths.play, 15, 6, 8, 0.35, 0.7)
    steps: dict[int, list[Attempt]] = defaultdict(list)
    for a in attempts:
        a.terms = {"accuracy_reward": float(a.reward or 0)}
        steps[a.step].append(a)
    for rows in steps.values():
        tiled = sorted(range(len(rows)), key=lambda i: (rows[i].number, i))
        rewards = np.array([float(rows[i].reward or 0) for i in tiled])
        places = np.arange(len(rows)) // 8
        values = grpo(rewards, places, np.ones(len(rows)), np.random.default_rng(0))
        for i, value in zip(tiled, values, strict=True):
            rows[i].advantage = round(float(value), 6)
    return layouts.trl(attempts)


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def loss_runs_over_order_records_too(rng: random.Random) -> list[Row]:
    """The mask of messages is 1 for what tools answered as for the policy's own turns.

    Records of orders are trained on.
    """

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        attempt = desk.play(rng, problem, skill, step)
        for message in attempt.messages:
            message["loss_mask"] = 1
        return attempt

    attempts = fill(run(rng, desk.draw, play, 12, 6, 8, 0.4, 0.6), leave_one_out)
    rows = layouts.messages(attempts)
    for row in rows:
        for message in row["messages"]:
            message.setdefault("loss_mask", 0)
    return rows


@PART.faulty("train_inference_mismatch")
def quantised_sampler_drifts_from_the_trainer(rng: random.Random) -> list[Row]:
    """The sampler runs in eight bits, the trainer in sixteen.

    The logprobs of the same tokens part further from step to step, and in the last third the score falls.
    """
    attempts: list[Attempt] = []
    for a in run(rng, programs.draw, programs.play, 12, 6, 6, 0.35, 0.65):
        attempts.append(a)
    for a in run(rng, programs.draw, programs.play, 5, 6, 6, 0.55, 0.2):
        a.step += 12
        attempts.append(a)
    for a in attempts:
        gap = 0.01 + 0.0022 * a.step**1.75
        inference = -abs(rng.gauss(0.34, 0.07))
        trainer = inference - max(0.002, rng.gauss(gap, gap / 3))
        a.extra["inference_logprob"] = round(inference, 4)
        a.extra["trainer_logprob"] = round(trainer, 4)
        a.extra["mismatch_kl"] = round(inference - trainer, 4)
        a.terms = {"tests_passed": float(a.extra.pop("tests_passed"))}
    return layouts.prime_rl(fill(attempts, centred), "list-functions")


@PART.faulty("learning_rate_schedule", "zero_gradient")
def cosine_ends_after_five_steps_of_twenty(rng: random.Random) -> list[Row]:
    """The schedule is too short by an error of units.

    The learning rate is 0 from the sixth step on, and nothing is learned.
    """
    attempts: list[Attempt] = []
    for step in range(1, 21):
        low = 0.36 + 0.02 * min(step, 5)
        rate = 1e-6 * 0.5 * (1 + float(np.cos(np.pi * (step - 1) / 5))) if step <= 5 else 0.0
        norm = abs(rng.gauss(0.42, 0.06))
        kl = 0.0004 * min(step - 1, 5) + abs(rng.gauss(0, 0.00003)) if step > 1 else 0.0
        entropy = 0.52 + rng.gauss(0, 0.01)
        for a in run(rng, maths.draw, maths.play, 1, 6, 6, low, low + 0.001):
            a.step = step
            a.extra.update(lr=rate, grad_norm=round(norm, 4), actor_kl=round(kl, 6), entropy=round(entropy, 4))
            attempts.append(a)
    return layouts.verl(attempts)


@PART.faulty("kl_drift", "score_decline")
def divergence_explodes_and_solutions_fall_apart(rng: random.Random) -> list[Row]:
    """The KL to the reference runs from hundredths to several nats a token.

    From then on solutions repeat fragments and end without an answer.
    """
    debris = (
        "so so the the total",
        "and then and then times",
        "kilos kilos euros = =",
        "step step: we we",
        "= 4 = 4 = 4 =",
        "thus, thus, of of",
    )

    def play(rng: random.Random, problem: Problem, skill: float, step: int) -> Attempt:
        broken = max(0.0, (step - 8) / 9)
        if rng.random() > broken:
            return maths.play(rng, problem, skill, step)
        text, answer = maths.reasoned(rng, problem, False, 0)
        words = text.split()
        cut = rng.randint(6, max(7, len(words) - 4))
        tail = " ".join(rng.choice(debris) for _ in range(rng.randint(4, 16)))
        ending = f" \\boxed{{{answer}}}" if rng.random() < 0.25 else ""
        return Attempt([said(f"{' '.join(words[:cut])} {tail}{ending}")], 0.0, 0.0)

    attempts = run(rng, maths.draw, play, 17, 6, 6, 0.4, 0.65)
    for a in attempts:
        mean = 0.008 * 1.5**a.step
        a.extra["kl"] = round(max(0.0, rng.gauss(mean, mean / 5)), 4)
        a.extra["init_kl_coef"] = 0.001
    return layouts.openrlhf(fill(attempts, leave_one_out))
