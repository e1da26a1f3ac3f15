"""Healthy kinds of the trainer: filters, weights, values, lags, spreads."""

import random

from benchmarks.foreign.case import Row
from benchmarks.foreign.thirtyfifth import advantages, layouts
from benchmarks.foreign.thirtyfifth.chains import makers_of
from benchmarks.foreign.thirtyfifth.course import by_group, make_pool, pay, roll
from benchmarks.foreign.thirtyfifth.data_faults import finish
from benchmarks.foreign.thirtyfifth.grader_faults import remark
from benchmarks.foreign.thirtyfifth.kinds import PART
from benchmarks.foreign.thirtyfifth.letters import advice_task, merit
from benchmarks.foreign.thirtyfifth.tours import length, tour_task
from benchmarks.foreign.thirtyfifth.trades import HIVE, KILN, ORCHARD, TIDE, TRADES
from benchmarks.foreign.thirtyfifth.trades_abroad import CYCLES


@PART.healthy
def groups_of_one_reward_left_out(rng: random.Random) -> list[Row]:
    """Three rows in ten never reach the loss.

    Trap: over-filtering. It is DAPO's dynamic sampling: groups whose rewards are all alike are left out, no others.
    """
    tries = roll(rng, make_pool(rng, makers_of(TRADES, spread=1.6), 130), 28, 6, 6, (-0.7, 1.3))
    finish(tries)
    pay(tries, 1.0, -1.0)
    advantages.grpo(tries)
    for group in by_group(tries):
        mixed = len({one.reward for one in group}) > 1
        for one in group:
            one.in_loss, one.more = mixed, {"filter": "dynamic_sampling"}
    return layouts.columns(tries, "math")


@PART.healthy
def bonus_for_form_is_annealed_away(rng: random.Random) -> list[Row]:
    """The reward falls by a third over the run.

    Trap: decline. The weight of the bonus for form goes from 1 to 0 by plan, as its column says; correctness rises.
    """
    tagging = "Reason between <think> and </think>, then answer between <answer> and </answer>."
    tries = roll(rng, make_pool(rng, makers_of((ORCHARD, TIDE), system=tagging), 120), 30, 4, 6, (-0.8, 0.7))
    for one in tries:
        tagged = rng.random() < 0.82 + 0.17 * min(1.0, one.step / 8)
        one.text = f"<think>{one.text}</think>" if tagged else one.text
        weight = round(max(0.0, 1 - one.step / 20), 3)
        one.terms = {"correct": float(one.is_right), "format": float(tagged)}
        one.reward = round(one.is_right + weight * tagged, 6)
        one.more = {"weights": {"correct": 1.0, "format": weight}}
    finish(tries, "<answer>{}</answer>")
    advantages.grpo(tries)
    return layouts.columns(tries, "math")


@PART.healthy
def rollouts_lag_by_two_steps_at_most(rng: random.Random) -> list[Row]:
    """Half of the rows are from a policy one or two steps old.

    Trap: staleness. The run is asynchronous with a bound of two, the lag does not grow, and ratios stay near 1.
    """
    tries = roll(rng, make_pool(rng, makers_of((HIVE, KILN) + CYCLES), 120), 30, 4, 7, (-0.6, 1.4))
    finish(tries)
    pay(tries)
    lags = {group[0].group: min(group[0].step, rng.choice((0, 0, 0, 1, 1, 2))) for group in by_group(tries)}
    for one in tries:
        lag = lags[one.group]
        sampled = round(-0.36 + rng.gauss(0, 0.05), 4)
        one.more = {
            "policy_lag": lag,
            "max_async_level": 2,
            "rollout_logprob": sampled,
            "trainer_logprob": round(sampled + rng.gauss(0, 0.004 + 0.004 * lag), 4),
        }
    advantages.grpo(tries)
    return layouts.verifiers(tries, "trades-and-cycles", exact_match=lambda one: one.is_right)


@PART.healthy
def critic_learns_its_scale_in_the_first_steps(rng: random.Random) -> list[Row]:
    """The critic's values are far off in the first three steps.

    Trap: a diverging critic. A fresh value head starts with noise; from then on values stay in the range of rewards.
    """
    tries = roll(rng, make_pool(rng, makers_of(TRADES), 120), 30, 8, 4, (-0.7, 1.3))
    finish(tries)
    pay(tries)
    for one in tries:
        noise = 1.6 * 0.45**one.step
        one.more = {"value": round(one.chance + rng.gauss(-noise / 2, noise + 0.08), 4)}
    advantages.ppo(tries)
    return layouts.openrlhf(tries)


@PART.healthy
def rounds_of_a_courier_differ_by_percents(rng: random.Random) -> list[Row]:
    """Nearly all rewards are between 0.8 and 1, and hardly any two are far apart.

    Trap: low spread. The reward is the best length over the own one; its small differences are what is to be learned.
    """
    tries = roll(rng, make_pool(rng, [tour_task], 70), 26, 4, 6, (-1.2, 1.8))
    for one in tries:
        own = length(one.answer.split(", "), one.task.more["at"])
        one.reward = round(one.task.more["best"] / own, 4)
        one.more = {"blocks": own, "best_known": one.task.more["best"]}
    finish(tries, "Order: {}")
    advantages.dr_grpo(tries)
    rows = layouts.chats(tries)
    for row in rows:
        row["estimator"] = "dr_grpo"
    return rows


@PART.healthy
def only_the_last_reply_is_trained_on(rng: random.Random) -> list[Row]:
    """Of two replies of the assistant the first has weight 0 in every row.

    Trap: a wrong loss mask. The first turn is a canned question of the data set; the policy wrote the last reply alone.
    """
    tries = roll(rng, make_pool(rng, [advice_task], 100), 60, 4, 2, (-0.7, 1.4))
    for one in tries:
        more = one.task.more
        canned = f"Before I answer: has anything else changed around the {more['place']}?"
        reply = (
            f"No, nothing but that, since about {more['days']} days.",
            "No, all else is as before.",
            "Not that I know of.",
        )
        one.turns = [
            {"role": "assistant", "content": canned, "weight": 0},
            {"role": "user", "content": reply[int(one.task.pid[-3:]) % 3], "weight": 0},
            {"role": "assistant", "content": one.text, "weight": 1},
        ]
        mark = merit(one.task, one.text)
        one.reward, one.more = float(mark), {"judge_note": remark(rng, one, mark)}
    advantages.rloo(tries)
    rows = layouts.chats(tries)
    for row in rows:
        row["messages"][0]["weight"] = 0
    return rows


@PART.healthy
def judge_gives_threes_and_says_why(rng: random.Random) -> list[Row]:
    """More than a third of the marks is 3 of 5.

    Trap: a judge's default. The judge is reserved; each mark ends a remark on that reply, and follows what it covers.
    """
    tries = roll(rng, make_pool(rng, [advice_task], 110), 30, 4, 6, (-1.0, 0.9))
    for one in tries:
        mark = merit(one.task, one.text)
        if rng.random() < 0.9:
            mark = (2, 3, 3, 3, 4)[mark - 1]
        one.reward, one.terms = float(mark), {"judge_reward": float(mark)}
        one.more = {"judge_output": remark(rng, one, mark)}
    advantages.grpo(tries)
    return layouts.trl(tries)
