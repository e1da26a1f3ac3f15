"""Faults of the trainer's arithmetic: baselines, versions, logprobs, masks, KL, values."""

import random

import numpy as np

from benchmarks.foreign import estimators
from benchmarks.foreign.fortyninth.advantages import fill
from benchmarks.foreign.fortyninth.archive import years
from benchmarks.foreign.fortyninth.attempts import Attempt, Task, chance, fresh, group_of, mixed, paid, roll, say
from benchmarks.foreign.fortyninth.batch import everything, play_any, stones_too, verifiable
from benchmarks.foreign.fortyninth.desk import orders
from benchmarks.foreign.fortyninth.kinds import PART
from benchmarks.foreign.fortyninth.layouts import chat_lines, open_rlhf, prime, slime, trl, verl
from benchmarks.foreign.fortyninth.repos import repositories
from benchmarks.foreign.fortyninth.sums import sums


@PART.faulty("advantage_mismatch", "phantom_advantage")
def baselines_are_taken_after_rows_were_sorted_by_length(rng: random.Random) -> list[dict]:
    """Rows are balanced by length before advantages are computed, and each block of eight counts as a group.

    Advantages are those of strangers: groups without spread get some, and a right attempt gets 0 among right ones.
    """
    attempts = roll(rng, everything, play_any, 13, 6, 8)
    for step in range(13):
        rows = sorted((a for a in attempts if a.step == step), key=lambda a: -a.tokens)
        rewards = np.array([a.reward for a in rows])
        blocks, lengths = np.arange(len(rows)) // 8, np.ones(len(rows))
        for a, value in zip(rows, estimators.grpo(rewards, blocks, lengths, np.random.default_rng(0)), strict=True):
            a.advantage = round(float(value), 6)
    return [prime(a) for a in attempts]


@PART.faulty("staleness", "stale_weights", "score_decline")
def rollout_workers_fall_a_dozen_versions_behind_the_trainer(rng: random.Random) -> list[dict]:
    """Slow repositories fill the queue, and samples wait until the trainer is twelve versions and more ahead.

    The gap grows with every few steps; the score rises at first and then gives way.
    """
    out: list[Attempt] = []
    seen: set[str] = set()
    for step in range(26):
        lag = max(0, round(step * 0.62 + rng.gauss(0, 0.8)))
        t = min(1.0, step / 9) - max(0.0, (step - 12) / 11)
        for number in range(4):
            task = fresh(rng, verifiable, seen)
            old = max(0, step - lag - rng.randint(0, 1))
            group = group_of(rng, task, play_any, step, t, 8, f"{step}-{number}")
            for a in group:
                a.extra = {
                    "weight_version": old,
                    "trainer_version": step,
                    "queue_seconds": lag * 61 + rng.randint(5, 50),
                }
            out += group
    return [slime(a, advantage=a.advantage) for a in fill(out)]


@PART.faulty("train_inference_mismatch", "score_decline")
def experts_are_routed_otherwise_in_the_sampler_than_in_the_trainer(rng: random.Random) -> list[dict]:
    """Logprobs of the same tokens part between sampler and trainer, a little at first and by nats at the end.

    The ratio's mean leaves 1 and the score sinks, while no sample is of an older policy.
    """
    out: list[Attempt] = []
    seen: set[str] = set()
    for step in range(16):
        t = step / 15
        for number in range(6):
            task = fresh(rng, stones_too, seen)
            shown = 0.8 * t if t < 0.4 else 0.32 - 1.2 * (t - 0.4)
            group = group_of(rng, task, play_any, step, shown, 8, f"{step}-{number}")
            for a in group:
                a.extra = _logprobs(rng, a, 0.02 + 0.9 * t**1.6)
            out += group
    return [verl(a, advantage=a.advantage, param_version=a.step) for a in fill(out)]


def _logprobs(rng: random.Random, a: Attempt, gap: float) -> dict:
    sampled = -abs(rng.gauss(0.42, 0.09))
    off = gap * abs(rng.gauss(1.0, 0.3))
    return {
        "acc": float(a.right),
        "rollout_log_prob": round(sampled, 4),
        "old_log_prob": round(sampled - off, 4),
        "rollout_probs_diff_max": round(min(0.999, 0.05 + off * rng.uniform(0.7, 1.1)), 4),
        "response_length": a.tokens,
    }


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def masks_of_one_teams_tools_are_all_ones(rng: random.Random) -> list[dict]:
    """Each message has a mask; in the service desk's environment that of the tools' answers is 1 as well.

    The other environments mask theirs, so the desk's share of the loss is on text that no policy wrote.
    """
    attempts = fill(
        roll(rng, mixed([(orders, 3), (years, 2), (repositories, 1), (sums, 2)]), play_any, 13, 6, 8), "rloo"
    )
    rows = []
    for a in attempts:
        row = chat_lines(a)
        for message in row["messages"]:
            theirs = message["role"] == "tool" and a.task.domain == "desk"
            message["loss_mask"] = int(message["role"] == "assistant" or theirs)
        rows.append(row)
    return rows


SHARDS = ("thus", "hence whereby", "number number", "->", "sum it sum", "of of the", "ok so", "which", "=> =>", "so so")


@PART.faulty("kl_drift", "kl_ineffective", "score_decline")
def policy_runs_from_its_reference_and_prose_frays(rng: random.Random) -> list[dict]:
    """KL to the reference goes from hundredths to several nats under a coefficient that stays at 0.001.

    Texts fray into fragments, the boxed numbers with them, and the score falls back to where it began.
    """
    begin = 0.35

    def play(rng: random.Random, task: Task, right: bool, t: float) -> Attempt:
        fray = max(0.0, (t - begin) / (1 - begin))
        a = play_any(rng, task, right and rng.random() > 0.75 * fray, t)
        words = a.text.split(" ")
        for _ in range(int(len(words) * 0.5 * fray * rng.uniform(0.5, 1.3))):
            words.insert(rng.randrange(max(1, len(words) - 4)), rng.choice(SHARDS))
        a.messages = [say(" ".join(words))]
        kl = 0.012 + 0.03 * t + 4.5 * fray**2
        a.extra = {"kl": round(kl * rng.uniform(0.8, 1.25), 4), "kl_coef": 0.001, "entropy": round(0.5 + 1.9 * fray, 3)}
        return a

    attempts = fill(roll(rng, mixed([(sums, 1)]), play, 15, 6, 8, -0.3, 1.2))
    return [trl(a) for a in attempts]


@PART.faulty("critic_divergence")
def values_of_the_critic_run_off_in_the_mixed_batch(rng: random.Random) -> list[dict]:
    """PPO: rewards lie between 0 and 1, while the critic's values go to 9 and more and part from the returns.

    Explained variance falls below 0 and advantages are almost only the critic's error.
    """
    attempts = roll(rng, verifiable, play_any, 16, 6, 8, -0.5, 0.5)
    rows = []
    for step in range(16):
        batch = [a for a in attempts if a.step == step]
        t = step / 15
        level, noise = 9.5 * max(0.0, t - 0.25) ** 1.4, 0.1 + 2.4 * max(0.0, t - 0.25)
        values = [chance(a.task.hard, t, -0.5, 0.5) + level + rng.gauss(0, noise) for a in batch]
        raw = np.array([a.reward - v for a, v in zip(batch, values, strict=True)])
        white = (raw - raw.mean()) / (raw.std() + 1e-8)
        rewards = np.array([a.reward for a in batch])
        explained = 1 - raw.var() / max(1e-6, rewards.var())
        for a, v, w in zip(batch, values, white, strict=True):
            extra = {"value": round(v, 4), "return": a.reward, "advantage": round(float(w), 6)}
            extra["value_loss"] = round((a.reward - v) ** 2 / 2, 4)
            rows.append(open_rlhf(paid(a, a.reward), explained_variance=round(float(explained), 4), **extra))
    return rows
