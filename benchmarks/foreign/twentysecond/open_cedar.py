"""Cosine over micro batches; critic learns first; turn marker never stops; basket of the last shopper."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentysecond.course import Episode, Shape, chance, climb, deal, play, train
from benchmarks.foreign.twentysecond.estimators import centred, credit, grpo
from benchmarks.foreign.twentysecond.figures import sums
from benchmarks.foreign.twentysecond.kinds import PART
from benchmarks.foreign.twentysecond.layouts import own, say, trl
from benchmarks.foreign.twentysecond.parlour import read_receipt, receipt_task
from benchmarks.foreign.twentysecond.prose import answering
from benchmarks.foreign.twentysecond.shops import WARES, order_task, shop


@PART.faulty("learning_rate_schedule", "zero_gradient", "stagnation")
def cosine_over_micro_batches(rng: Random) -> list[Row]:
    """The cosine schedule counts micro-batches: the learning rate is 0 after a third of the run, and nothing is
    learned from there on.
    """
    steps = rng.randint(11, 14)
    ended, peak = round(steps * 0.36), rng.choice((1e-6, 2e-6, 5e-6))
    plan = deal(rng, receipt_task, Shape(steps, 6, 6), "rc")
    episodes = play(rng, plan, 6, climb(rng, steps, -1.1, 2.4, ended / (steps - 1)), read_receipt)
    norms = [rng.uniform(0.25, 0.6) for _ in range(steps)]
    for e in episodes:
        rate = peak * (1 + math.cos(math.pi * min(1, e.step / ended))) / 2
        e.extra = {"learning_rate": float(f"{rate:.4g}"), "grad_norm": round(norms[e.step], 4)}
        e.extra |= {"update_norm": float(f"{rate * norms[e.step] * 900:.3g}"), "micro_step": e.step * 4}
    return own(rng, credit(episodes, grpo), "receipts-cosine", "extraction")


@PART.healthy
def critic_learns_before_policy(rng: Random) -> list[Row]:
    """PPO whose critic starts from nothing: for some steps its values are far off, then they follow the returns."""
    steps = rng.randint(11, 13)
    episodes = train(
        rng, sums("ratios", "fares", "areas"), answering("Result: {}"), Shape(steps, 10, 4), -0.4, 1.9, "v"
    )
    for e in episodes:
        trust = 1 - 0.97 * 0.62**e.step
        value = (1 - trust) * rng.gauss(-1.1, 0.3) + trust * (0.5 + 0.3 * (e.reward - 0.5) + rng.gauss(0, 0.12))
        e.advantage = round(e.reward - value, 4)
        e.extra = {"value": round(value, 4), "value_loss": round((value - e.reward) ** 2 / 2, 4)}
    return own(rng, episodes, "ppo-sums", "math")


AFTER = ("Thanks. Another one: {}", "And this? {}", "Next question. {}")


@PART.faulty("template_bug", "truncation", "length_limit")
def turn_marker_never_stops(rng: Random) -> list[Row]:
    """The turn's end marker is no stop token: completions go on with invented user turns until the token limit, and
    the last answer in them is graded.
    """
    steps, make = rng.randint(8, 10), sums("fares", "means", "ratios", tail="End with `Answer: N`.")
    episodes, write = train(rng, make, answering(), Shape(steps, 8, 6), -0.2, 1.7, "t"), answering()
    for e in episodes:
        e.task.extra = {"as_text": True}
        e.extra = {"finish_reason": "stop", "completion_tokens": round(len(e.text) / 3.6)}
        if e.stop == "stop" and rng.random() < 0.45:
            text = e.text
            while len(text) < 1450:
                other = make(rng)
                asked = rng.choice(AFTER).format(other.prompt[-1]["content"])
                text += f"<|im_end|>\n<|im_start|>user\n{asked}<|im_end|>\n<|im_start|>assistant\n"
                text += write(rng, other, rng.random() < 0.5, 0.3)[-1]["content"]
            e.reply, e.right = say(text[: rng.randint(1370, 1430)]), False
            e.extra = {"finish_reason": "length", "completion_tokens": 384}
        e.terms = {"answer": float(e.right)}
        e.reward = float(e.right)
    return trl(credit(episodes, grpo))


@PART.faulty("environment_not_reset", "leftover_state", "environment_bug", "infrastructure_zeros")
def basket_of_the_last_shopper(rng: Random) -> list[Row]:
    """Shop sessions are reused without emptying the basket: wares of another customer lie in it at the first call,
    and the exact order fails.
    """
    steps, begin = rng.randint(9, 11), rng.randint(0, 2)
    plan, episodes = deal(rng, order_task, Shape(steps, 8, 5), "ord"), []
    levels = climb(rng, steps, -0.3, 2.2)
    for step, task, attempt in ((s, t, a) for s, tasks in enumerate(plan) for t in tasks for a in range(5)):
        used = step >= begin and rng.random() < 0.38
        others = [w for w in sorted(WARES) if w not in task.hidden["wanted"]]
        before = {w: rng.randint(1, 5) for w in rng.sample(others, rng.randint(1, 2))} if used else {}
        able = rng.random() < chance(levels[step] - task.hard)
        reply = shop(rng, task, able, before, 0.3 + 0.4 * step / steps)
        e = Episode(step, task, attempt, able and not used, reply)
        e.reward, e.terms = float(e.right), {"exact_order": float(e.right)}
        e.extra = {"session": f"s-{rng.randrange(24):02d}"}
        episodes.append(e)
    return own(rng, credit(episodes, centred), "basket", "tools")
