"""Lag that is corrected, scanners, retries, a mixture, longer thoughts, weather and English by order: all sound."""

from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.twentyfirst.desks import journey, navigate
from benchmarks.foreign.twentyfirst.estimates import dr_grpo, grpo, rloo
from benchmarks.foreign.twentyfirst.facts import forecast, overlap, translate
from benchmarks.foreign.twentyfirst.formats import openai, openrlhf, own, prime_rl, trl
from benchmarks.foreign.twentyfirst.kinds import PART
from benchmarks.foreign.twentyfirst.messages import call, told
from benchmarks.foreign.twentyfirst.puzzles import piles
from benchmarks.foreign.twentyfirst.riddles import cipher, power, stock, weekday
from benchmarks.foreign.twentyfirst.rollouts import Now, Plan, Reply, Task, Try, batches, distinct, play, train
from benchmarks.foreign.twentyfirst.telling import teller, thinker
from benchmarks.foreign.twentyfirst.worlds import korean, restore, scan, tutor


@PART.healthy
def lag_of_two_corrected(rng: Random) -> list[Row]:
    """Asynchronous rollouts come from a policy one or two steps old, never older; the ratio is clipped and the score
    grows.
    """
    tries = train(rng, piles, teller("tag"), Plan(12, 6, 7, -0.6, 1.8))
    names = [f"{rng.getrandbits(40):010x}" for _ in range(12)]
    for one in tries:
        lag = min(one.step, rng.choice((0, 1, 1, 1, 2)))
        one.policy = names[one.step - lag]
        one.extra |= {"policy_lag": lag, "is_weight": round(min(2.0, max(0.6, rng.gauss(1.0, 0.03 + 0.03 * lag))), 4)}
    return own(rng, grpo(tries), "nim-async", "games", max_lag=2)


@PART.healthy
def scanner_errors_below_zero(rng: Random) -> list[Row]:
    """All rewards are zero or below, since they are the share of wrong letters, negated; they climb towards zero."""
    tries = train(rng, scan, restore, Plan(11, 8, 6, -0.8, 2.0, cut=0.0))
    for one in tries:
        gold, text = one.task.gold, one.text
        off = sum(a != b for a, b in zip(gold, text, strict=True)) / len(gold)
        one.reward, one.right = round(0.0 - off, 4), off == 0
        one.extra["cer"] = round(off, 4)
    return openrlhf(rloo(tries))


@PART.healthy
def maps_retry_after_limit(rng: Random) -> list[Row]:
    """One call in eight is turned down by a rate limit; the policy asks again, gets its answer and goes on."""
    tries = train(rng, journey, navigate, Plan(9, 7, 7, -0.4, 1.9, cut=0.0))
    for one in tries:
        messages: list[dict] = []
        for message in one.reply.messages:
            asks = message["role"] == "assistant" and message.get("tool_calls")
            if asks and rng.random() < 0.12:
                made = message["tool_calls"][0]
                messages += [message, told(made["name"], f"429 slow down, retry after {rng.randint(1, 3)} s", False)]
                message = call(made["name"], rng.choice(("Again.", "Retry.", "")), **made["arguments"])
            messages.append(message)
        one.reply.messages = messages
    return openai(grpo(tries), measure="distance_correct")


def _mixed(rng: Random, step: int, pools: dict[str, list[Task]]) -> list[Task]:
    names = ["calendar"] * 5 + ["cipher"] * 3 if step < 5 else ["calendar"] + ["cipher"] * 3 + ["powers"] * 4
    return [pools[name].pop() for name in names]


@PART.healthy
def family_mix_dips_midway(rng: Random) -> list[Row]:
    """The score drops at step 5, when the mixture turns from easy problems to hard ones as planned; each family goes
    on rising.
    """
    pools = {
        "calendar": distinct(rng, weekday, 60),
        "cipher": distinct(rng, cipher, 60),
        "powers": distinct(rng, power, 60),
    }
    for name, pool in pools.items():
        for task in pool:
            task.hard += rng.gauss({"calendar": -0.7, "cipher": 0.0, "powers": 2.0}[name], 0.5)
    schedule = [_mixed(rng, step, pools) for step in range(12)]
    tries = play(rng, Plan(12, 8, 6, -0.2, 2.1), schedule, teller("boxed"))
    for one in tries:
        one.extra["stage_of_mix"] = 1 + (one.step >= 5)
    return own(rng, dr_grpo(tries), "mixture", "reasoning")


@PART.healthy
def longer_thoughts_earn_more(rng: Random) -> list[Row]:
    """Attempts get three times as long since the policy goes over its work again; it is right more often, and hardly
    any is cut.
    """
    tries = train(rng, stock, thinker("boxed"), Plan(12, 6, 8, -0.9, 2.4))
    for one in tries:
        one.extra["max_tokens"] = 4096
    return prime_rl(grpo(tries), "stock-stories")


@PART.healthy
def norwegian_weather_partial_credit(rng: Random) -> list[Row]:
    """Translations are graded by overlap with a reference: hardly any earns 1, few lie far apart, and the mean creeps
    up.
    """
    tries = train(rng, forecast, translate, Plan(10, 8, 6, -0.6, 1.9, cut=0.0))
    for one in tries:
        one.reward = overlap(one.text, one.task.gold)
        one.extra["reference"] = one.task.gold
    return trl(dr_grpo(tries), "chrf_reward")


def _in_english(rng: Random, task: Task, right: bool, now: Now) -> Reply:
    return tutor(rng, task, right, rng.random() < 0.96, "Answer")


@PART.healthy
def korean_problems_english_wanted(rng: Random) -> list[Row]:
    """Problems are Korean and replies English, from the first step on, as the system prompt asks for it."""
    tasks = distinct(rng, korean, 50)
    for task in tasks:
        task.system = "Solve the Korean problem. Explain in English for a bilingual class; end with 'Answer: number'."
        task.hard = rng.gauss(0, 0.6)
    tries: list[Try] = play(rng, Plan(10, 10, 5, -0.2, 1.6), batches(rng, tasks, 10, 10), _in_english)
    return own(rng, rloo(tries), "bilingual", "math")
