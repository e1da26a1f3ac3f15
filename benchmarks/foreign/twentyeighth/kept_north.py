"""An adapter that never arrives, windows over the wrong problems, credit for last turns, garble, a full context."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyeighth import choices, errands, lookups, stepwise, sums, tables
from benchmarks.foreign.twentyeighth.credit import by_group, centred, grpo
from benchmarks.foreign.twentyeighth.kinds import PART
from benchmarks.foreign.twentyeighth.layouts import own, prime, verl
from benchmarks.foreign.twentyeighth.rollouts import Episode, Shape, Task, say, train


@PART.faulty("weights_never_arrive", "stale_weights", "train_inference_mismatch", "staleness", "stagnation")
def adapter_slot_stays_empty(rng: Random) -> list[Row]:
    """Each sync sends the frozen base and never the adapter: the sampler stays at the first policy and accuracy is
    flat, while the distance between its logprobs and the trainer's climbs with every step. [verl-project/verl#7495]
    """
    shape = Shape(rng.randint(11, 13), 6, 8, -0.3, 0.0)
    episodes = train(rng, sums.story, sums.worked, shape)
    norm, top = round(rng.uniform(60, 90), 6), rng.uniform(0.25, 0.45)
    for e in episodes:
        e.messages = sums.worked(rng, e.task, e.right, 0.0)
        sampled = -0.6 + rng.gauss(0, 0.06)
        moved = top * (e.progress**1.4) + 0.006
        kl = abs(rng.gauss(moved, moved / 6))
        e.extra = {
            "rollout_log_prob": round(sampled, 4),
            "actor_log_prob": round(sampled - kl, 4),
            "rollout_corr/kl": round(kl, 5),
            "rollout_corr/ess": round(math.exp(-6 * kl), 4),
            "sync_id": e.step,
            "pushed_weight_norm": norm,
            "server_loras": "[]",
            "lora_rank": 32,
        }
    return verl(by_group(episodes, grpo))


@PART.faulty("advantage_mismatch", "phantom_advantage")
def sliding_window_mixes_problems(rng: Random) -> list[Row]:
    """Problems are laid out in turn, one attempt of each after the other, but the baseline is taken over windows of as
    many neighbours as a group has: each advantage compares different problems. [PrimeIntellect-ai/prime-rl#600]
    """
    size = rng.choice([6, 8])
    episodes = train(
        rng, choices.question, choices.answered, Shape(rng.randint(9, 11), 6 if size == 8 else 8, size, -0.6, 1.9)
    )
    for e in episodes:
        e.terms = {"correct_answer": e.reward}
    ordered = sorted(episodes, key=lambda e: (e.step, e.attempt))
    for start in range(0, len(ordered), size):
        window = ordered[start : start + size]
        for e, a in zip(window, centred([w.reward for w in window]), strict=True):
            e.advantage = a
    return prime(ordered, "science-choice", "Reason briefly, then write ANSWER: <letter>.")


@PART.faulty("advantage_mismatch", "loss_mask", "zero_gradient")
def stepwise_credit_last_turn(rng: Random) -> list[Row]:
    """With a row a turn, the advantage is laid at the token places of the last turn: earlier turns of the same rollout
    get 0 or a sliver of it over their own tokens. [NovaSky-AI/SkyRL#1492]
    """
    episodes = by_group(train(rng, tables.question, tables.queried, Shape(rng.randint(7, 8), 5, 6, -0.5, 1.8)), grpo)
    applied = {}
    for number, e in enumerate(episodes):
        share = [rng.uniform(0.03, 0.15) if rng.random() < 0.2 else 0.0 for _ in range(stepwise.count(e) - 1)]
        applied[number] = [round((e.advantage or 0.0) * s, 4) for s in [*share, 1.0]]
    return stepwise.turns(episodes, "sql-steps", applied)


SHARDS = [
    "信atom",
    "ליווה",
    "ΑEX",
    "рыбаt",
    "ทีlo",
    "#%uk",
    "phant",
    "_toggle",
    "öffn",
    "관련",
    "}}]",
    "नdd",
    "xtä",
    "ق_msg",
    "ELS",
    "stage",
]


def _garbled(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    turns = lookups.tagged(rng, task, right, progress)
    if rng.random() < max(0.0, progress - 0.35) * 1.3:
        words = turns[0]["content"].split(" ")
        start = rng.randint(2, max(3, len(words) // 2))
        noise = [rng.choice(SHARDS) + rng.choice(["", rng.choice(SHARDS)]) for _ in range(rng.randint(12, 60))]
        keep = words[start:] if rng.random() < 0.2 else []
        turns[0]["content"] = " ".join(words[:start] + noise + keep)
    return turns


@PART.faulty("entropy_collapse", "language_drift", "score_decline", "kl_drift")
def garbling_search_answers(rng: Random) -> list[Row]:
    """From the middle of the run replies turn into shards of many scripts, more at each step; the entropy climbs all
    the way and the score, after a first rise, falls. [PeterGriffinJin/Search-R1#162]
    """
    episodes = train(rng, lookups.question, _garbled, Shape(rng.randint(11, 13), 6, 6, -0.5, 1.6))
    for e in episodes:
        e.right = e.right and f"<answer>{e.task.gold}</answer>" in e.text
        e.reward = float(e.right)
        e.extra = {
            "entropy": round(0.4 + 2.6 * e.progress**2 + rng.gauss(0, 0.08), 4),
            "kl_loss": round(0.002 + 0.4 * e.progress**3 * rng.uniform(0.7, 1.3), 5),
            "data_source": "nq_search",
        }
    return verl(by_group(episodes, grpo), "Answer with <search> and <answer> tags.")


def _until_full(rng: Random, task: Task, right: bool, progress: float) -> list[dict]:
    length, full, limit = rng.randint(4, 14), rng.randint(12, 14), 22
    turns: list[dict] = []
    for number in range(limit):
        if right and number == length:
            return turns + errands.ended(task)
        if number >= full:
            turns += [say("assistant", "go"), say("user", "Observation: Nothing happens.")]
        else:
            turns += errands.act(rng, task, number)
    return turns


@PART.faulty("truncation", "length_limit", "echo_trap")
def only_go_after_window(rng: Random) -> list[Row]:
    """Once the history fills the context, each reply is cut after one word, "go", and the episode runs on to its last
    turn; the rows are kept as ordinary attempts, none is marked as cut. [agentscope-ai/Trinity-RFT#608]
    """
    episodes: list[Episode] = train(rng, errands.errand, _until_full, Shape(rng.randint(8, 9), 6, 6, -0.1, 1.5))
    rows = []
    for e in episodes:
        e.right = "complete" in e.messages[-1]["content"]
        e.reward, e.stop = float(e.right), "stop" if e.right else "max_turns"
        e.terms, e.extra = (
            {"env_done": e.reward},
            {"env_rounds": stepwise.count(e), "max_env_steps": 22, "max_model_len": 1024, "max_response_tokens": 512},
        )
    for row in own(by_group(episodes, grpo), "alfworld-history"):
        rows.append({**row, "is_truncated": False})
    return rows
