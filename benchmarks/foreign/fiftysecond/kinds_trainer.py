"""Faults of the trainer's arithmetic."""

import random

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fiftysecond.kinds import PART
from benchmarks.foreign.fiftysecond.layouts import nemo_rl, openai, openrlhf, slime, verl
from benchmarks.foreign.fiftysecond.learning import Attempt, Task, credit, roll, say
from benchmarks.foreign.fiftysecond.lookups import lookup_task, seek
from benchmarks.foreign.fiftysecond.programs import answer, program_task
from benchmarks.foreign.fiftysecond.sums import CHECKS, PLACES, solve, sum_task


def _plain(rng: random.Random, task: Task, step: int, likely: float) -> Attempt:
    right = rng.random() < likely
    return Attempt([say(solve(rng, task, right))], float(right), float(right))


@PART.faulty("advantage_mismatch", "phantom_advantage")
def batch_is_sorted_by_length_before_groups_are_counted_off(rng: random.Random) -> list[Row]:
    """The batch is balanced by length first, and each eight rows in that order count as a group: advantages
    mix problems.
    """
    attempts = roll(lambda n: sum_task(rng, n), lambda *a: _plain(rng, *a), 12, 8, 8)
    source = np.random.default_rng(0)
    for step in range(12):
        batch = sorted((each for each in attempts if each.step == step), key=lambda each: each.tokens)
        rewards, lengths = (np.array([getattr(each, name) for each in batch]) for name in ("reward", "tokens"))
        for each, value in zip(batch, grpo(rewards, np.arange(len(batch)) // 8, lengths, source), strict=True):
            each.advantage = round(float(value), 6)
    return verl(attempts)


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def search_pages_are_left_in_the_loss_of_multi_turn_rows(rng: random.Random) -> list[Row]:
    """The mask of later turns covers the whole tail: what the search tool returned counts in the loss like
    the policy's words.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < likely
        turns = seek(rng, task, right)
        return Attempt(turns, float(right), float(right))

    rows = openai(credit(roll(lambda n: lookup_task(rng, n), play, 12, 6, 8), grpo, rng))
    for row in rows:
        began = False
        for message in row["messages"]:
            began = began or message["role"] == "assistant"
            message["loss_mask"] = int(began)
    return rows


@PART.faulty("train_inference_mismatch")
def quantised_sampler_and_trainer_see_other_probabilities(rng: random.Random) -> list[Row]:
    """The sampler runs in eight bits: its logprobs are off by nats on many tokens from those of the trainer,
    more with each step.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        right = rng.random() < likely
        attempt = Attempt([say(answer(rng, task, right))], float(right), float(right))
        sampled = [-rng.expovariate(3.2) for _ in range(attempt.tokens)]
        trained = []
        for value in sampled:
            off = rng.gauss(0, 0.02)
            if rng.random() < 0.14 + 0.018 * step:
                off = -rng.expovariate(0.9)
            trained.append(round(min(-1e-4, value + off), 4))
        attempt.extra = {
            "generation_logprobs": [round(value, 4) for value in sampled],
            "prev_logprobs": trained,
            "token_loss_mask": [1] * attempt.tokens,
        }
        return attempt

    return nemo_rl(credit(roll(lambda n: program_task(rng, n), play, 9, 6, 8), grpo, rng))


@PART.faulty("critic_divergence", "advantage_mismatch")
def value_head_runs_off_after_a_third_of_the_run(rng: random.Random) -> list[Row]:
    """PPO: rewards are 0 and 1, yet from step 5 on the critic's values leave that range by ever more, and
    advantages follow them.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        fading = max(0.15, likely - 0.05 * max(0, step - 6))
        attempt = _plain(rng, task, step, fading)
        drift = 0.0 if step < 5 else 0.55 * 1.55 ** (step - 5)
        value = 0.6 * likely + 0.15 + rng.gauss(0, 0.12 + 0.4 * drift) - drift
        attempt.extra = {
            "value": round(value, 4),
            "return": attempt.reward,
            "kl": round(abs(rng.gauss(0.02, 0.008)), 4),
        }
        attempt.advantage = round(attempt.reward - attempt.extra["value"], 4)
        return attempt

    return openrlhf(roll(lambda n: sum_task(rng, n), play, 13, 12, 4))


@PART.faulty("kl_drift", "score_decline", "template_collapse", "kl_ineffective", "echo_trap")
def distance_to_the_reference_explodes_and_words_dissolve(rng: random.Random) -> list[Row]:
    """Without a working leash the KL to the reference goes from hundredths to tens from step 6 on; texts
    stammer and rewards fall.
    """

    def play(task: Task, step: int, likely: float) -> Attempt:
        loose = max(0, step - 5)
        kl = 0.012 * (1 + step) * 2.4**loose * rng.lognormvariate(0, 0.3)
        if rng.random() < min(0.85, 0.13 * loose):
            text = solve(rng, task, rng.random() < likely)
            words = text.split()[: rng.randint(6, 16)]
            piece = rng.choice([*(line for line in CHECKS if line), f"{rng.choice(PLACES)} the the gap"])
            text = " ".join(words) + " " + " ".join([piece] * rng.randint(3, 8))
            attempt = Attempt([say(text)], 0.0, 0.0)
        else:
            attempt = _plain(rng, task, step, likely)
        attempt.extra = {"kl": round(kl, 4), "acc": attempt.correct}
        return attempt

    return slime(credit(roll(lambda n: sum_task(rng, n), play, 13, 8, 8), centred, rng))
