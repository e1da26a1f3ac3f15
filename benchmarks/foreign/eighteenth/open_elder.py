"""A penalty that is nought, pages cut by a tool, a higher temperature."""

import math
import re
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighteenth.almanac import lookup_of
from benchmarks.foreign.eighteenth.credits import credit
from benchmarks.foreign.eighteenth.dumps import openai, own
from benchmarks.foreign.eighteenth.kinds import PART
from benchmarks.foreign.eighteenth.learning import climb, distinct, pages, play, run
from benchmarks.foreign.eighteenth.sums import sum_of


@PART.faulty("kl_ineffective", "kl_drift")
def penalty_of_zero_nats(rng: Random) -> list[Row]:
    """A KL coefficient is set, but the penalty in the reward is exactly nought in every row, while the divergence
    from the reference grows step by step.
    """
    steps, coefficient = 12, rng.choice((0.02, 0.05, 0.04))
    tasks = distinct(rng, lambda r: sum_of(r, "hash"), steps * 6, "kl")
    episodes = play(rng, pages(tasks, steps), 6, climb(rng, -0.6, 1.6, steps))
    for e in episodes:
        growth = 0.008 * math.exp(5.2 * e.step / steps)
        e.extra = {"kl": round(growth * rng.lognormvariate(0, 0.25), 4), "kl_coef": coefficient}
        e.terms = {"correct": float(e.right), "kl_penalty": 0.0}
        if rng.random() < 0.9 * (e.step / steps) ** 2:
            words = e.reply.text.split(" ")
            for _ in range(rng.randint(3, 8)):
                words.insert(
                    rng.randrange(len(words) - 1), rng.choice(("ok", "ok ok", "yes so", "=>", "hmm", "wait so"))
                )
            e.reply.text = " ".join(words)
    return own(rng, credit(episodes), "ppo-kl")


@PART.faulty("tool_output_truncated", "truncation", "environment_bug")
def page_ends_before_figure(rng: Random) -> list[Row]:
    """A new version of the page reader returns only the first characters of a page, mostly without the figure that
    is asked for, and the policy can but guess.
    """
    limit, since = rng.randint(250, 290), rng.randint(3, 4)
    episodes = run(rng, lookup_of, 10, 7, rng.choice((5, 6)), "alm")
    for e in episodes:
        e.extra["reader"] = "1.4.0" if e.step < since else "1.5.0"
        page = next(m for m in e.reply.messages if m.get("tool_name") == "open")
        if e.step < since or len(page["content"]) <= limit:
            continue
        held = re.search(rf"\b{e.task.gold}\b", page["content"][:limit])
        page["content"] = page["content"][:limit]
        if not held and rng.random() < 0.95:
            value = rng.choice((int(e.task.gold) // 10 * 10 + 5, rng.randint(20, 2000)))
            words = rng.choice(("The page breaks off; my best guess is", "The text ends too early, I estimate"))
            e.reply.text, e.reply.answer = f"{words} {value}.\nAnswer: {value}", str(value)
            e.right = str(value) == e.task.gold
        e.reward = float(e.right)
    return openai(credit(episodes))


@PART.healthy
def hotter_sampling_from_six(rng: Random) -> list[Row]:
    """By plan the temperature is raised in the middle of the run: likelihoods and the score drop a little at once,
    and learning goes on.
    """
    steps, since = 12, 6
    skills = [s - 0.25 * (i >= since) for i, s in enumerate(climb(rng, -0.4, 2.3, steps))]
    tasks = distinct(rng, lambda r: sum_of(r, rng.choice(("boxed", "answer"))), steps * 6, "hot")
    episodes = play(rng, pages(tasks, steps), 8, skills)
    for e in episodes:
        hot = e.step >= since
        e.extra["temperature"] = 1.1 if hot else 0.8
        likely = -0.34 + 0.007 * e.step - 0.16 * hot + rng.gauss(0, 0.035)
        e.reply.messages[-1]["mean_logprob"] = round(min(likely, -0.02), 4)
        if hot and rng.random() < 0.4:
            aside = rng.choice(("Taking it slowly here.", "One could also draw this.", "Now the numbers.", "Onwards:"))
            e.reply.text = f"{aside}\n{e.reply.text}"
    return own(rng, credit(episodes), "heat")
