"""Faulty runs: the trainer works with other numbers, masks or weights than it should."""

import random

from benchmarks.foreign.practice.acting import SQL
from benchmarks.foreign.practice.kinds import PART
from benchmarks.foreign.practice.runs import (
    Plan,
    Row,
    attempts,
    chatted,
    num_tokens,
    played,
    relative,
    trl,
    verifiers,
    verl,
    written,
)
from benchmarks.foreign.practice.stories import SPANISH, STORY


@PART.faulty("kl_drift")
def stale_reference(rng: random.Random) -> list[Row]:
    """The reference model is not the starting policy: KL to it is large from the very first step."""
    rows = []
    for one in attempts(rng, STORY, Plan()):
        text, _ = written(STORY, one)
        kl = abs(rng.gauss(2.9 + 0.2 * one.progress, 0.3))
        rows.append(
            {**trl(one, text, {"accuracy_reward": float(one.right)}), "kl_to_ref": round(kl, 4), "g": one.group}
        )
    return relative(rows, "g", "accuracy_reward")


@PART.faulty("loss_mask")
def prompt_tokens_in_loss(rng: random.Random) -> list[Row]:
    """Tokens of the prompt are in the loss: the loss counts more tokens than were sampled."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=8)):
        text, _ = written(STORY, one)
        prompt, reply = num_tokens(one.task.prompt), num_tokens(text)
        rows.append(
            chatted(one, text, float(one.right), prompt_tokens=prompt, num_tokens=reply, loss_tokens=prompt + reply)
        )
    return rows


@PART.faulty("advantage_mismatch")
def advantages_over_mixed_prompts(rng: random.Random) -> list[Row]:
    """Advantages are computed over attempts of different prompts: within a prompt they do not follow the reward."""
    rows = []
    for place, one in enumerate(attempts(rng, STORY, Plan())):
        text, _ = written(STORY, one)
        rows.append(
            {**trl(one, text, {"accuracy_reward": float(one.right)}), "slot": (one.step, place % 10), "uid": one.group}
        )
    rows = relative(rows, "slot", "accuracy_reward")
    return [{key: value for key, value in row.items() if key != "slot"} for row in rows]


@PART.faulty("kl_drift", "score_decline")
def kl_blows_up(rng: random.Random) -> list[Row]:
    """KL to the reference blows up and the policy falls apart: texts wander off, correctness collapses."""
    rows = []
    for one in attempts(rng, SPANISH, Plan(steps=14, skill=(0.8, -4.0))):
        text, _ = written(SPANISH, one)
        words = text.split()
        for _ in range(int(len(words) * max(0.0, one.progress - 0.3) * 1.2)):
            words[rng.randrange(len(words))] = rng.choice(
                ("zzk", "-", "que", "===", "und", "lo", "}}", "mmm", str(rng.randint(0, 999)))
            )
        rows.append(
            verl(
                one,
                " ".join(words),
                float(one.right),
                kl=round(0.002 * 2.72 ** (9 * one.progress) * rng.uniform(0.7, 1.4), 4),
            )
        )
    return rows


@PART.faulty("critic_divergence", "advantage_mismatch")
def critic_diverges(rng: random.Random) -> list[Row]:
    """PPO's critic diverges: its values grow without bound, advantages are large and negative."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=12)):
        text, _ = written(STORY, one)
        value = rng.gauss(0.5, 0.1) + (0 if one.step < 4 else 2.0 ** (one.step - 3) * rng.uniform(0.5, 1.5))
        rows.append(
            chatted(
                one,
                text,
                float(one.right),
                values=round(value, 4),
                returns=float(one.right),
                advantage=round(float(one.right) - value, 4),
            )
        )
    return rows


@PART.faulty("staleness")
def rollouts_get_stale(rng: random.Random) -> list[Row]:
    """Rollouts get staler and staler: the sampling policy lags the trainer by ever more versions."""
    rows = []
    for one in attempts(rng, SQL, Plan(steps=16, problems=8, group=6, skill=(-0.4, -0.2))):
        lag = int(one.step * 0.8)
        rows.append(
            verifiers(
                one,
                played(SQL, one),
                float(one.right),
                step=one.step,
                policy_version=one.step - lag,
                off_policy_lag=lag,
                importance_ratio=round(rng.lognormvariate(0, 0.05 + 0.12 * lag), 4),
            )
        )
    return rows


@PART.faulty("one_sided_loss")
def positives_masked(rng: random.Random) -> list[Row]:
    """Attempts with a positive advantage are masked out of the loss: only punishment is learned."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=10, skill=(0.2, -0.4))):
        text, _ = written(STORY, one)
        rows.append(chatted(one, text, float(one.right), correct=float(one.right), group_id=f"g{one.group}"))
    return [{**row, "in_loss": row["advantage"] <= 0} for row in relative(rows, "group_id")]


@PART.faulty("train_inference_mismatch")
def sampler_trainer_gap(rng: random.Random) -> list[Row]:
    """Sampler and trainer disagree on logprobs (another precision or another model): the gap is large and grows."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=10)):
        text, _ = written(STORY, one)
        sampled = rng.gauss(-0.45, 0.06)
        trained = sampled - abs(rng.gauss(0.15 + 1.1 * one.progress, 0.1))
        rows.append(
            verl(one, text, float(one.right), rollout_log_prob=round(sampled, 4), old_log_prob=round(trained, 4))
        )
    return rows
