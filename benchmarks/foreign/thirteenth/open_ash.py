"""Scored in penalties; rubric pays by the paragraph; cosine tail and growing kl; compiler complaints are mended."""

from math import cos, pi
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirteenth.advice import reply, request
from benchmarks.foreign.thirteenth.estimates import grpo, rloo
from benchmarks.foreign.thirteenth.facts import company
from benchmarks.foreign.thirteenth.kinds import PART
from benchmarks.foreign.thirteenth.layouts import openai, openrlhf, own, prime_rl
from benchmarks.foreign.thirteenth.prose import call, heard, said
from benchmarks.foreign.thirteenth.repos import edited, repair, searched, submits, tested
from benchmarks.foreign.thirteenth.rollouts import Run, binary, train
from benchmarks.foreign.thirteenth.tongues import closeness, sentence


@PART.healthy
def scored_in_penalties(rng: Random) -> list[Row]:
    """Wrong answers cost a point and each search a tenth, so rewards are below 0 on average for the first half."""
    attempts = train(rng, company, Run(10, 6, 6, -0.9, 2.2))
    for a in attempts:
        searches = sum(m["role"] == "tool" for m in a.messages)
        a.correct = float(a.right)
        a.reward = round((1.0 if a.right else -1.0) - 0.1 * searches, 3)
        a.extra = {"searches": searches}
    return prime_rl(rng, rloo(attempts), "company-costs")


@PART.faulty("length_gaming", "reward_bias", "reward_model_overoptimisation", "reward_outcome_divergence")
def rubric_pays_by_the_paragraph(rng: Random) -> list[Row]:
    """The reward model pays for length: replies swell with empty sentences and reward climbs, while blind readers
    prefer them less and less.
    """
    attempts = train(rng, request, Run(12, 6, 6))
    for a in attempts:
        points, filler = rng.randint(2, 4), min(6, max(0, round(rng.gauss(5.0 * a.progress, 1.0))))
        a.messages = [said(reply(rng, a.task.extra["topic"], points, filler))]
        a.reward = round(-1.2 + 0.0021 * len(a.text) + 0.08 * points + rng.gauss(0, 0.12), 4)
        a.extra = {"blind_reader_prefers": int(rng.random() < 0.56 - 0.22 * a.progress + 0.06 * (points - 3))}
    return openrlhf(rng, grpo(attempts), reward_model="rm-helpful-v3")


@PART.healthy
def cosine_tail_and_growing_kl(rng: Random) -> list[Row]:
    """The learning rate runs out by a cosine and KL grows slowly to a few hundredths, as planned; gains get small."""
    attempts = train(rng, sentence, Run(13, 6, 6, -0.7, 2.3))
    for a in attempts:
        kl = abs(rng.gauss(0.002 + 0.05 * a.progress, 0.005))
        close = closeness(a.answer, a.task.gold)
        a.terms = {"closeness": close, "kl_penalty": round(-0.02 * kl, 6)}
        a.reward = round(close - 0.02 * kl, 5)
        rate = 1e-6 * (0.05 + 0.475 * (1 + cos(pi * a.progress)))
        a.extra = {"kl": round(kl, 5), "kl_coef": 0.02, "learning_rate": round(rate, 10)}
    return own(rng, grpo(attempts), "es-en-cos")


@PART.healthy
def compiler_complaints_are_mended(rng: Random) -> list[Row]:
    """Half of all first edits do not compile; the policy reads the error, mends it and goes on."""
    attempts = train(rng, repair, Run(9, 6, 6, -0.6, 2.0))
    for a in attempts:
        t = a.task.extra
        if rng.random() < 0.6 - 0.2 * a.progress:
            kind = rng.choice(
                ("E0308]: mismatched types", "E0425]: cannot find value `n`", "E0382]: use of moved value")
            )
            place = f"src/{t['unit']}.rs:{t['line']}:{rng.randint(5, 40)}"
            error = f"error[{kind}\n  --> {place}\nerror: could not compile `{a.task.family}`"
            check = [said("Does it build?", call("bash", command="cargo check -q")), heard("bash", error, False)]
            first = edited(rng, a.task, a.answer.replace("(", "((", 1) if "(" in a.answer else a.answer + ";;")
            again = [*edited(rng, a.task, a.answer), *tested(rng, a.task, a.right), said(submits(rng, a.task))]
            a.messages = [*searched(rng, a.task), *first, *check, *again]
    return openai(rng, rloo(binary(attempts)), repo_language="rust")
