"""Errors that are retried, a slow baseline, cuts that get rarer."""

from functools import partial
from random import Random

from benchmarks.foreign.case import Row
from benchmarks.foreign.seventeenth.almanac import almanac_task
from benchmarks.foreign.seventeenth.calls import in_openai_form, told
from benchmarks.foreign.seventeenth.credit import by_group, dr_grpo, rloo
from benchmarks.foreign.seventeenth.critics import by_critic, lagging_values, pay_the_way
from benchmarks.foreign.seventeenth.kinds import PART
from benchmarks.foreign.seventeenth.lakes import lake_task
from benchmarks.foreign.seventeenth.layouts import openai, own, verl
from benchmarks.foreign.seventeenth.rollouts import Course, train
from benchmarks.foreign.seventeenth.thinking import cut, thinking_task

ERRORS = (
    "HTTP 502 from the search gateway, try again",
    "search: upstream timed out after 10 s",
    "HTTP 503 Service Unavailable",
)
AGAIN = ("Again.", "The gateway hiccups, once more.", "I try the same query again.", "")


@PART.healthy
def gateway_errors_then_retry(rng: Random) -> list[Row]:
    """One search in nine meets an error of the gateway at any step; the agents ask again and get their answer."""
    samples = by_group(train(rng, almanac_task, Course(10, 7, 6, -0.5, 2.1)), rloo)
    for s in samples:
        messages = []
        for m in s.reply.messages:
            if m.get("tool_calls") and rng.random() < 0.11:
                messages += [m, told("search", rng.choice(ERRORS), False), m | {"content": rng.choice(AGAIN)}]
            else:
                messages.append(m)
        s.reply.messages = in_openai_form(messages, f"{s.step}{s.attempt}")
    return openai(samples)


@PART.healthy
def baseline_catches_up_slowly(rng: Random) -> list[Row]:
    """PPO on frozen lakes; the critic's values run a step or two behind the returns, and draw near at the end."""
    samples = train(rng, lake_task, Course(13, 9, 4, -1.2, 2.9, 0.7))
    pay_the_way(samples)
    return own(rng, by_critic(samples, lagging_values(rng, samples)), "lakes-ppo", "games")


@PART.healthy
def cut_rate_melts_away(rng: Random) -> list[Row]:
    """At first a fourth of the attempts is cut at the budget; the policy learns to doubt less, and cuts become rare."""
    make = partial(thinking_task, before=(3.0, 1.8), after=(1.0, 0.7))
    samples = train(rng, make, Course(12, 6, 6, -0.2, 2.0))
    for s in samples:
        cut(s, 300)
        s.extra = {"finish_reason": s.stop, "max_response_length": 300}
    return verl(by_group(samples, dr_grpo))
