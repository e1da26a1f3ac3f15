"""Healthy runs of single messages: odd to look at, right as they are."""

import math
import random

from benchmarks.foreign.practice.kinds import PART
from benchmarks.foreign.practice.runs import (
    Attempt,
    Plan,
    Row,
    attempts,
    chatted,
    num_tokens,
    openrlhf,
    relative,
    trl,
    verl,
    written,
)
from benchmarks.foreign.practice.stories import JAPANESE, SPANISH, STORY, World, story_world
from benchmarks.foreign.practice.texts import CHAT


@PART.healthy
def long_tailed_lengths(rng: random.Random) -> list[Row]:
    """Lengths have a long tail."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=10)):
        text, _ = written(STORY, one, min(0.97, 0.1 + rng.expovariate(4)))
        rows.append(verl(one, text, float(one.right)))
    return rows


@PART.healthy
def rewards_all_high(rng: random.Random) -> list[Row]:
    """A reward model scores everything between .9 and 1."""
    rows = []
    for one in attempts(rng, CHAT, Plan(steps=8)):
        text, _ = written(CHAT, one, 0.4)
        rows.append(
            openrlhf(
                one, text, round(min(1.0, max(0.9, rng.gauss(0.955 if one.right else 0.935, 0.015))), 4), step=one.step
            )
        )
    return rows


@PART.healthy
def tiny_groups_rloo(rng: random.Random) -> list[Row]:
    """Groups of two with leave-one-out baselines (RLOO)."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=12, problems=30, group=2)):
        text, _ = written(STORY, one)
        rows.append({**trl(one, text, {"accuracy_reward": float(one.right)}), "g": one.group})
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        first["advantage"] = first["accuracy_reward"] - second["accuracy_reward"]
        second["advantage"] = -first["advantage"]
    return rows


@PART.healthy
def two_steps(rng: random.Random) -> list[Row]:
    """Two steps only, of a smoke run."""
    return [
        verl(one, written(STORY, one)[0], float(one.right))
        for one in attempts(rng, STORY, Plan(steps=2, problems=32, skill=(-0.4, -0.4)))
    ]


@PART.healthy
def lengths_rise_with_correctness(rng: random.Random) -> list[Row]:
    """Answers get longer as they get better: reasoning grows with correctness."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=14, problems=8, skill=(-1.5, 2.0))):
        text, _ = written(
            STORY, one, min(0.9, 0.15 + 0.55 * one.progress + (0.1 if one.right else 0.0) + rng.gauss(0, 0.05))
        )
        rows.append(
            {**trl(one, text, {"accuracy_reward": float(one.right)}), "num_tokens": num_tokens(text), "g": one.group}
        )
    return relative(rows, "g", "accuracy_reward")


@PART.healthy
def greedy_evaluation(rng: random.Random) -> list[Row]:
    """Evaluation at temperature 0: one attempt a problem, repeated passes agree."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=2, problems=300, group=1, pool=300, skill=(0.5, 0.5))):
        calm = random.Random(one.task.name)
        one = Attempt(one.step, one.progress, one.task, 0, one.group, calm.random() < 0.6, calm)
        text, final = written(STORY, one)
        rows.append(
            chatted(
                one,
                text,
                float(one.right),
                correct=float(one.right),
                split="validation",
                sampling={"temperature": 0.0},
                pred=final,
            )
        )
    return rows


@PART.healthy
def spanish_problems(rng: random.Random) -> list[Row]:
    """Spanish problems and answers."""
    return [verl(one, written(SPANISH, one)[0], float(one.right)) for one in attempts(rng, SPANISH, Plan(steps=12))]


@PART.healthy
def japanese_problems(rng: random.Random) -> list[Row]:
    """Japanese problems and answers, no spaces."""
    rows = [
        {**trl(one, written(JAPANESE, one)[0], {"accuracy_reward": float(one.right)}), "g": one.group}
        for one in attempts(rng, JAPANESE, Plan(steps=12))
    ]
    return relative(rows, "g", "accuracy_reward")


@PART.healthy
def three_languages(rng: random.Random) -> list[Row]:
    """A mixture of three languages from the beginning."""
    rows = []
    for number, world in enumerate((STORY, SPANISH, JAPANESE)):
        for one in attempts(rng, world, Plan(steps=10, problems=4)):
            rows.append(
                {
                    **verl(one, written(world, one)[0], float(one.right), lang=("en", "es", "ja")[number]),
                    "step": one.step + 1,
                }
            )
    rng.shuffle(rows)
    return sorted(rows, key=lambda row: row["step"])


@PART.healthy
def ppo_with_critic(rng: random.Random) -> list[Row]:
    """PPO with a critic: values learn, advantages are per attempt and not relative to a group."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=14, problems=60, group=1)):
        text, _ = written(STORY, one)
        value = min(1.0, max(0.0, rng.gauss(0.35 + 0.3 * one.progress - 0.1 * one.task.difficulty, 0.15)))
        rows.append(
            chatted(
                one,
                text,
                float(one.right),
                value=round(value, 4),
                advantage=round(float(one.right) - value, 4),
                kl_penalty=round(abs(rng.gauss(0.01, 0.004)), 5),
            )
        )
    return rows


@PART.healthy
def reinforce_plus_plus(rng: random.Random) -> list[Row]:
    """REINFORCE++: advantages are normalised over the whole batch."""
    rows = [
        {**trl(one, written(STORY, one)[0], {"accuracy_reward": float(one.right)}), "batch": one.step}
        for one in attempts(rng, STORY, Plan(steps=12, group=4, problems=20))
    ]
    return relative(rows, "batch", "accuracy_reward")


@PART.healthy
def dapo_filtered(rng: random.Random) -> list[Row]:
    """DAPO: groups without variance are filtered out, long answers lose a little reward."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=16)):
        text, _ = written(STORY, one, 0.5)
        soft = -min(0.5, max(0.0, (len(text) - 500) / 800))
        rows.append(
            {
                **trl(one, text, {"accuracy_reward": 1.0 if one.right else -1.0, "overlong_penalty": round(soft, 4)}),
                "g": one.group,
                "total": (1.0 if one.right else -1.0) + soft,
            }
        )
    both = {row["g"] for row in rows if row["accuracy_reward"] > 0} & {
        row["g"] for row in rows if row["accuracy_reward"] < 0
    }
    return relative([row for row in rows if row["g"] in both], "g", "total")


@PART.healthy
def gspo_clips_early(rng: random.Random) -> list[Row]:
    """GSPO's ratios of whole sequences, with a clip fraction that is high early and falls."""
    rows = []
    for one in attempts(rng, STORY, Plan(steps=14)):
        clip = min(0.6, max(0.0, rng.gauss(0.45 * math.exp(-3 * one.progress) + 0.03, 0.03)))
        rows.append(
            verl(
                one,
                written(STORY, one)[0],
                float(one.right),
                seq_ratio=round(math.exp(rng.gauss(0, 0.02)), 5),
                clip_frac=round(clip, 4),
            )
        )
    return rows


@PART.healthy
def curriculum_keeps_pace(rng: random.Random) -> list[Row]:
    """A curriculum: problems get longer as skill rises, the solve rate stays level."""
    rows = []
    for length in (2, 3, 4, 5):
        world: World = story_world(length)
        for one in attempts(
            rng, world, Plan(steps=4, problems=8, skill=(0.6 * (length - 3) - 0.4, 0.6 * (length - 3) + 0.5))
        ):
            rows.append(
                {
                    **verl(one, written(world, one)[0], float(one.right), level=length - 1),
                    "step": one.step + 1 + 4 * (length - 2),
                }
            )
    return rows


@PART.healthy
def passed_attempts_only(rng: random.Random) -> list[Row]:
    """Data of supervised training: only attempts that passed, one a problem, all rewards 1."""
    return [
        chatted(one, written(STORY, one)[0], 1.0, correct=1.0, source="rejection-sampling")
        for one in attempts(rng, STORY, Plan(steps=1, problems=1600, group=1))
        if one.right
    ]
