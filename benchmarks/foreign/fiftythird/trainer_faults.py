"""Faults of the trainer's arithmetic, and of sampling and lengths."""

import json
import math
import random

from benchmarks.foreign.fiftythird import exams, language, programs
from benchmarks.foreign.fiftythird.advantages import grpo, leave_one_out
from benchmarks.foreign.fiftythird.kinds import PART
from benchmarks.foreign.fiftythird.layouts import Row, harness, openai, slime, trl, verl
from benchmarks.foreign.fiftythird.policy import Run, Task, attempts, by_group, play
from benchmarks.foreign.fiftythird.tools import call, said, told


@PART.faulty("advantage_mismatch", "phantom_advantage")
def advantages_are_centred_on_interleaved_groups(rng: random.Random) -> list[Row]:
    """Attempts are laid out prompt by prompt, but the reshape before the group's mean takes every n-th row together.

    Advantages are those of attempts at other puzzles: groups where all are right still have signs of both kinds.
    """
    run = Run(steps=14, groups=6, size=8, start=-0.3, gain=0.4)
    draws = play(rng, exams.puzzle, run)
    for step in range(run.steps):
        batch = [draw for draw in draws if draw.step == step]
        own = [draw.group for draw in batch]
        for place, draw in enumerate(batch):
            draw.group = f"column{place % run.groups}"
        grpo(batch)
        for draw, group in zip(batch, own, strict=True):
            draw.group = group
    return [
        trl(d, accuracy_reward=d.reward, problem_id=d.task.pid, group_id=d.group, solution=d.task.gold) for d in draws
    ]


@PART.faulty("kl_drift", "kl_ineffective", "score_decline")
def kl_runs_away_while_stories_fall_apart(rng: random.Random) -> list[Row]:
    """The coefficient of the KL penalty was parsed as 0: KL to the reference grows tenfold and more without a brake.

    In the last third the prose dissolves into words in no order, and the judge's score falls.
    """
    run = Run(steps=18, groups=5, size=8, start=0.2, gain=1.0)
    draws = play(rng, language.story, run)
    kls = []
    for draw in draws:
        share = draw.step / run.steps
        kl = 0.012 * math.exp(5.6 * share) * rng.uniform(0.8, 1.25)
        kls.append(round(kl, 4))
        score = (0.7 if draw.right else 0.42) + 0.1 * share + rng.gauss(0, 0.08)
        mess = max(0.0, (share - 0.5) * 2)
        if mess:
            words = draw.text.split()
            for _ in range(int(len(words) * mess)):
                words[rng.randrange(len(words))] = rng.choice(words) + rng.choice(["", "", "ly", "ness", " of of", ","])
            draw.text = " ".join(words)
            score -= 0.75 * mess
        draw.reward = round(min(1.0, max(0.0, score)), 2)
    rows = []
    for draw, kl in zip(grpo(draws), kls, strict=True):
        more = {"kl": kl, "kl_coef": 0.0, "domain": "writing", "reward_terms": {"judge": draw.reward}}
        rows.append(harness(draw, in_loss=True, **more))
    return rows


@PART.faulty("train_inference_mismatch", "score_decline")
def sampler_and_trainer_disagree_on_logprobs(rng: random.Random) -> list[Row]:
    """The sampler runs in eight bits: its logprobs of the sampled tokens lie far above those of the trainer.

    The gap is seen from the first step, grows with training, and the score turns down in the second half.
    """
    run = Run(steps=16, groups=5, size=8, start=-0.2, gain=0.0)
    rows = []
    draws = []
    for step in range(run.steps):
        shift = 1.1 * math.sin(math.pi * step / run.steps * 1.25)
        for place in range(run.groups):
            task = programs.contest(rng, step * run.groups + place, level=-shift)
            draws += attempts(rng, task, 0, run, f"s{step}-")
            for draw in draws[-run.size :]:
                draw.step, draw.group = step, f"s{step}-{task.pid}"
    for draw in grpo(draws):
        sampled = [round(-abs(rng.gauss(0, 0.22)), 4) for _ in range(draw.tokens)]
        gap = 0.12 + 0.45 * draw.step / run.steps
        trained = [round(value - max(0.0, rng.gauss(gap, gap)), 4) for value in sampled]
        mean_gap = sum(abs(a - b) for a, b in zip(sampled, trained, strict=True)) / len(sampled)
        more = {"rollout_log_probs": sampled, "old_log_probs": trained, "rollout_logprob_diff_mean": round(mean_gap, 4)}
        rows.append(verl(draw, uid=draw.task.pid, advantage=draw.advantage, acc=draw.reward, **more))
    return rows


GADGETS = ("pasta", "laundry", "nap", "bread", "call", "bus", "tea")


def timer(rng: random.Random, number: int) -> Task:
    """A wish that one call of a function fulfils."""
    name, minutes, room = rng.choice(GADGETS), rng.randint(3, 95), rng.choice(["kitchen", "study", "hall"])
    prompt = (
        f"Request {number + 1}: start a timer '{name}' of {minutes} minutes in the {room}. "
        "Functions: set_timer(name: str, seconds: int, room: str), list_rooms()."
    )
    gold = json.dumps({"name": name, "seconds": minutes * 60, "room": room})

    def write(draw: random.Random, right: bool) -> tuple[str, str]:
        seconds = minutes * 60 if right else draw.choice([minutes, minutes * 6, minutes * 100, minutes * 60 - 60])
        answer = json.dumps({"name": name, "seconds": seconds, "room": room})
        lead = draw.choice(
            (
                f"{minutes} minutes have to be given in seconds.",
                f"The function takes seconds, and the timer is for the {name}.",
                f"I set the timer in the {room}.",
                f"One call is enough for '{name}'.",
            )
        )
        return lead, answer

    return Task(f"timer-{number}", room, prompt, gold, write, rng.gauss(0, 1.0))


@PART.faulty("seed_reuse", "identical_samples", "dead_groups", "low_reward_spread")
def requests_of_a_group_share_one_seed(rng: random.Random) -> list[Row]:
    """The sampler gets one seed a prompt since step 4: the attempts of a group are the same, word by word.

    No group has a spread of rewards from there on, and advantages are 0.
    """
    run = Run(steps=16, groups=5, size=8)
    draws = play(rng, timer, run)
    for group in by_group(draws):
        first = group[0]
        ends = [rng.choice(("The timer runs.", "Done, it is set.", "It is running now.")) for _ in group]
        for draw, end in zip(group, ends, strict=True):
            if draw.step >= 4:
                draw.right, draw.reward = first.right, first.reward
                draw.text, draw.answer, end = first.text, first.answer, ends[0]
            draw.turns = [call("set_timer", draw.text, **json.loads(draw.answer)), told("set_timer", "ok"), said(end)]
    return [
        openai(d, group_id=d.group, attempt=d.attempt, advantage=d.advantage, seed=hash_of(d.group, d.step, d.attempt))
        for d in leave_one_out(draws)
    ]


def hash_of(group: str, step: int, attempt: int) -> int:
    """The seed of a request: one a group from step 4 on."""
    base = sum(ord(letter) * (place + 7) for place, letter in enumerate(group)) * 31
    return base if step >= 4 else base + attempt


@PART.faulty("length_limit", "truncation", "score_decline")
def limit_of_new_tokens_was_halved_on_resume(rng: random.Random) -> list[Row]:
    """After a restart at step 7 the limit of the response is 76 tokens: many answers end within a sentence.

    They have no answer and are paid 0; the reward falls at once and stays low.
    """
    run = Run(steps=16, groups=5, size=8, start=0.2)
    rows = []
    draws = play(rng, exams.free, run)
    for draw in draws:
        middle = [
            f"To be careful I take {draw.task.family} step by step.",
            f"I note that {rng.choice(['rounding', 'a sign', 'a unit'])} could matter in such a question.",
            rng.choice(exams.CHECKS),
            rng.choice(exams.CHECKS),
            f"Let me put the numbers in again before I give {draw.answer} as the result.",
            "An estimate with round numbers gives something close to this, so I trust the order of magnitude.",
        ]
        body, end = draw.text.rsplit("\n", 1)
        draw.text = " ".join([body, *rng.sample(middle, rng.randint(1, 6))]) + "\n" + end
        if draw.step >= 7 and draw.tokens > 76:
            draw.text = draw.text[: 76 * 42 // 10]
            draw.reward, draw.right = 0.0, False
            draw.extra["cut"] = True
    for index, draw in enumerate(grpo(draws)):
        cut = bool(draw.extra.get("cut"))
        more = {"status": "truncated" if cut else "completed", "finish_reason": "length" if cut else "stop"}
        limit = 76 if draw.step >= 7 else 152
        rows.append(
            slime(draw, index, advantage=draw.advantage, problem_id=draw.task.pid, max_response_len=limit, **more)
        )
    return rows
