"""Faults of the trainer's arithmetic and of its weights."""

import json
import random

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import grpo, leave_one_out
from benchmarks.foreign.fiftyfourth import library, programs, sums, tables
from benchmarks.foreign.fiftyfourth.attempts import Attempt, Learner, count, run, said, weigh
from benchmarks.foreign.fiftyfourth.kinds import PART
from benchmarks.foreign.fiftyfourth.layouts import openai, ours, prime, trl


@PART.faulty("advantage_mismatch", "phantom_advantage")
def rewards_are_grouped_after_a_sort_by_length(rng: random.Random) -> list[Row]:
    """Batches are sorted by length for packing before rewards are reshaped into groups: each advantage is relative to
    attempts at other problems of like length.
    """
    tasks = sums.problems(rng, 60)
    policy = Learner(-0.4, 0.5, 20)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, 1.6 * task["hard"])
        text = sums.boxed(rng, task, right)
        terms = {"accuracy_reward": float(right), "boxed_reward": 0.1 * float(rng.random() < 0.9)}
        if not terms["boxed_reward"]:
            text = text.replace("\\boxed{", "").replace("}", "")
        return Attempt(task["text"], said(text), sum(terms.values()), float(right), terms=terms)

    attempts = run(rng, tasks, 20, 6, 6, attempt)
    for step in range(1, 21):
        batch = sorted((a for a in attempts if a.step == step), key=lambda a: a.tokens)
        rewards = np.array([a.reward for a in batch])
        values = grpo(rewards, np.arange(len(batch)) // 6, np.ones(len(batch)), np.random.default_rng(0))
        for a, value in zip(batch, values, strict=True):
            a.advantage = round(float(value), 6)
    return [trl(a) for a in attempts]


@PART.faulty("tool_tokens_in_loss", "loss_mask")
def answers_of_tools_carry_a_loss_mask_of_one(rng: random.Random) -> list[Row]:
    """After a change of chat template the mask of tool messages is 1 like that of the policy's own: their text is
    trained on. The policy begins to speak like the documents and gets slightly worse.
    """
    tasks = library.questions(rng, 60)
    policy = Learner(0.7, -0.9, 20)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        call = {
            "id": "call_0",
            "type": "function",
            "function": {"name": "search", "arguments": json.dumps({"query": library.query(rng, task)})},
        }
        text = library.concluded(rng, task, task["gold"] if right else task["off"])
        if rng.random() < 0.4 * step / 20:
            text = rng.choice(library.NOISE).format(t=task["town"]) + " " + text
        turns = [
            {
                "role": "assistant",
                "content": rng.choice(("", "I search for it.", "Let me check.")),
                "tool_calls": [call],
                "loss_mask": 1,
            },
            {"role": "tool", "tool_call_id": "call_0", "content": task["doc"], "loss_mask": 1},
            {"role": "assistant", "content": text, "loss_mask": 1},
        ]
        return Attempt(task["text"], turns, float(right), float(right))

    rows = []
    for a in weigh(run(rng, tasks, 20, 6, 5, attempt), leave_one_out):
        row = openai(a, correct=a.correct, loss_tokens=sum(count(t) for t in a.turns))
        row["messages"][0] = {**row["messages"][0], "loss_mask": 0}
        rows.append(row)
    return rows


@PART.faulty("critic_divergence", "score_decline")
def values_of_the_critic_leave_the_range_of_returns(rng: random.Random) -> list[Row]:
    """Rewards are 0 or 1, but from the middle of the PPO run the critic predicts values that grow step by step to more
    than ten; advantages become noise and the score falls.
    """
    tasks = programs.problems(rng, 48)
    policy, begin = Learner(-0.4, 1.4, 22), rng.randint(9, 12)
    base = {t["id"]: 1 / (1 + np.exp(t["hard"])) for t in tasks}

    def attempt(step: int, task: dict, k: int) -> Attempt:
        late = max(0, step - begin)
        right = policy.hits(rng, min(step, begin) - 5.0 * late, task["hard"])
        text = programs.reply(rng, programs.source(rng, task["right" if right else "wrong"]))
        value = rng.gauss(0.6 * base[task["id"]] + 0.2, 0.08) + (0.25 * late**1.7) * rng.uniform(0.6, 1.2)
        loss = (value - right) ** 2 / 2
        extra = {"value_mean": round(value, 4), "return": float(right), "value_loss": round(loss, 4)}
        return Attempt(task["text"], said(text), float(right), float(right), extra=extra)

    attempts = run(rng, tasks, 22, 8, 4, attempt)
    for step in range(1, 23):
        batch = [a for a in attempts if a.step == step]
        raw = np.array([a.reward - a.extra["value_mean"] for a in batch])
        for a, value in zip(batch, (raw - raw.mean()) / (raw.std() + 1e-8), strict=True):
            a.advantage = round(float(value), 5)
    return [ours(a, domain="code") for a in attempts]


@PART.faulty("weights_never_arrive", "stale_weights", "train_inference_mismatch")
def server_goes_on_without_the_adapter(rng: random.Random) -> list[Row]:
    """The trainer saves a LoRA adapter each step, but the server refuses to load it and samples from the base model
    throughout: the sampler's version stays 0, logprobs of both sides drift apart, and the score stays where it was.
    """
    tasks = tables.problems(rng, 50)
    policy = Learner(-0.4, 0.0, 24)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        sampler = rng.gauss(-0.42, 0.05)
        extra = {
            "sampler_policy_version": 0,
            "trainer_version": step - 1,
            "sampler_logprob": round(sampler, 4),
            "trainer_logprob": round(sampler - 0.018 * (step - 1) - abs(rng.gauss(0, 0.01)), 4),
        }
        text = tables.reply(rng, task, right)
        return Attempt(
            tables.prompt(task),
            said(text),
            float(right),
            float(right),
            gold=task["gold"],
            terms={"execution_match": float(right)},
            extra=extra,
        )

    return [prime(a, "sqlite-qa", off_policy_steps=a.step - 1) for a in weigh(run(rng, tasks, 24, 6, 5, attempt))]


@PART.faulty("one_sided_loss", "over_filtering", "loss_mask")
def filter_drops_whoever_is_below_the_group_mean(rng: random.Random) -> list[Row]:
    """A filter that should drop groups without spread drops all attempts of negative advantage: only the better ones of
    each group are in the loss, and answers of the group become ever more alike.
    """
    tasks = library.bookings(rng, 60)
    policy = Learner(-0.2, 1.0, 20)

    def attempt(step: int, task: dict, k: int) -> Attempt:
        right = policy.hits(rng, step, task["hard"])
        arguments = dict(task["arguments"])
        if not right:
            name = rng.choice(("people", "hour"))
            arguments[name] += rng.choice((-1, 1))
        leads = ("I will book that.", "One moment.", "Gladly, here is the call.", "Booking as you wish.", "Sure.")
        lead = leads[0] if rng.random() < step / 22 else rng.choice(leads)
        text = lead + "\n" + json.dumps({"name": task["name"], "arguments": arguments})
        prompt = "Functions: book_table, book_court, book_tour (town, people, hour).\n" + task["text"]
        return Attempt(prompt, said(text), float(right), float(right), gold=json.dumps(task["arguments"]))

    attempts = weigh(run(rng, tasks, 20, 6, 6, attempt))
    return [ours(a, in_loss=bool(a.advantage and a.advantage > 0), domain="tools") for a in attempts]
