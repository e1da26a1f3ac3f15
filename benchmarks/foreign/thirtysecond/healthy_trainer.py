"""Healthy runs whose numbers look odd: schedules, masks, baselines, epochs, drift."""

import math
import random

import numpy as np

from benchmarks.foreign.case import Row
from benchmarks.foreign.estimators import centred, grpo, leave_one_out, whole_batch
from benchmarks.foreign.thirtysecond.kinds import PART
from benchmarks.foreign.thirtysecond.layouts import inspect, nemo, openrlhf, ours, prime, slime, trl, verl
from benchmarks.foreign.thirtysecond.policy import Task, Try, advantages, chance, tries
from benchmarks.foreign.thirtysecond.programs import body, fenced, programs, talk
from benchmarks.foreign.thirtysecond.sums import TEMPLATES, sums, worked


def _solved(rng: random.Random, attempts: list[Try], mark: str = "\\boxed{%s}") -> None:
    for t in attempts:
        said, t.answer = worked(rng, t.task, t.right)
        lead = rng.choice(("The answer is ", "So the result is ", "Therefore we get ", "Final answer: "))
        t.text = f"{said}\n\n{lead}{mark % t.answer}."
        t.reward = float(t.answer == t.task.gold)


@PART.healthy
def the_learning_rate_warms_up_from_zero_and_decays_to_a_tenth(rng: random.Random) -> list[Row]:
    """The first step's rate is 0 and the last ones are small; that is a warm-up with a cosine, and scores rise."""
    attempts = tries(rng, sums(rng, 112), steps=16, per_step=7, size=6, start=0.25, end=0.68)
    _solved(rng, attempts)
    advantages(attempts, grpo)
    rates = [1e-6 * min(s / 3, 0.1 + 0.45 * (1 + math.cos(math.pi * max(0, s - 3) / 12))) for s in range(16)]
    return [
        trl(t, {"accuracy_reward": t.reward}, learning_rate=rates[t.step], completion_length=t.tokens) for t in attempts
    ]


@PART.healthy
def a_batch_baseline_pays_groups_in_which_all_are_right(rng: random.Random) -> list[Row]:
    """Groups without spread have advantages; REINFORCE++ standardises over the batch, not over the group."""
    attempts = tries(rng, sums(rng, 96), steps=12, per_step=8, size=6, start=0.35, end=0.75)
    _solved(rng, attempts)
    advantages(attempts, whole_batch)
    return [
        verl(t, acc=t.reward, advantage=t.advantage, adv_estimator="reinforce_plus_plus", response_length=t.tokens)
        for t in attempts
    ]


@PART.healthy
def the_few_overlong_replies_stay_out_of_the_loss(rng: random.Random) -> list[Row]:
    """Some rows never reach the loss; they were cut at the limit, and the recipe masks those, one in fourteen."""
    limit = 170
    attempts = tries(rng, sums(rng, 96), steps=12, per_step=8, size=6, start=0.35, end=0.7)
    _solved(rng, attempts)
    for t in attempts:
        if rng.random() < 0.075:
            twice, _ = worked(rng, t.task, t.right)
            third, _ = worked(rng, t.task, t.right)
            more = f" I do it again with care. {twice} A third way of writing it down. {third} Once more from the top."
            t.text = (t.text.split("\n\n")[0] + more + more)[: limit * 4]
            t.reward = 0.0
    advantages(attempts, grpo)
    return [
        ours(
            t,
            domain="math",
            correct=t.reward,
            advantage=t.advantage,
            in_loss=t.tokens < limit,
            is_truncated=t.tokens >= limit,
            stop_reason="max_tokens" if t.tokens >= limit else "stop",
        )
        for t in attempts
    ]


@PART.healthy
def the_divergence_from_the_start_grows_as_it_learns(rng: random.Random) -> list[Row]:
    """KL rises twentyfold; from 0.002 to 0.045 nats is little, its penalty is in force, and scores rise with it."""
    attempts = tries(rng, sums(rng, 104), steps=13, per_step=8, size=6, start=0.25, end=0.72)
    _solved(rng, attempts)
    rows = []
    for t in attempts:
        kl = 0.002 + 0.043 * t.progress**1.3 * rng.uniform(0.8, 1.2)
        rows.append((t, round(kl, 5)))
    advantages(attempts, leave_one_out)
    return [slime(t, i, advantage=t.advantage, kl=kl, kl_coef=0.001) for i, (t, kl) in enumerate(rows)]


@PART.healthy
def three_epochs_over_a_small_set_are_planned(rng: random.Random) -> list[Row]:
    """Every problem comes three times, as configured; each time the attempts are new, and better."""
    tasks = programs(rng, 30, "small")
    attempts = tries(rng, tasks, steps=15, per_step=6, size=8, start=0.3, end=0.62)
    for t in attempts:
        code = body(rng, t.task, t.right)
        t.text = fenced(talk(rng, f"{t.task.data['k']} is the only constant."), code)
        t.reward = float(t.right)
    advantages(attempts, centred)
    return [prime(t, "small-code", {"tests": t.reward}, info={"epoch": t.step // 5 + 1, "epochs": 3}) for t in attempts]


@PART.healthy
def harder_levels_open_and_the_mean_score_falls(rng: random.Random) -> list[Row]:
    """The mean score sinks step by step; a curriculum brings harder levels, and within each level it rises."""
    levels = {1: TEMPLATES[:1], 2: (TEMPLATES[1], TEMPLATES[4]), 3: (TEMPLATES[2], TEMPLATES[3])}
    attempts: list[Try] = []
    for level, templates in levels.items():
        tasks = sums(rng, 60, templates, f"level{level}")
        for task in tasks:
            task.hard = rng.gauss(0, 0.4)
            task.data["level"] = level
        low, high = {1: (0.72, 0.92), 2: (0.42, 0.68), 3: (0.2, 0.42)}[level]
        part = tries(rng, tasks, steps=6, per_step=8, size=5, start=low, end=high)
        for t in part:
            t.step += (level - 1) * 6
            t.group = f"{t.step}-{t.task.id}"
        attempts += part
    _solved(rng, attempts)
    advantages(attempts, grpo)
    return [ours(t, domain="math", correct=t.reward, advantage=t.advantage, difficulty=t.task.data["level"],
                 family=f"level-{t.task.data['level']}", stop_reason="stop") for t in attempts]  # fmt: skip


@PART.healthy
def rollouts_are_one_version_behind_and_almost_the_same(rng: random.Random) -> list[Row]:
    """Rollouts are of the policy one update back; an asynchronous trainer does that, and ratios stay near 1."""
    attempts = tries(rng, sums(rng, 96), steps=12, per_step=8, size=6, start=0.3, end=0.66)
    _solved(rng, attempts)
    advantages(attempts, leave_one_out)
    rows = []
    for t in attempts:
        sampler = -abs(rng.gauss(0.31, 0.05)) - 0.05 * (not t.right)
        trainer = sampler + rng.gauss(0, 0.006)
        row = ours(
            t,
            domain="math",
            correct=t.reward,
            advantage=t.advantage,
            policy_lag=min(1, t.step),
            trainer_mean_logprob=round(trainer, 5),
            importance_ratio=round(float(np.exp(trainer - sampler)), 4),
            stop_reason="stop",
        )
        row["messages"][1] |= {"mean_logprob": round(sampler, 5), "num_tokens": t.tokens}
        rows.append(row)
    return rows


@PART.healthy
def held_problems_are_harder_and_stay_behind(rng: random.Random) -> list[Row]:
    """Validation is far below training all the way; it is the olympiad set by choice, and both rise together."""
    train = sums(rng, 90, TEMPLATES[:2], "train")
    held = sums(rng, 40, (TEMPLATES[2],), "olympiad")
    attempts = tries(rng, train, steps=10, per_step=9, size=6, start=0.5, end=0.78)
    later = tries(rng, held, steps=5, per_step=20, size=3, start=0.22, end=0.44)
    for t in later:
        t.step, t.group = t.step * 2, f"val-{t.group}"
    _solved(rng, attempts + later, "**%s**")
    advantages(attempts, grpo)
    rows = [
        ours(t, split="train", domain="math", correct=t.reward, advantage=t.advantage, stop_reason="stop")
        for t in attempts
    ]
    rows += [ours(t, split="validation", domain="math", correct=t.reward, stop_reason="stop") for t in later]
    return sorted(rows, key=lambda row: row["step"])


@PART.healthy
def one_easy_family_is_kept_as_a_canary_and_always_solved(rng: random.Random) -> list[Row]:
    """A fifth of the groups is always all right; they are kept on purpose to see regressions, the rest has spread."""
    easy = [
        Task(f"canary-{i:02d}", f"What is {a} plus {b}?", str(a + b), -8.0, {"steps": [
            (f"{a} and {b} make {{0}}.", lambda v, a=a, b=b: a + b)], "family": "canary"})
        for i, (a, b) in enumerate((rng.randint(2, 60), rng.randint(2, 60)) for _ in range(24))
    ]  # fmt: skip
    attempts = tries(rng, sums(rng, 84), steps=12, per_step=7, size=6, start=0.32, end=0.6)
    canaries = tries(rng, easy, steps=12, per_step=2, size=6, start=0.9, end=0.95)
    for t in attempts + canaries:
        t.right = t.right or t.task.id.startswith("canary")
    every = sorted(attempts + canaries, key=lambda t: t.step)
    _solved(rng, every)
    advantages(every, centred)
    return [prime(t, "mixed", {"correct": t.reward}, info={"source": t.task.data["family"]}) for t in every]


LISTS = ("prime", "a multiple of 7", "a square", "odd", "above 500", "a palindrome")


def _fits(n: int, what: str) -> bool:
    if what == "prime":
        return n > 1 and all(n % d for d in range(2, int(n**0.5) + 1))
    checks = {
        "a multiple of 7": n % 7 == 0,
        "a square": math.isqrt(n) ** 2 == n,
        "odd": n % 2 == 1,
        "above 500": n > 500,
        "a palindrome": str(n) == str(n)[::-1],
    }
    return checks[what]


@PART.healthy
def one_word_answers_repeat_as_questions_want_yes_or_no(rng: random.Random) -> list[Row]:
    """Replies are two words over and over; the questions are for yes or no without reasons, half and half."""
    rows = []
    for n in range(130):
        what = LISTS[n % len(LISTS)]
        pool = [x for x in range(10, 999) if _fits(x, what) == (n % 2 == 0)]
        number = rng.choice(pool)
        gold = "Yes" if n % 2 == 0 else "No"
        question = f"Item {n}: is {number} {what}? Reply with Yes or No and nothing else."
        task = Task(f"yn-{n:03d}", question, gold, rng.gauss(0, 0.6))
        for t in tries(rng, [task], steps=1, size=5, start=0.74, end=0.74):
            t.answer = gold if t.right else {"Yes": "No", "No": "Yes"}[gold]
            t.text = t.answer
            rows.append(inspect(t, "exact", float(t.right), f"compared with {gold}", kind=what))
    return rows


@PART.healthy
def longer_proof_sketches_earn_more_as_they_hold_more_steps(rng: random.Random) -> list[Row]:
    """Reward goes with length; each problem has as many steps as points, and short replies leave steps out."""
    rows = []
    for i, task in enumerate(sums(rng, 110, (TEMPLATES[2], TEMPLATES[3]))):
        for _ in range(5):
            right = rng.random() < chance(0.4, 0.72, i / 109, task.hard)
            said, answer = worked(rng, task, True)
            points = lines = len(task.data["steps"])
            if not right:
                points = rng.randint(0, lines - 1)
                said = ". ".join(said.split(". ")[: points + 1]).rstrip(".") + "."
                answer = str(int(task.gold) + rng.choice((-60, -24, 10, 36, 90)))
            t = Try(i // 10, task.id, 0, task, right, 0.0, f"{said} Answer: {answer}")
            t.reward = round(points / lines, 3)
            rows.append(openrlhf(t, points=points, points_possible=lines, answer_right=float(answer == task.gold)))
    return rows


@PART.healthy
def logprobs_differ_a_little_between_kernels(rng: random.Random) -> list[Row]:
    """Sampler and trainer never agree to the last digit; two kernels round differently, by thousandths of a nat."""
    attempts = tries(rng, sums(rng, 72), steps=9, per_step=8, size=6, start=0.35, end=0.65)
    _solved(rng, attempts)
    rows = []
    for t in attempts:
        sampled = [round(-abs(rng.gauss(0, 0.35)), 4) for _ in range(t.tokens)]
        scored = [round(min(0.0, x + rng.gauss(0, 0.004)), 4) for x in sampled]
        rows.append(nemo(t, step=t.step, generation_logprobs=sampled, prev_logprobs=scored))
    return rows
