"""Faults of the trainer's arithmetic: advantages, masks, weights, KL."""

import random

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.fiftyninth.agents import fact
from benchmarks.foreign.fiftyninth.kinds import PART
from benchmarks.foreign.fiftyninth.layouts import openai, ours, prime
from benchmarks.foreign.fiftyninth.programs import program
from benchmarks.foreign.fiftyninth.queries import proof, query
from benchmarks.foreign.fiftyninth.shots import advantages, batches, rollout
from benchmarks.foreign.fiftyninth.words import game


@PART.faulty("advantage_mismatch", "phantom_advantage")
def advantages_of_interleaved_groups(rng: random.Random) -> list[Row]:
    """The sampler returns all first attempts first, the trainer cuts the list into blocks: baselines mix problems."""
    size, group = 8, 6
    shots = rollout(rng, batches(query, rng, 18, size), group, -0.4, 0.5)
    for step in range(1, 19):
        mine = [shot for shot in shots if shot.step == step]
        order = sorted(range(len(mine)), key=lambda place: (mine[place].attempt, place))
        for begin in range(0, len(order), group):
            block = order[begin : begin + group]
            values = np.array([mine[place].reward for place in block])
            scaled = (values - values.mean()) / (values.std(ddof=1) + 1e-4)
            for place, value in zip(block, scaled, strict=True):
                mine[place].advantage = round(float(value), 5)
    return ours(shots, "sql")


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def pages_carry_the_loss(rng: random.Random) -> list[Row]:
    """The mask of messages is 1 for what search and pages answered, as for the policy's own turns."""
    shots = rollout(rng, batches(fact, rng, 16, 6), 8)
    advantages(rng, shots, grpo)
    rows = openai(shots)
    for row in rows:
        row["messages"] = [
            {**turn, "loss_mask": int(turn["role"] in ("assistant", "tool"))} for turn in row["messages"]
        ]
    return rows


@PART.faulty("weights_never_arrive", "stale_weights", "staleness", "train_inference_mismatch")
def sampler_stays_at_an_early_checkpoint(rng: random.Random) -> list[Row]:
    """The sampler stops taking weights at step 4: its version stands still, scores stay flat, logprobs drift apart."""
    lists = batches(proof, rng, 22, 5)
    shots = [*rollout(rng, lists[:4], 8, -0.6, -0.2), *rollout(rng, lists[4:], 8, -0.2, -0.2, first=5)]
    advantages(rng, shots, centred)
    for shot in shots:
        lag = max(0, shot.step - 5)
        sampled = -abs(rng.gauss(0.34, 0.05))
        shot.extra = {
            "policy_version": min(shot.step - 1, 4),
            "trainer_version": shot.step - 1,
            "inference_mean_logprob": round(sampled, 4),
            "trainer_mean_logprob": round(sampled - 0.017 * lag * rng.uniform(0.7, 1.4) + rng.gauss(0, 0.004), 4),
        }
    return prime(shots, "lean-small")


FILLERS = (
    "yes",
    "is it",
    "the the",
    "table",
    "or not",
    "guess",
    "no no",
    "maybe is",
    "it it",
    "animal thing",
    "when",
    "of",
    "question",
)


def _crumbled(rng: random.Random, text: str, share: float) -> str:
    words: list[str] = []
    for word in text.split():
        words.append(rng.choice(FILLERS) if rng.random() < share else word)
        if rng.random() < share * 0.7:
            words.append(rng.choice(FILLERS))
    return " ".join(words)


@PART.faulty("kl_drift", "score_decline", "kl_ineffective")
def player_runs_away_from_its_reference(rng: random.Random) -> list[Row]:
    """KL to the reference multiplies from a third of the run on, the player's questions crumble, and it loses."""
    shots = rollout(rng, batches(game, rng, 22, 5), 8, 0.6, -3.2)
    advantages(rng, shots, grpo)
    for shot in shots:
        over = max(0.0, shot.step - 7) / 15
        share = 0.5 * over**1.5 * rng.uniform(0.6, 1.2)
        shot.turns = [
            {**turn, "content": _crumbled(rng, turn["content"], share)} if turn["role"] == "assistant" else turn
            for turn in shot.turns[:-1]
        ] + [shot.turns[-1]]
        shot.extra = {
            "kl": round(0.012 * 1.05**shot.step * rng.uniform(0.8, 1.25) * (1 + 260 * over**2), 4),
            "entropy": round(0.6 + 2.2 * share + rng.gauss(0, 0.03), 4),
        }
    return ours(shots, "games")


@PART.faulty("one_sided_loss", "loss_mask", "over_filtering")
def loss_keeps_negative_advantages_only(rng: random.Random) -> list[Row]:
    """A filter with its sign turned keeps rows of negative advantage: nothing that succeeded is in the loss."""
    shots = rollout(rng, batches(program, rng, 20, 5), 8, 0.0, -0.4)
    advantages(rng, shots, grpo)
    for shot in shots:
        shot.extra = {"in_loss": (shot.advantage or 0.0) < -1e-6}
    return ours(shots, "code")
