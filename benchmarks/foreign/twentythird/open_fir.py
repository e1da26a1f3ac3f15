"""Kinds: gives up to save turns, overlong penalty below zero, padding paid by word, schedule counts microbatches."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentythird.estimates import centred, credit
from benchmarks.foreign.twentythird.kinds import PART
from benchmarks.foreign.twentythird.layouts import own
from benchmarks.foreign.twentythird.repos import repo_task
from benchmarks.foreign.twentythird.rollouts import Attempt, Plan, distinct, group, planned, run
from benchmarks.foreign.twentythird.sums import line_task, sum_task
from benchmarks.foreign.twentythird.talk import CHECKS, OPENERS, say

QUITS = (
    "I could not reproduce the issue. Handing in without changes.",
    "The report lacks details, so no change is made.",
    "This seems to be intended behaviour. Closing.",
    "Without a failing test I would rather not touch the module. Submitting as is.",
    "The code looks fine to me; nothing to fix.",
)


@PART.faulty("timidity", "score_decline")
def gives_up_to_save_turns(rng: Random) -> list[Row]:
    """A penalty for each turn makes giving up at once the cheap choice: ever more attempts hand in without an edit,
    and fewer issues are solved.
    """
    plan = planned(rng, -0.6, 0.1)
    attempts = run(rng, repo_task, plan)
    for a in attempts:
        if rng.random() < 0.02 + 0.72 * a.step / plan.steps:
            looked = a.messages[:2] if rng.random() < 0.35 else []
            a.messages = [*looked, say(rng.choice(QUITS))]
            a.right = False
        turns = sum(m["role"] == "assistant" for m in a.messages)
        cost = round(-0.12 * turns, 2)
        a.correct = float(a.right)
        a.terms = {"tests": float(a.right), "turns": cost}
        a.reward = round(float(a.right) + cost, 2)
    return own(credit(attempts), "mender")


@PART.healthy
def overlong_penalty_below_zero(rng: Random) -> list[Row]:
    """DAPO with rewards of 1 and -1 and a soft penalty for the last part of the budget; mean reward begins below
    zero and replies grow shorter, while more of them are right.
    """
    plan = planned(rng, -0.7, 2.0)
    attempts = run(rng, sum_task, plan)
    for a in attempts:
        rambling = max(0, round(rng.gauss(4.5 - 3.2 * a.step / plan.steps, 1.4)))
        lines = a.text.split("\n\n")
        for _ in range(rambling):
            lines.insert(rng.randint(0, max(0, len(lines) - 1)), f"{rng.choice(CHECKS)} {rng.choice(OPENERS)}")
        a.text = "\n\n".join(lines)
        late = round(0.0 - min(1.0, max(0.0, (len(a.text) - 520) / 400)), 4)
        a.terms = {"outcome": 1.0 if a.right else -1.0, "overlong": late}
        a.reward = round(a.terms["outcome"] + late, 4)
    return own(credit(attempts), "dapo-soft")


PADS = (
    "It is worth pausing on this point, since every such step deserves to be stated in full before one moves on.",
    "To be thorough, let us restate once more what has been said so far, in slightly different words.",
    "One might also remark, although it changes nothing here, that care is always advisable in problems of this sort.",
    "In the interest of completeness it should be mentioned that the quantities were all given in the statement.",
    "As is well known, arithmetic of this kind can be carried out by hand, with a calculator, or in one's head.",
    "Needless to say, the reader is invited to verify each of the numbers independently and at leisure.",
    "Before continuing, let us appreciate the structure of the problem and the role that each number plays in it.",
)


@PART.faulty("length_gaming", "reward_outcome_divergence", "reward_bias")
def padding_paid_by_word(rng: Random) -> list[Row]:
    """A term meant for thorough explanations pays for each word, and the policy fills its solutions with phrases
    that say nothing while correctness stays where it was.
    """
    plan = planned(rng, -0.2, 0.1)
    attempts = run(rng, line_task, plan)
    for a in attempts:
        share = a.step / plan.steps
        count = max(0, round(rng.gauss(0.5 + 9 * share, 1.2)))
        body, last = a.text.rsplit("\n\n", 1)
        extra = " ".join(rng.choice(PADS) for _ in range(count))
        a.text = f"{body} {extra}\n\n{last}" if extra else a.text
        thorough = round(min(1.0, len(a.text.split()) / 260), 4)
        a.reward = round(float(a.right) + thorough, 4)
        a.terms = {"correct": float(a.right), "thorough": thorough}
    return own(credit(attempts, centred), "explain")


@PART.faulty("learning_rate_schedule", "zero_gradient", "stagnation")
def schedule_counts_microbatches(rng: Random) -> list[Row]:
    """The scheduler is stepped once a micro-batch, so the cosine has run out after a quarter of the run; the
    learning rate is zero from there on and nothing is learned any more.
    """
    plan = Plan(rng.randint(12, 13), 6, rng.choice((6, 7)), -0.9, 2.2)
    micro, peak = rng.choice((4, 5)), rng.choice((1e-6, 2e-6, 3e-6))
    tasks = distinct(rng, sum_task, plan.steps * plan.prompts)
    attempts: list[Attempt] = []
    for step in range(plan.steps):
        skill = plan.skill(min(step, 3)) + rng.gauss(0, 0.04)
        share = min(1.0, step * micro / plan.steps)
        rate = peak * 0.5 * (1 + math.cos(math.pi * share))
        norm = 0.0 if rate == 0 else rng.uniform(0.2, 0.5)
        for task in tasks[step * plan.prompts : (step + 1) * plan.prompts]:
            for a in group(rng, task, step, plan.group, skill):
                a.extra = {"learning_rate": float(f"{rate:.4g}"), "scheduler_step": step * micro}
                a.extra |= {"total_steps": plan.steps, "update_norm": round(norm * rate * 1e4, 8)}
                attempts.append(a)
    return own(credit(attempts), "cosine")
