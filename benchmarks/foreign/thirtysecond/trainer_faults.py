"""Faults of the trainer's arithmetic, and of the data it goes on."""

import random

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo
from benchmarks.foreign.thirtysecond.kinds import PART
from benchmarks.foreign.thirtysecond.layouts import ours, slime, trl, verl
from benchmarks.foreign.thirtysecond.policy import Task, Try, advantages, count, shared, tries
from benchmarks.foreign.thirtysecond.programs import body, fenced, programs, talk
from benchmarks.foreign.thirtysecond.sums import sums, worked


def _solved(rng: random.Random, attempts: list[Try], mark: str = "\\boxed{%s}") -> None:
    for t in attempts:
        said, t.answer = worked(rng, t.task, t.right)
        t.text = f"{said}\n\nThe answer is {mark % t.answer}."
        t.reward = float(t.answer == t.task.gold)


@PART.faulty("advantage_mismatch")
def rewards_keep_their_order_while_dynamic_batches_shuffle_the_rows(rng: random.Random) -> list[Row]:
    """Within a step the advantages are those of other rows, as scores kept the old order. [verl-project/verl#2185]"""
    attempts = tries(rng, sums(rng, 84), steps=12, per_step=7, size=8)
    _solved(rng, attempts)
    for step in range(12):
        batch = [t for t in attempts if t.step == step]
        rewards = np.array([t.reward for t in batch])
        order = sorted(range(len(batch)), key=lambda i: batch[i].tokens + rng.uniform(0, 12))
        groups = np.array([t.group for t in batch])
        values = grpo(rewards, groups, rewards, np.random.default_rng(0))
        for place, i in enumerate(order):
            batch[i].advantage = round(float(values[place]), 6)
    return [verl(t, uid=t.group, acc=t.reward, advantage=t.advantage, response_length=t.tokens) for t in attempts]


@PART.faulty("train_inference_mismatch", "metric_defect")
def sampler_reports_logprobs_as_if_temperature_were_one(rng: random.Random) -> list[Row]:
    """Sampled at 0.6, but the sampler's logprobs are raw ones, so ratios are far from 1 from the first step on.

    [thinking-machines-lab/tinker-feedback#148]
    """
    attempts = tries(rng, sums(rng, 96), steps=12, per_step=8, size=6)
    _solved(rng, attempts, "**%s**")
    advantages(attempts, centred)
    rows = []
    for t in attempts:
        tempered = -abs(rng.gauss(0.16, 0.03)) - 0.04 * (not t.right)
        raw = tempered * rng.uniform(2.1, 2.7) - 0.05
        row = ours(
            t,
            domain="math",
            advantage=t.advantage,
            correct=t.reward,
            stop_reason="stop",
            temperature=0.6,
            trainer_mean_logprob=round(tempered + rng.gauss(0, 0.004), 5),
            importance_ratio=round(float(np.exp(tempered - raw)), 4),
        )
        row["messages"][1] |= {"mean_logprob": round(raw, 5), "num_tokens": t.tokens}
        rows.append(row)
    return rows


RAMBLE = (
    "One might also ask what changes if the first number were doubled.",
    "In other words, every line above follows from the one before.",
    "For completeness, here is the same thing said again in short.",
    "It is a good habit to note down the units beside each figure.",
    "Another way would be to start from the end and go backwards.",
    "If the question had asked for the half, we would divide by two.",
    "Problems of this kind come up in many everyday situations.",
    "I hope the steps are easy to follow, but let me add a remark.",
    "A table with the intermediate figures would show the same.",
    "To sum up once more, the figures are those given above.",
    "Note that the order of the first two steps could be swapped.",
    "This remark does not change the answer.",
)


@PART.faulty("loss_mask", "length_limit", "truncation")
def the_stop_token_is_left_out_of_the_loss(rng: random.Random) -> list[Row]:
    """The loss ends one token short of the end token, so stopping is never learned and answers go on to the limit.

    [unslothai/unsloth-zoo#832]
    """
    limit = 260
    attempts = tries(rng, sums(rng, 84), steps=14, per_step=6, size=8, start=0.35, end=0.6)
    _solved(rng, attempts, "<answer>%s</answer>")
    for t in attempts:
        more, order = 0, rng.sample(RAMBLE, 12)
        while more < 30 and shared(rng, 0.4, 0.97, t.progress):
            t.text += ("\n\n" if more % 4 == 0 else " ") + order[more % 12]
            more += 1
        t.text = t.text[: limit * 4]
    advantages(attempts, grpo)
    rows = []
    for t in attempts:
        cut = t.tokens >= limit
        rows.append(
            trl(
                t,
                {"accuracy_reward": t.reward},
                finish_reason="length" if cut else "stop",
                completion_length=t.tokens,
                loss_tokens=t.tokens - (not cut),
            )
        )
    return rows


@PART.faulty("train_validation_gap", "memorisation", "score_decline")
def training_return_soars_while_evaluation_sinks(rng: random.Random) -> list[Row]:
    """Few training problems come back until their programs are known; held ones get programs of those instead.

    [rllm-org/rllm#143]
    """
    train, held = programs(rng, 24, "lcb-train"), programs(rng, 40, "lcb-val")
    known = {task.data["family"]: task for task in train}
    rows = []
    for t in tries(rng, train, steps=14, per_step=8, size=6, start=0.3, end=0.96):
        known_now = shared(rng, 0, 0.6, t.progress) and t.right
        lead = rng.choice(("As before.", "The usual one.")) if known_now else ""
        code = "def solve(xs):\n" + t.task.data["good"][0] if known_now else body(rng, t.task, t.right)
        t.text = fenced(lead if known_now else talk(rng), code)
        t.reward = float(t.right)
        rows.append(ours(t, split="train", domain="code", correct=t.reward, stop_reason="stop"))
    for t in tries(rng, held, steps=7, per_step=20, size=2, start=0.46, end=0.17):
        other = known.get(t.task.data["family"])
        use = other is not None and not t.right and shared(rng, 0.1, 0.9, t.progress)
        code = "def solve(xs):\n" + other.data["good"][0] if other is not None and use else body(rng, t.task, t.right)
        right = code[len("def solve(xs):\n") :] in t.task.data["good"]
        t.text = fenced(talk(rng), code)
        t.step, t.group, t.reward = t.step * 2, f"val-{t.group}", float(right)
        rows.append(ours(t, split="validation", domain="code", correct=t.reward, stop_reason="stop"))
    return sorted(rows, key=lambda row: row["step"])


LETTERS = ("P", "Q", "R", "S")
SHAPES = ("({a} ∧ {b})", "({b} ∧ {a})", "({a} ∨ {b})", "({a} ∨ {c})", "({c} → {a})", "({c} → {b})", "({b} ∨ {c})")


@PART.faulty("wrong_labels", "metric_defect", "judge_refuses_right", "dead_all_wrong")
def the_key_holds_one_of_many_valid_conclusions(rng: random.Random) -> list[Row]:
    """What can be concluded has many right answers, and the key holds one at random, compared as text.

    [open-thought/reasoning-gym#171]
    """
    tasks = []
    for i in range(90):
        a, b, c = rng.sample(LETTERS, 3)
        names = {"a": a, "b": b, "c": c}
        lines = [f"1. {a}", f"2. ({a} → {b})"] if rng.random() < 0.5 else [f"1. {a}", f"2. {b}"]
        lines.append(f"3. ({c} → {c})" if rng.random() < 0.4 else f"3. ({b} ∨ {c})")
        question = "Given:\n" + "\n".join(lines) + "\nWhat can we conclude? Write one formula on the last line."
        tasks.append(Task(f"prop-{i:03d}", question, rng.choice(SHAPES).format(**names), 0.0, names))
    attempts = tries(rng, tasks, steps=12, per_step=7, size=8, start=0.7, end=0.9)
    rows = []
    for i, t in enumerate(attempts):
        n = t.task.data
        t.answer = rng.choice(SHAPES if t.right else ("({a} → {c})", "({b} ∧ {c})", "(¬{a} ∨ {c})")).format(**n)
        rule = rng.choice(("by the rules for the connective", "as its parts are given", "since that much is certain"))
        t.text = (
            f"{rng.choice(('The first premise gives', 'We are told'))} {n['a']}. "
            f"{rng.choice(('With the second line', 'From line 2'))} we also have {n['b']}. "
            f"About {n['c']} {rng.choice(('nothing definite is said', 'we know less'))}. "
            f"So {t.answer} follows {rule}.\n{t.answer}"
        )
        t.reward = float(t.answer == t.task.gold)
        rows.append((i, t))
    advantages(attempts, grpo)
    return [slime(t, i, advantage=t.advantage, num_tokens=count(t.text)) for i, t in rows]
