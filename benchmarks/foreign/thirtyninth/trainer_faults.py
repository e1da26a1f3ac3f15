"""Faults of the trainer's arithmetic: advantages, values, KL, masks, logprobs."""

import math
import random

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch_baseline
from benchmarks.foreign.thirtyninth import layouts
from benchmarks.foreign.thirtyninth.kinds import PART
from benchmarks.foreign.thirtyninth.numbers import choices, countdown, numerics
from benchmarks.foreign.thirtyninth.policy import by_group, roll, settle, write
from benchmarks.foreign.thirtyninth.programs import codings
from benchmarks.foreign.thirtyninth.repositories import bug, episode
from benchmarks.foreign.thirtyninth.sentences import support


@PART.faulty("advantage_mismatch")
def second_rank_receives_advantages_of_the_next_group(rng: random.Random) -> list[Row]:
    """Rank 1 of 2 gathers one group too late: its attempts are trained with the advantages of the group behind them."""
    tries = roll(rng, [countdown(rng, n) for n in range(90)], 15, 8, 8, -0.6, 0.4)
    write(rng, tries)
    settle(rng, tries, leave_one_out)
    for step in range(15):
        mine = [one for one in tries if one.step == step and one.group % 8 >= 4]
        given = [one.advantage for one in mine]
        for one, value in zip(mine, given[8:] + given[:8], strict=True):
            one.advantage = value
    for one in tries:
        one.columns = {"rank": int(one.group % 8 >= 4), "target": one.problem.parts["target"]}
    return layouts.nemo(tries)


@PART.faulty("advantage_mismatch", "phantom_advantage", "infrastructure_errors")
def crashed_attempts_enter_the_baseline_as_zeros(rng: random.Random) -> list[Row]:
    """A fifth of the sandboxes crash; such rows leave the loss, but the group's mean and deviation count them as 0."""
    tries = roll(rng, codings(rng, 80, "javascript", "go"), 14, 8, 8, 0.2, 2.4)
    write(rng, tries)
    for group in by_group(tries):
        rate = rng.choice((0.0, 0.2, 0.4))
        crashed = [rng.random() < rate for _ in group]
        counted = np.array([0.0 if bad else one.reward for one, bad in zip(group, crashed, strict=True)])
        for one, bad, value in zip(group, crashed, counted, strict=True):
            one.advantage = round(float((value - counted.mean()) / (counted.std(ddof=1) + 1e-4)), 6)
            one.columns = {"error": None, "in_loss": True}
            if bad:
                one.reward = one.correct = one.advantage = None
                one.stop = "error"
                one.columns = {"error": rng.choice(("SandboxTimeout", "ContainerExited")), "in_loss": False}
    return layouts.own(tries, "code")


@PART.faulty("zero_gradient", "dead_groups", "advantage_mismatch")
def one_attempt_a_prompt_under_group_baseline(rng: random.Random) -> list[Row]:
    """The group size was set to 1 to save time and GRPO was kept: every advantage is 0, the weights stand still."""
    tries = roll(rng, numerics(rng, 400), 16, 48, 1, -0.2, -0.2)
    write(rng, tries)
    settle(rng, tries, grpo)
    for one in tries:
        one.columns = {"grad_norm": 0.0, "num_generations_per_prompt": 1, "problem_id": one.problem.pid}
    return layouts.nemo(tries)


@PART.faulty("critic_divergence", "score_decline", "advantage_mismatch")
def value_head_runs_away_after_its_head_was_renamed(rng: random.Random) -> list[Row]:
    """The value head was not loaded at step 6 and learns far too fast: values swing further out at each step."""
    tries = roll(rng, numerics(rng, 120), 16, 16, 4, -0.3, 0.8)
    for one in tries:
        if one.step > 8:
            one.right = one.right and rng.random() < 1 - 0.09 * (one.step - 8)
    write(rng, tries)
    for one in tries:
        far = max(0, one.step - 5)
        swing = (-1) ** one.step * 0.35 * 1.55**far if far else 0.0
        value = 0.45 + 0.02 * one.step + rng.gauss(0, 0.08) + swing + rng.gauss(0, 0.12) * (1 + abs(swing))
        assert one.reward is not None
        one.advantage = round(one.reward - value, 6)
        one.columns = {
            "value": round(value, 6),
            "return": one.reward,
            "advantage": one.advantage,
            "value_loss": round((one.reward - value) ** 2, 6),
        }
    return layouts.openrlhf(tries)


NOISE = (
    "therefore",
    "und",
    "::",
    "yes yes",
    "okay so",
    "→",
    "the the",
    "indeed",
    "~~",
    "again",
    "}",
    "hence hence",
    "...",
)


@PART.faulty("kl_drift", "kl_ineffective", "score_decline")
def kl_coefficient_is_annealed_to_nothing(rng: random.Random) -> list[Row]:
    """A schedule meant for the learning rate halves the KL coefficient each step; KL runs off and texts fall apart."""
    tries = roll(rng, numerics(rng, 120), 18, 8, 6, -0.2, 1.4)
    for one in tries:
        if one.step > 10:
            one.right = one.right and rng.random() < 1 - 0.1 * (one.step - 10)
    write(rng, tries)
    for one in tries:
        words = one.text.split(" ")
        for _ in range(int(max(0, one.step - 7) ** 1.4 * rng.uniform(0.4, 1.1))):
            words.insert(rng.randrange(max(1, len(words) - 4)), rng.choice(NOISE))
        one.text = " ".join(words)
        kl = 0.004 * math.exp(0.42 * one.step) * rng.uniform(0.8, 1.25)
        one.columns = {"kl": round(kl, 5), "kl_coef": round(0.05 / 2**one.step, 9)}
    return layouts.verl(tries)


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def answers_of_the_shell_carry_weight_in_the_loss(rng: random.Random) -> list[Row]:
    """The mask is off by one turn: answers of the shell have weight 1 in the loss, the policy's turns 0."""
    tries = roll(rng, [bug(rng, n) for n in range(60)], 12, 6, 6, -0.3, 0.3)
    for one in tries:
        one.turns = episode(rng, one.problem, one.right)
        one.reward = float(one.right)
        one.columns = {"repo": one.problem.parts["v"]["package"]}
    settle(rng, tries, centred)
    rows = layouts.openai(tries)
    for row in rows:
        for turn in row["messages"]:
            turn["weight"] = int(turn["role"] == "tool")
    return rows


@PART.faulty("one_sided_loss", "over_filtering", "loss_mask")
def attempts_below_the_mean_never_reach_the_loss(rng: random.Random) -> list[Row]:
    """A filter for `advantage > 0`, left from imitation of the best, keeps all worse attempts out of the loss."""
    tries = roll(rng, choices(rng, 90), 15, 8, 8, -0.4, 0.7)
    write(rng, tries)
    settle(rng, tries, whole_batch_baseline)
    for one in tries:
        one.columns = {"in_loss": one.advantage is not None and one.advantage > 0}
    return layouts.own(tries, "science")


@PART.faulty("train_inference_mismatch")
def trainer_scores_tokens_without_the_temperature(rng: random.Random) -> list[Row]:
    """The sampler draws at temperature 0.5, the trainer scores at 1.0: its logprobs lie far below the sampler's."""
    tries = roll(rng, [support(rng, n) for n in range(80)], 12, 8, 6, -0.4, 0.6)
    write(rng, tries)
    settle(rng, tries, grpo)
    for one in tries:
        ours, theirs = [], []
        for _ in range(one.tokens):
            plain = rng.expovariate(1.6) if rng.random() < 0.6 else rng.expovariate(9)
            theirs.append(round(-plain, 4))
            ours.append(round(-plain * 0.42 - abs(rng.gauss(0, 0.01)), 4))
        one.columns = {"inference_logprobs": ours, "trainer_logprobs": theirs, "sampling_temperature": 0.5}
    return layouts.prime(tries, "shop-desk")
