"""Judged essays, options, reviews and Chinese problems."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighth.arithmetic import sum_task
from benchmarks.foreign.eighth.course import answered, climb, fresh, grpo, plan, roll
from benchmarks.foreign.eighth.essays import essay_task, padded
from benchmarks.foreign.eighth.kinds import PART
from benchmarks.foreign.eighth.options import option_task, review_task
from benchmarks.foreign.eighth.tongues import chinese_task
from benchmarks.foreign.eighth.writers import openai, openrlhf, own, trl, verl


@PART.faulty("length_gaming", "reward_outcome_divergence")
def reward_model_likes_length(rng: Random) -> list[Row]:
    """Replies swell with sentences that say nothing and the reward with them; `fact_check` stays level."""
    tasks = fresh(rng, essay_task, 60)
    attempts = roll(rng, plan(rng, tasks, 14, 6), 8, climb(0.2, -0.3, 14))
    for a in attempts:
        text = padded(rng, a.reply.text, max(0, round(rng.gauss(0.9 * a.step, 1.5))))
        a.reply = answered(text, "")
        a.extra = {"fact_check": float(a.right), "response_tokens": a.tokens}
        a.reward = round(0.9 * math.log(len(text) / 200) + 0.25 * a.right + rng.gauss(0, 0.15), 4)
    return openrlhf(attempts)


@PART.faulty(
    "metric_defect", "agreed_wrong", "weak_verifier", "reward_outcome_divergence", "stuck_problems", "dead_all_wrong"
)
def key_not_moved_with_options(rng: Random) -> list[Row]:
    """Options were shuffled, the key was not: groups agree on the true option, and three in four are paid 0."""
    tasks = fresh(rng, option_task, 80)
    for task in tasks:
        task.gold = rng.choice("ABCD")
        task.extra["answer_key"] = task.gold
    attempts = roll(rng, plan(rng, tasks, 12, 7), 8, climb(0.6, 0.9, 12))
    for a in attempts:
        a.reward = float(a.reply.answer == a.task.gold)
        a.right = bool(a.reward)
        a.extra |= {"ground_truth": a.task.gold, "prediction": a.reply.answer, "subject": a.task.family}
        a.terms = {"acc": a.reward}
    return openai(attempts, run="mcq-qwen3-4b")


@PART.healthy
def chinese_and_english_prompts(rng: Random) -> list[Row]:
    """A mixture of Chinese and English problems, each thought about in its own language."""
    tasks = [*fresh(rng, chinese_task, 36, "zh"), *fresh(rng, sum_task, 36, "en")]
    attempts = roll(rng, plan(rng, tasks, 12, 7), 8, climb(-0.4, 1.7, 12))
    for a in attempts:
        a.terms = {"acc": a.reward or 0.0}
        a.extra["data_source"] = a.task.key[:2]
    return verl(attempts)


@PART.healthy
def ppo_with_a_critic(rng: Random) -> list[Row]:
    """PPO: one attempt at a prompt, the advantage is the reward less the critic's value, which becomes better."""
    tasks = fresh(rng, sum_task, 420)
    skill = climb(-0.3, 1.7, 12)
    attempts = roll(rng, plan(rng, tasks, 12, 48), 1, skill)
    for a in attempts:
        truth = 1 / (1 + math.exp(a.task.hard - skill(a.step)))
        trust = 0.3 + 0.05 * a.step
        value = round(0.4 + trust * (truth - 0.4) + rng.gauss(0, 0.08), 4)
        a.extra["value"] = value
        a.advantage = round((a.reward or 0.0) - value, 4)
    return own(attempts, "ppo-critic")


@PART.healthy
def one_word_reviews(rng: Random) -> list[Row]:
    """A classifier: every reply is one of three words, so that most replies are alike; the accuracy rises."""
    tasks = fresh(rng, review_task, 110)
    attempts = roll(rng, plan(rng, tasks, 14, 9), 8, climb(-0.4, 1.8, 14))
    for a in attempts:
        a.terms = {"accuracy_reward": a.reward or 0.0}
        a.extra["ground_truth"] = a.task.gold
    return trl(grpo(attempts), chat=True)


PRAISE = [
    "Accurate and clear.",
    "Names the mechanism; no mistake found.",
    "Complete; well ordered.",
    "Correct throughout.",
]
BLAME = [
    "One statement is wrong.",
    "Too thin on the cause.",
    "Misses most of the mechanism.",
    "Contains a false claim.",
]


@PART.healthy
def rubric_in_quarters(rng: Random) -> list[Row]:
    """A judge marks four criteria and says why; the reward is their mean and follows the facts that are named."""
    tasks = fresh(rng, essay_task, 70)
    attempts = roll(rng, plan(rng, tasks, 12, 6), 8, climb(-0.5, 1.6, 12))
    for a in attempts:
        share = a.reply.extra["facts_named"] / 4
        marks = {
            "rubric_facts": round(share * 2) / 2,
            "rubric_errors": 1.0 if a.right else rng.choice([0.0, 0.5]),
            "rubric_clarity": rng.choice([0.5, 1.0, 1.0]),
            "rubric_audience": rng.choice([0.0, 0.5, 0.5, 1.0]),
        }
        a.terms = marks
        a.reward = round(sum(marks.values()) / 4, 4)
        a.extra |= {"judge_comment": rng.choice(PRAISE if a.right else BLAME), "judge_model": "rubric-32b"}
    return openai(grpo(attempts))
