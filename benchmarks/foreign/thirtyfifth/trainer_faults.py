"""Faulty kinds: the trainer's arithmetic and its samplers."""

import math
import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfifth import advantages, layouts
from benchmarks.foreign.thirtyfifth.chains import makers_of
from benchmarks.foreign.thirtyfifth.course import by_group, by_step, make_pool, pay, roll
from benchmarks.foreign.thirtyfifth.data_faults import finish
from benchmarks.foreign.thirtyfifth.functions import function_task, passed
from benchmarks.foreign.thirtyfifth.grader_faults import remark
from benchmarks.foreign.thirtyfifth.kinds import PART
from benchmarks.foreign.thirtyfifth.letters import advice_task, merit
from benchmarks.foreign.thirtyfifth.trades import FERMENT, HIVE, KILN, ORCHARD, TIDE, TRADES
from benchmarks.foreign.thirtyfifth.trades_abroad import CYCLES


@PART.faulty("advantage_mismatch", "phantom_advantage")
def baseline_spans_two_prompts(rng: random.Random) -> list[Row]:
    """Advantages are computed over eight rows, but four attempts are drawn a prompt: baselines mix two problems.

    Groups in which all attempts have one reward have advantages other than 0.
    """
    tries = roll(rng, make_pool(rng, makers_of(TRADES, spread=1.5), 120), 30, 8, 4, (-0.6, 1.3))
    finish(tries)
    pay(tries)
    for step in by_step(tries):
        for at in range(0, len(step), 8):
            block = step[at : at + 8]
            total = sum(one.reward or 0.0 for one in block)
            for one in block:
                one.advantage = round((one.reward or 0.0) - (total - (one.reward or 0.0)) / 7, 6)
    return layouts.columns(tries, "math")


@PART.faulty("loss_mask", "tool_tokens_in_loss")
def follow_ups_of_askers_carry_weight(rng: random.Random) -> list[Row]:
    """The `weight` of the user's second turn is 1: the policy is trained to write the asker's words."""
    tries = roll(rng, make_pool(rng, [advice_task], 90), 28, 4, 5, (-0.5, 1.2))
    for one in tries:
        place, name = one.task.more["place"], one.task.more["topic"].name
        first, _, rest = one.text.partition(". ")
        days = one.task.more["days"]
        ask = rng.choice(
            (
                f"No, nothing else, and it has been {days} days now.",
                f"Only the {place} is new to the {name}. What should I do first?",
                "Not that I know of. Is it serious?",
                f"I did nothing but wait these {days} days.",
            )
        )
        one.turns = [
            {
                "role": "assistant",
                "content": f"{first}. Let me first understand: has anything else changed?",
                "weight": 1,
            },
            {"role": "user", "content": ask, "weight": 1},
            {"role": "assistant", "content": rest or first, "weight": 1},
        ]
        mark = merit(one.task, rest or first)
        one.reward = (mark - 1) / 4
        one.more = {"rater_note": remark(rng, one, mark)}
    advantages.rloo(tries)
    rows = layouts.chats(tries)
    for row in rows:
        row["messages"][0]["weight"] = 0
    return rows


@PART.faulty("kl_drift", "score_decline", "language_drift", "kl_ineffective")
def divergence_runs_off_without_leash(rng: random.Random) -> list[Row]:
    """The KL to the reference grows from 0.01 to above 5 nats a token, and sentences break up and answers fail."""
    tries = roll(rng, make_pool(rng, makers_of((HIVE, KILN, TIDE)), 120), 36, 4, 6, (0.0, 1.2))
    for one in tries:
        place = one.step / 35
        broken = max(0.0, place - 0.45) * 1.5
        words = one.text.split()
        for at in range(len(words)):
            if rng.random() < broken * 0.55:
                words[at] = rng.choice(
                    (words[at] + words[at], words[rng.randrange(len(words))], "therefore", "thus-so", "::", "sum-sum")
                )
        one.text = " ".join(words)
        if rng.random() < broken:
            one.is_right, one.answer = False, str(rng.randint(1, 9999))
            one.is_right = one.answer == one.task.gold
        mean = 0.012 * math.exp(6.2 * place)
        one.more = {"kl": round(mean * rng.uniform(0.7, 1.4), 4), "kl_coef": 0.0}
    finish(tries, "\\boxed{{{}}}")
    pay(tries)
    advantages.grpo(tries)
    return layouts.verl(tries)


@PART.faulty("critic_divergence", "advantage_mismatch")
def value_head_climbs_past_all_rewards(rng: random.Random) -> list[Row]:
    """PPO: the critic's values leave the range of rewards, 0 to 1, from a third of the run on and reach tens.

    Advantages follow the critic's error instead of the outcome; the policy stops improving.
    """
    tries = roll(rng, make_pool(rng, makers_of(CYCLES + (FERMENT,)), 120), 32, 8, 4, (-0.6, 0.1))
    finish(tries)
    pay(tries)
    for one in tries:
        place = one.step / 31
        known = one.chance + rng.gauss(0, 0.12)
        away = 0.0 if place < 0.3 else 0.6 * math.exp(6 * (place - 0.3))
        one.more = {"value": round(known + away * rng.gauss(1.0, 0.7), 4)}
        one.more["return"] = one.reward
        one.more["value_loss"] = round((one.more["value"] - (one.reward or 0.0)) ** 2, 4)
    advantages.ppo(tries)
    return layouts.openrlhf(tries)


@PART.faulty("train_inference_mismatch", "stale_weights")
def trainer_reads_other_logprobs_than_sampler(rng: random.Random) -> list[Row]:
    """Sampler and trainer disagree on the logprob of the sampled tokens, by 0.1 nats at first and by one at the end.

    Importance ratios leave the clip's range for most rows and learning turns into decline.
    """
    tries = roll(rng, make_pool(rng, makers_of((ORCHARD, TIDE, KILN)), 110), 30, 4, 7, (-0.3, 1.3))
    finish(tries)
    for one in tries:
        place = one.step / 29
        gap = rng.gauss(0.1 + 1.0 * place**1.5, 0.08)
        sampled = -0.42 + 0.15 * place + rng.gauss(0, 0.05)
        if rng.random() < 0.75 * max(0.0, place - 0.4):
            one.is_right = False
            one.text, one.answer = one.task.solve(rng, False, 1)
            one.text += f"\nAnswer: {one.answer}"
        one.more = {
            "rollout_logprob": round(min(-0.02, sampled), 4),
            "trainer_logprob": round(min(-0.02, sampled) - gap, 4),
        }
        one.more["is_ratio"] = round(math.exp(-gap), 4)
    pay(tries)
    advantages.grpo(tries)
    return layouts.verifiers(tries, "trades-math", exact_match=lambda one: one.is_right)


@PART.faulty("length_limit", "truncation")
def reasoning_outgrows_the_budget(rng: random.Random) -> list[Row]:
    """Reasoning grows with the run, the limit of tokens does not: at last most attempts are cut and paid 0."""
    pool = make_pool(rng, makers_of(TRADES), 110)
    limit = 110
    tries = roll(rng, pool, 30, 4, 8, (-0.2, 1.6), lambda place: int(1 + place * 7.5))
    for one in tries:
        for _ in range(rng.randint(0, 2)):
            one.text += " " + rng.choice(
                (
                    f"Is {one.answer} too large? No.",
                    "Let me go over the units as well.",
                    "Wait, I read the question again.",
                    f"The value {one.answer} came from the last sum, and that sum was short.",
                )
            )
    finish(tries)
    for one in tries:
        if one.tokens() > limit:
            one.text = one.text[: int(limit * 4.1)]
            one.stop, one.is_right, one.answer = "max_tokens", False, ""
    pay(tries)
    advantages.grpo(tries)
    return layouts.slime(tries)


@PART.faulty("seed_reuse", "identical_samples", "entropy_collapse", "dead_groups")
def workers_sample_with_one_seed(rng: random.Random) -> list[Row]:
    """All attempts of a group are drawn with the same seed and are the same text, so hardly any group has a spread.

    A few groups were split between two servers and hold two texts.
    """
    tries = roll(rng, make_pool(rng, [function_task], 90), 30, 4, 6, (-0.5, 0.4))
    for group in by_group(tries):
        split = 3 if rng.random() < 0.12 else len(group)
        for at, one in enumerate(group):
            model = group[0] if at < split else group[split]
            one.text, one.answer, one.is_right = model.text, model.answer, model.is_right
            one.seed = 1234
        for one in group:
            share = passed(one.task, one.answer)
            one.reward, one.is_right, one.more = share, share == 1.0, {"sampling_seed": 1234, "tests_passed": share}
    advantages.grpo(tries)
    return layouts.verl(tries)
