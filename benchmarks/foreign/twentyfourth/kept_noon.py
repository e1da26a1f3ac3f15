"""Lag unbounded since recovery, and others.

* experts scrambled after reload
* other dataset after resume
* seeds restart in chunks
"""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfourth.abroad import harvest
from benchmarks.foreign.twentyfourth.credit import grpo
from benchmarks.foreign.twentyfourth.kinds import PART
from benchmarks.foreign.twentyfourth.layouts import nemo, own, verl
from benchmarks.foreign.twentyfourth.programs import function
from benchmarks.foreign.twentyfourth.puzzles import islanders
from benchmarks.foreign.twentyfourth.run import Plan, by_group, play
from benchmarks.foreign.twentyfourth.sums import countdown, stall


@PART.faulty("staleness", "stale_weights", "train_inference_mismatch")
def lag_unbounded_since_recovery(rng: Random) -> list[Row]:
    """Asynchronous GRPO on islanders with a lag of at most 2: after the run is recovered at step 6 the count of open
    samples starts at 0, the bound no longer holds, and the lag grows by the step [areal-project/AReaL#1388].
    """
    tries = []
    for step in range(1, 14):
        lag = 1 if step < 6 else max(1, step - 5)
        frozen = max(0, step - lag) / 12
        tries += play(rng, islanders, Plan(1, 6, 6, -0.4 + 2.2 * frozen, 0.0, step), f"isl{step}-")
    for t in tries:
        most = min(2, t.step - 1) if t.step < 6 else t.step - 5 + rng.choice((0, 1))
        lag = max(0, most - (rng.random() < 0.35))
        ratio = 1 + rng.gauss(0, 0.015 + 0.045 * lag)
        t.extra = {"rollout_version": t.step - 1 - lag, "trainer_version": t.step - 1, "staleness": lag}
        t.extra |= {"importance_ratio": round(max(0.2, ratio), 4), "recovered": t.step >= 6}
    return own(rng, grpo(tries), "areal-isl", max_head_offpolicyness=2)


SHARDS = ("ция", "的", "Ġif", "}}", "ähn", "lambda", "そ", "==", "ولي", "foo", "]],", "ment", "0x", "ness", "के")


def _scrambled(rng: Random, text: str) -> str:
    words = text.split(" ")
    begin = rng.randrange(1, max(2, len(words) // 2))
    tail = [rng.choice(SHARDS) if rng.random() < 0.7 else rng.choice(words) for _ in range(260)]
    return " ".join(words[:begin] + tail)


@PART.faulty("train_inference_mismatch", "score_decline", "entropy_collapse")
def experts_scrambled_after_reload(rng: Random) -> list[Row]:
    """GRPO of a mixture of experts on small functions: the first step is fluent; from the first reload of weights on,
    two replies in three break into scraps that the trainer finds very unlikely [NovaSky-AI/SkyRL#1680].
    """
    tries = play(rng, function, Plan(9, 7, 6, 0.3, 0.5), "fn")
    levels = {}
    for t in tries:
        level = rng.gauss(-0.34, 0.04)
        broken = t.step > 1 and rng.random() < 0.66
        if broken:
            t.stop = rng.choice(("max_tokens", "max_tokens", "stop"))
            full = t.stop == "max_tokens"
            t.say(_scrambled(rng, t.said)[: 816 if full else rng.randint(150, 700)])
            t.length = 256 if full else None
            t.right, t.reward, t.terms, t.answer = False, 0.0, {"correct": 0.0}, ""
            level = rng.gauss(-3.1, 0.5)
        gap = rng.uniform(2.2, 5.0) if broken else rng.uniform(0.0, 0.03) + 0.3 * (t.step > 1)
        levels[id(t)] = round(level, 4)
        t.extra = {"rollout_logprob": round(level, 4), "trainer_logprob": round(level - gap, 4)}
        t.extra["weight_sync"] = t.step - 1
    rows = own(rng, grpo(tries), "skyrl-moe", model="moe-30b-a3b")
    for row, t in zip(rows, tries, strict=True):
        row["messages"][-1]["mean_logprob"] = levels[id(t)]
    return rows


@PART.healthy
def other_dataset_after_resume(rng: Random) -> list[Row]:
    """The run is resumed at step 6 on another data set, whose index begins at 0 as it should: prompts, lengths and
    rewards change at once [NVIDIA-NeMo/RL#2519].
    """
    first = play(rng, countdown, Plan(5, 7, 6, -1.2, 0.9), "cd")
    second = play(rng, stall, Plan(6, 7, 6, 0.1, 1.4, first=6), "gsm")
    for tries, source in ((first, "countdown-4"), (second, "stall-gsm")):
        for n, group in enumerate(by_group(tries)):
            for t in group:
                t.extra = {"dataset_name": source, "dataset_index": n}
    return nemo(grpo(first + second))


@PART.faulty("seed_reuse", "identical_samples")
def seeds_restart_in_chunks(rng: Random) -> list[Row]:
    """GRPO on Chinese sums with seeded sampling: where a group is split over two agent workers, each counts its samples
    from 0, so both halves draw the same seeds and the same texts [verl-project/verl#6857].
    """
    tries = play(rng, harvest, Plan(9, 7, 8, -0.5, 1.8), "zh")
    for group in by_group(tries):
        base, whole, home = rng.randrange(10**6), rng.random() < 0.42, rng.randrange(7)
        for t in group:
            number = t.attempt if whole else t.attempt % 4
            worker = home if whole else home + t.attempt // 4
            if number != t.attempt and (first := next((g for g in group if g.attempt == number), None)):
                t.turns, t.answer, t.right, t.reward = first.turns, first.answer, first.right, first.reward
            t.extra = {"rollout_n": number, "sampling_seed": base + number, "agent_worker": worker, "acc": t.reward}
    return verl(grpo(tries), data_source="zh_harvest", full_determinism=True)
