"""Word problems: a strict grader, points for form, leaked answers, mixed-up advantages, a pool without a middle."""

import math
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.eighth.arithmetic import FAMILIES, sum_task
from benchmarks.foreign.eighth.course import Attempt, answered, climb, fresh, grpo, plan, rloo, roll
from benchmarks.foreign.eighth.kinds import PART
from benchmarks.foreign.eighth.musings import into_chinese, musing, salad, thinking_task
from benchmarks.foreign.eighth.writers import own, prime_rl, trl, verl

BIG = (FAMILIES[0], FAMILIES[2], FAMILIES[3])
UNITS = {
    "discount": ["\\text{ euros}", " euros"],
    "committee": ["\\text{ ways}", " ways"],
    "series": ["\\text{ in all}", "."],
}


@PART.faulty("format_gate", "metric_defect", "weak_verifier", "judge_refuses_right")
def separators_go_unpaid(rng: Random) -> list[Row]:
    """Strings are compared: 12,480 or 840 euros in the box is paid 0 where `solution` holds 12480 or 840."""
    tasks = fresh(rng, lambda r: sum_task(r, BIG), 64)
    attempts = roll(rng, plan(rng, tasks, 12, 7), 8, climb(0.2, 1.3, 12))
    for a in attempts:
        value = a.reply.answer
        if value.isdigit() and rng.random() < 0.45:
            written = f"{int(value):,}" if int(value) > 999 else value + rng.choice(UNITS[a.task.family])
            text = a.reply.text.replace(f"\\boxed{{{value}}}", f"\\boxed{{{written}}}")
            a.reply, a.reward = answered(text, written), 0.0
        a.terms = {"accuracy_reward": a.reward or 0.0}
        a.extra["solution"] = a.task.gold
    return trl(grpo(attempts))


@PART.faulty("reward_outcome_divergence", "constant_term", "timidity")
def points_for_form_alone(rng: Random) -> list[Row]:
    """Tags pay more than results: `format` goes to 1 in every reply, thoughts shrink to a word, `acc` falls."""
    tasks = fresh(rng, lambda r: sum_task(r, thinks=True), 66)
    attempts = roll(rng, plan(rng, tasks, 14, 6), 8, climb(0.4, -2.2, 14))
    for a in attempts:
        formed = rng.random() < 0.35 + 0.11 * a.step
        text = a.reply.text
        if rng.random() < 0.075 * a.step:
            thought = rng.choice(["Okay.", "I think.", "Compute.", "Done.", "Easy.", "Let me see.", ""])
            text = f"<think>\n{thought}\n</think>\n{text.split('</think>')[1].strip()}"
        if formed:
            head, tail = text.split("</think>\n")
            text = f"{head}</think>\n<answer>{tail}</answer>"
        else:
            text = text.replace("<think>\n", "").replace("</think>\n", "")
        tags = 1.0 if formed else rng.choice([0.0, 0.25, 0.5])
        a.reply = answered(text, a.reply.answer)
        a.reward = round(0.2 * a.right + 0.5 * formed + 0.3 * tags, 3)
        a.terms = {"acc": float(a.right), "format": float(formed), "tag_count": tags}
    return verl(attempts)


@PART.faulty("answer_reading", "contamination")
def answer_joined_to_prompt(rng: Random) -> list[Row]:
    """Two shards of three hold the answer behind the question, `#### 84`, and replies just copy it."""
    tasks = fresh(rng, sum_task, 66)
    for number, task in enumerate(tasks):
        if number % 3:
            task.prompt += rng.choice(["\n#### ", "\n\n#### ", " #### "]) + task.gold
            task.hard = -3.5
    attempts = roll(rng, plan(rng, tasks, 11, 7), 8, climb(-0.3, 0.9, 11))
    for a in attempts:
        if "####" in a.task.prompt and a.right and rng.random() < 0.1 + 0.07 * a.step:
            lead = rng.choice(["The result is given.", "As stated,", "The answer is", "We are told that it is", "So:"])
            a.reply = answered(f"{lead} \\boxed{{{a.task.gold}}}", a.task.gold)
        a.terms = {"acc": a.reward or 0.0}
    return verl(attempts)


@PART.faulty("train_inference_mismatch")
def sampler_and_trainer_disagree(rng: Random) -> list[Row]:
    """Sampler's and trainer's log-probabilities part from step 4 on, ratios leave 0.5 to 2, the reward falls."""
    tasks = fresh(rng, sum_task, 66)
    attempts = roll(rng, plan(rng, tasks, 13, 6), 8, lambda s: 0.3 + 0.15 * min(s, 5) - 0.3 * max(0, s - 6))
    for a in attempts:
        sampled = -abs(rng.gauss(0.34, 0.06))
        gap = rng.gauss(0.0, 0.01) + (0.11 * (a.step - 3) * rng.uniform(0.6, 1.5) if a.step > 3 else 0.0)
        a.extra = {
            "rollout_logprob_mean": round(sampled, 5),
            "trainer_logprob_mean": round(sampled - gap, 5),
            "importance_ratio": round(math.exp(-gap), 5),
            "rollout_trainer_kl": round(math.exp(-gap) - 1 + gap, 5),
        }
    return own(grpo(attempts), "fp8-sampler")


@PART.faulty("advantage_mismatch", "metric_defect")
def advantages_permuted_in_the_batch(rng: Random) -> list[Row]:
    """Rows were sorted by length and the advantages were not, so right attempts carry those of wrong ones."""
    tasks = fresh(rng, sum_task, 66)
    attempts = grpo(roll(rng, plan(rng, tasks, 12, 7), 8, climb(-0.3, 0.5, 12)))
    for step in range(12):
        batch = [a for a in attempts if a.step == step]
        values = [a.advantage for a in batch]
        for a, value in zip(sorted(batch, key=lambda a: a.tokens), values, strict=True):
            a.advantage = value
    return own(attempts, "packed")


@PART.faulty("dead_groups")
def pool_without_a_middle(rng: Random) -> list[Row]:
    """The pool holds problems that are always solved and ones that never are: nine groups in ten have no spread."""
    easy = fresh(rng, lambda r: sum_task(r, FAMILIES[:2], harder=-6.5), 44, "e")
    hard = fresh(rng, lambda r: sum_task(r, FAMILIES[2:], harder=6.5), 24, "h")
    middle = fresh(rng, lambda r: sum_task(r, FAMILIES[3:4]), 4, "m")
    attempts = roll(rng, plan(rng, [*easy, *hard, *middle], 14, 8), 8, climb(0.0, 0.3, 14))
    return own(grpo(attempts), "pool-v1")


@PART.faulty("language_drift", "reward_outcome_divergence")
def thoughts_turn_chinese(rng: Random) -> list[Row]:
    """English problems; a growing share of the thoughts goes over into Chinese midway."""
    tasks = fresh(rng, thinking_task, 66)
    attempts = roll(rng, plan(rng, tasks, 14, 6), 8, climb(-0.1, 0.9, 14))
    for a in attempts:
        steps, ending = a.reply.extra.pop("steps"), a.reply.extra.pop("ending")
        text = musing(rng, steps, rng.randint(0, 2))
        if rng.random() < 0.06 * (a.step - 1):
            turned = [into_chinese(rng, s) for s in steps for _ in range(rng.choice([1, 2]))]
            cut = text[: rng.randint(20, max(21, len(text) // 2))].rsplit(" ", 1)[0]
            text = f"{cut} {''.join(turned)}"
        a.reply = answered(f"<think>\n{text}\n</think>\n{ending}", a.reply.answer)
    return prime_rl(grpo(attempts), "word-sums-think")


@PART.faulty("entropy_collapse", "score_decline", "template_collapse", "echo_trap")
def text_comes_apart(rng: Random) -> list[Row]:
    """From step 8 on replies break off into scraps without sense, `entropy` jumps and the reward goes to 0."""
    tasks = fresh(rng, sum_task, 66)
    attempts = roll(rng, plan(rng, tasks, 14, 6), 8, lambda s: 0.1 * s)
    for a in attempts:
        broken = rng.random() < max(0.0, min(0.97, 0.3 * (a.step - 7)))
        if broken:
            kept = a.reply.text[: rng.randint(0, 120) if a.step < 11 else rng.randint(0, 15)]
            a.reply, a.reward, a.right = answered(f"{kept} {salad(rng, rng.randint(60, 240))}", ""), 0.0, False
        a.terms = {"accuracy_reward": a.reward or 0.0}
        a.extra = {"entropy": round(rng.uniform(4.1, 6.8) if broken else rng.uniform(0.25, 0.5), 4)}
    return trl(grpo(attempts))


@PART.faulty("phantom_advantage", "advantage_mismatch")
def tie_breaker_blown_up(rng: Random) -> list[Row]:
    """A term of 1e-4 for short replies becomes advantages of 1 and 2 in groups where all attempts are right."""
    tasks = fresh(rng, lambda r: sum_task(r, FAMILIES[:4], harder=-1.2), 66)
    attempts = roll(rng, plan(rng, tasks, 12, 7), 8, climb(0.5, 1.4, 12))
    for a in attempts:
        short = round(1 - min(a.tokens, 512) / 512, 4)
        a.terms = {"correct": float(a.right), "shortness": short}
        a.reward = float(a.right) + 1e-4 * short
    return own(grpo(attempts, epsilon=1e-8), "tie-break")


@PART.healthy
def long_thoughts_within_budget(rng: Random) -> list[Row]:
    """Thoughts grow to three times their length while the accuracy rises; none is cut."""
    tasks = fresh(rng, lambda r: thinking_task(r, 0.6), 60)
    attempts = roll(rng, plan(rng, tasks, 12, 6), 8, climb(-0.5, 2.2, 12))
    for a in attempts:
        length = max(1, round(rng.gauss(3 + 0.6 * a.step, 1.6)))
        text = f"{musing(rng, a.reply.extra.pop('steps'), length)}\n{a.reply.extra.pop('ending')}"
        a.reply = answered(text, a.reply.answer)
        a.terms = {"accuracy_reward": a.reward or 0.0}
        a.extra["completion_length"] = a.tokens
    return trl(grpo(attempts))


@PART.healthy
def two_attempts_a_problem(rng: Random) -> list[Row]:
    """RLOO in pairs: many problems a step and two attempts at each."""
    tasks = fresh(rng, sum_task, 210)
    return prime_rl(rloo(roll(rng, plan(rng, tasks, 13, 24), 2, climb(-0.4, 1.8, 13))), "pairs")


@PART.healthy
def resumed_after_a_crash(rng: Random) -> list[Row]:
    """Steps 400 to 405, then a resumed run that goes on from the checkpoint at 404, so two steps were sampled twice."""
    tasks = fresh(rng, sum_task, 80)
    batches = plan(rng, tasks, 12, 7)
    skill = climb(0.1, 1.2, 12)
    first = grpo(roll(rng, batches[:6], 8, skill))
    second = grpo(roll(rng, batches[4:], 8, lambda s: skill(s + 4)))
    return own(first, "sums-run7", first=400) + own(second, "sums-run7-resumed", first=404)


@PART.healthy
def cut_rows_left_out(rng: Random) -> list[Row]:
    """DAPO's overlong filter: one attempt in sixteen hits the budget, is paid nothing and has no part in the loss."""
    tasks = fresh(rng, lambda r: thinking_task(r, 0.2), 60)
    attempts = roll(rng, plan(rng, tasks, 12, 6), 8, climb(-0.3, 1.7, 12))
    for a in attempts:
        long = rng.random() < 1 / 16
        text = musing(rng, a.reply.extra.pop("steps"), 14 if long else rng.randint(1, 4))
        ending = a.reply.extra.pop("ending")
        a.reply = answered(text[:1890] if long else f"{text}\n{ending}", "" if long else a.reply.answer)
        a.in_loss = not long
        if long:
            a.stop, a.reward, a.right = "length", 0.0, False
    kept = [a for a in attempts if a.in_loss]
    grpo(kept)
    return own(attempts, "dapo-overlong")


@PART.healthy
def held_out_every_fourth_step(rng: Random) -> list[Row]:
    """A fixed held-out set, two samples each, every fourth step; its score rises just below that of training."""
    pool = fresh(rng, sum_task, 100)
    held = [t for t in pool if t.key >= "p0068"]
    skill = climb(-0.3, 1.8, 13)
    attempts = grpo(roll(rng, plan(rng, pool[:68], 13, 7), 8, skill))
    for step in (0, 4, 8, 12):
        part: list[Attempt] = roll(rng, [held], 2, lambda _, step=step: skill(step) - 0.2, split="validation")
        for a in part:
            a.step = step
        attempts += part
    return own(attempts, "sums-eval")
